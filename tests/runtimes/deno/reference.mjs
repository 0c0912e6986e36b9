// The reference engine in Deno.
import * as subcontract from 'subcontract/reference';
import { program } from '../program.mjs';

const entry = import.meta.resolve('subcontract/reference').split('/').slice(-2).join('/');
console.log(JSON.stringify({ entry, result: await program(subcontract, 20) }));
