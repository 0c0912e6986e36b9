// The program in a server component, at the time of the request.
import { connection } from 'next/server';
import * as subcontract from 'subcontract';
import { judge, program } from '../../program.mjs';

const atModuleScope = judge(subcontract);

export default async function Page() {
  await connection();
  const result = { atModuleScope, inRequest: await program(subcontract) };
  return <main data-result={JSON.stringify(result)} />;
}
