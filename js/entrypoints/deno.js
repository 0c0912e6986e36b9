/**
 * The entry for Deno: a source phase import needs no permission. It is plain JavaScript because TypeScript 5.9 cannot
 * parse one, and is copied into the package as it is.
 */
import source module from '../core.wasm';
import { mainCore } from '../instance.js';

mainCore.setModule(module);

export * from '../index.js';
