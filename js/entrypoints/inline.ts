/** The entry with the core inside it, compiled at import without a file or a request: bundlers and unknown runtimes. */
import { base64 } from '../generated/core-base64.js';
import { mainCore } from '../instance.js';
import { decodeBase64 } from './base64.js';

mainCore.setModule(new WebAssembly.Module(decodeBase64(base64)));

export * from '../index.js';
