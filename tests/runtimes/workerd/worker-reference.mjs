// As worker.mjs with the reference engine, whose hash maps ask for randomness that module scope forbids.
import * as subcontract from 'subcontract/reference';
import { judge, program } from '../program.mjs';

const atModuleScope = judge(subcontract);

export default {
  fetch: async () => Response.json({ atModuleScope, inRequest: await program(subcontract, 20) }),
};
