/** The reference engine's entry for Vercel's edge runtime, whose bundler compiles an import that ends in `?module`. */

import { referenceCore } from '../../reference/core.js';
import module from '../../reference.wasm?module';
import '../edge-light.js';

referenceCore.setModule(module);

export * from '../../reference/index.js';
