/** The entry for Vercel's edge runtime, whose bundler compiles an import that ends in `?module`. */
import module from '../core.wasm?module';
import { setModule } from '../instance.js';

setModule(module);

export * from '../index.js';
