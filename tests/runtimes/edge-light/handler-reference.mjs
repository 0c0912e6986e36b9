// As handler.mjs with the reference engine: a contract at module scope, and the program in a request.
import * as subcontract from 'subcontract/reference';
import { judge, program } from '../program.mjs';

const atModuleScope = judge(subcontract);

addEventListener('fetch', (event) => {
  event.respondWith(
    program(subcontract, 20).then((inRequest) => new Response(JSON.stringify({ atModuleScope, inRequest }))),
  );
});
