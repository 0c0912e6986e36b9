/** The entry for Cloudflare Workers, which compile WebAssembly only ahead of time: the import is the compiled module. */
import module from '../core.wasm';
import { setModule } from '../instance.js';

setModule(module);

export * from '../index.js';
