// The entry that is initialised by hand, before and after.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as subcontract from 'subcontract/init';
import { program } from '../program.mjs';

let before = 'no error';
try {
  subcontract.compileContract(true);
} catch (error) {
  before = error.message;
}
await subcontract.init(readFile(fileURLToPath(import.meta.resolve('subcontract/core.wasm'))));
console.log(JSON.stringify({ before, result: await program(subcontract) }));
