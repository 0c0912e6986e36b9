// The subpath of the reference engine, which brings the core along.
import * as subcontract from 'subcontract/reference';
import { program } from '../program.mjs';

console.log(JSON.stringify(await program(subcontract, 20)));
