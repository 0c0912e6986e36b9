// As worker.mjs with the reference engine, whose hash maps ask for randomness that module scope forbids.
import * as subcontract from 'subcontract/reference';
import { program } from '../program.mjs';

const atModuleScope = program(subcontract);

export default {
  fetch: () => Response.json({ atModuleScope, inRequest: program(subcontract) }),
};
