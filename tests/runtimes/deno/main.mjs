// The package in Deno.
import * as subcontract from 'subcontract';
import { program } from '../program.mjs';

const entry = import.meta.resolve('subcontract').split('/').pop();
console.log(JSON.stringify({ entry, result: await program(subcontract) }));
