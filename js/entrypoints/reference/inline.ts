/** The reference engine's entry with both cores inside it, for Node, Bun, bundlers and unknown runtimes. */
import { base64 } from '../../generated-reference/reference-base64.js';
import { referenceCore } from '../../reference/core.js';
import { decodeBase64 } from '../base64.js';
import '../inline.js';

referenceCore.setModule(new WebAssembly.Module(decodeBase64(base64)));

export * from '../../reference/index.js';
