// Runs the deep cases in a worker, in a fresh core.
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';
import { deep } from '../runtimes/deep.mjs';

register();
const subcontract = await import('../../js/entrypoints/inline.ts');
parentPort?.postMessage(deep(subcontract));
