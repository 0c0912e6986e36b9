// The program in Next's middleware, which answers for one path.
import * as subcontract from 'subcontract';
import { judge, program } from '../program.mjs';

const atModuleScope = judge(subcontract);

export async function middleware() {
  return Response.json({ atModuleScope, inRequest: await program(subcontract) });
}

export const config = { matcher: '/middleware' };
