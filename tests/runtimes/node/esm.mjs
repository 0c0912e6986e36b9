// The package as an ES module.
import * as subcontract from 'subcontract';
import { program } from '../program.mjs';

console.log(JSON.stringify(await program(subcontract)));
