// Skipping what is already done: a step is repeated only when the hash of its inputs changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at } from './paths.mjs';

/**
 * The hash of files, folders (every file below, by path) and plain facts such as a compiler's version.
 * @param {{ files: string[], facts?: string[] }} inputs  paths from the repository root; absent ones count as absent
 */
export function hashInputs({ files, facts = [] }) {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(`fact\0${fact}\0`);
  for (const file of files.flatMap(expand)) {
    hash.update(`file\0${file}\0`);
    if (existsSync(at(file)))
      hash.update(
        createHash('sha256')
          .update(readFileSync(at(file)))
          .digest(),
      );
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function expand(path) {
  if (!existsSync(at(path)) || !statSync(at(path)).isDirectory()) return [path];
  return readdirSync(at(path))
    .sort()
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => expand(join(path, name)));
}

/**
 * Whether the step was done for these inputs and its outputs are still there.
 * @param {string} step @param {string} hash @param {string[]} outputs
 */
export function isDone(step, hash, outputs) {
  const stamp = stampPath(step);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && outputs.every((output) => existsSync(at(output)));
}

/** @param {string} step @param {string} hash */
export function markDone(step, hash) {
  mkdirSync(dirname(stampPath(step)), { recursive: true });
  writeFileSync(stampPath(step), hash);
}

/** @param {string} step */
const stampPath = (step) => at('.cache', 'stamps', step);
