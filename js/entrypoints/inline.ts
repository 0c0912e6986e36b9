/**
 * The entry with the core inside it as text, compiled at import without a file or a request: Node, Bun, bundlers and unknown
 * runtimes. Reading a file beside it breaks when a server bundler moves the code, and a synchronous entry can be loaded
 * with `require`.
 */
import { base64 } from '../generated/core-base64.js';
import { mainCore } from '../instance.js';
import { decodeBase64 } from './base64.js';

mainCore.setModule(new WebAssembly.Module(decodeBase64(base64)));

export * from '../index.js';
