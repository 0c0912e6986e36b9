/** The entry for browsers: the core is a file of its own beside the code, compiled while it loads. */
import { mainCore } from '../instance.js';
import { compile } from './compile.js';

mainCore.setModule(await compile(new URL('../core.wasm', import.meta.url)));

export * from '../index.js';
