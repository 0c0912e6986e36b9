// A Worker that builds a contract at module scope, where randomness is forbidden, and runs the program in a request.
import * as subcontract from 'subcontract';
import { program } from '../program.mjs';

const atModuleScope = program(subcontract);

export default {
  fetch: () => Response.json({ atModuleScope, inRequest: program(subcontract) }),
};
