// The program in a route of the runtime that it names.
import * as subcontract from 'subcontract';
import { judge, program } from '../../../program.mjs';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

const atModuleScope = judge(subcontract);

export async function GET() {
  return Response.json({ atModuleScope, inRequest: await program(subcontract) });
}
