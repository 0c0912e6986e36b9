// A Worker that builds a contract at module scope, where randomness is forbidden, and runs the program in a request.
import * as subcontract from 'subcontract';
import { judge, program } from '../program.mjs';

const atModuleScope = judge(subcontract);

export default {
  fetch: async () => Response.json({ atModuleScope, inRequest: await program(subcontract) }),
};
