// Sizes of what is loaded, compressed as a web server would.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { validatorAlone } from '../scripts/setup/size.mjs';

/** @param {import('./report.mjs').Report} report */
export function sizes(report) {
  const core = readFileSync(join(import.meta.dirname, '../pkg/core.wasm'));
  /** @type {import('./report.mjs').Kind} */
  const bytes = { unit: 'bytes', as: 'share' };
  report.add('core.wasm, gzip', gzipSync(core, { level: 9 }).length, null, bytes);
  report.add('validator alone, gzip', gzipSync(validatorAlone(core), { level: 9 }).length, null, bytes);
}
