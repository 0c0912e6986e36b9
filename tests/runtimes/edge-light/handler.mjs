// An edge function of Vercel's: a contract at module scope, and the program in a request.
import * as subcontract from 'subcontract';
import { judge, program } from '../program.mjs';

const atModuleScope = judge(subcontract);

addEventListener('fetch', (event) => {
  event.respondWith(
    program(subcontract).then((inRequest) => new Response(JSON.stringify({ atModuleScope, inRequest }))),
  );
});
