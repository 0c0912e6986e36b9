/** The reference engine's entry for Cloudflare Workers: both imports are compiled modules. */

import { referenceCore } from '../../reference/core.js';
import module from '../../reference.wasm';
import '../workerd.js';

referenceCore.setModule(module);

export * from '../../reference/index.js';
