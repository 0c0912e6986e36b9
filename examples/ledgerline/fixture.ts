// Access to the fixture: the files and the merchant table that the children's tools work on.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MerchantRow, parseMerchantRows } from './fixture/src/merchant-table.js';

const ROOT = fileURLToPath(new URL('./fixture/', import.meta.url));

/** Folders and files that any child may read; `production/` is behind an approval. */
const READABLE = ['src', 'provider', 'merchants.csv'];

function walk(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const child = join(path, entry.name);
    return entry.isDirectory() ? walk(child) : [child];
  });
}

/** Every file that the fixture has, as a path below its root. */
const FILES = walk(ROOT)
  .map((path) => relative(ROOT, path).replaceAll('\\', '/'))
  .sort();

export const READABLE_FILES = FILES.filter((path) =>
  READABLE.some((root) => path === root || path.startsWith(`${root}/`)),
);

/** A file's text; only paths that the fixture lists are opened. */
export function fixtureText(path: string): string {
  if (!FILES.includes(path)) throw new Error(`the fixture has no file ${path}`);
  return readFileSync(join(ROOT, path), 'utf8');
}

export function fixtureLines(path: string): string[] {
  return fixtureText(path).trimEnd().split('\n');
}

export function merchantRows(): MerchantRow[] {
  return parseMerchantRows(fixtureText('merchants.csv'));
}
