// Contracts and streams that nobody frees, and the garbage collector, which frees them where there is a FinalizationRegistry.
import { setImmediate } from 'node:timers/promises';
import { compileContract } from 'subcontract';
import { watch } from '../program.mjs';

for (let i = 0; i < 100; i++) compileContract({ const: i }).stream().push('{');
const made = watch.handles;
for (let i = 0; i < 100 && watch.handles > 0; i++) {
  globalThis.gc();
  await setImmediate();
}
console.log(JSON.stringify({ made, left: watch.handles }));
