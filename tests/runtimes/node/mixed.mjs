// Several entries in one program: they must share one core.
import { createRequire } from 'node:module';
import * as main from 'subcontract';
import * as init from 'subcontract/init';
import * as inline from 'subcontract/inline';
import { program, watch } from '../program.mjs';

const required = createRequire(import.meta.url)('subcontract');
const entries = [main, init, inline, required];
const [{ compileContract }] = entries;
for (const entry of entries) entry.compileContract(true).free();
const { instances } = watch;
const sameFunctions = entries.every((entry) => entry.compileContract === compileContract);
console.log(JSON.stringify({ sameFunctions, instances, result: await program(init) }));
