/**
 * The reference engine's entry for Deno: a source phase import needs no permission. It is plain JavaScript because
 * TypeScript 5.9 cannot parse one, and is copied into the package as it is.
 */
import source module from '../../reference.wasm';
import { referenceCore } from '../../reference/core.js';
import '../deno.js';

referenceCore.setModule(module);

export * from '../../reference/index.js';
