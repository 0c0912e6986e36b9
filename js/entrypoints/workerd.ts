/** The entry for Cloudflare Workers, which compile WebAssembly only ahead of time: the import is the compiled module. */
import module from '../core.wasm';
import { mainCore } from '../instance.js';

mainCore.setModule(module);

export * from '../index.js';
