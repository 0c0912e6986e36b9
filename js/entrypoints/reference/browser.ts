/** The reference engine's entry for browsers: both cores are files of their own, compiled while they load. */
import { referenceCore } from '../../reference/core.js';
import '../browser.js';
import { compile } from '../compile.js';

referenceCore.setModule(await compile(new URL('../../reference.wasm', import.meta.url)));

export * from '../../reference/index.js';
