/** The entry for Vercel's edge runtime, whose bundler compiles an import that ends in `?module`. */
import module from '../core.wasm?module';
import { mainCore } from '../instance.js';

mainCore.setModule(module);

export * from '../index.js';
