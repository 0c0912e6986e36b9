// Every page of the documentation, as the program it is: its TypeScript blocks compile, run, and print what stands below them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as given from './given.js';
import { blocksOf, programOf, ROOT } from './page.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(resolve(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const FOLDER = resolve(ROOT, '.cache/docs');
const hasJsx = (page: string) => readFileSync(resolve(ROOT, page), 'utf8').includes('\n```tsx\n');
const fileOf = (page: string) =>
  resolve(FOLDER, page.replaceAll('/', '-').replace(/\.md$/, hasJsx(page) ? '.tsx' : '.ts'));

/** Its blocks are components, each of a page of its own: `tests/js/cards/docs.test.ts` compiles them, browsers run their like. */
const COMPONENTS = 'docs/cards.md';

const pages = PAGES.map((page) => ({ page, blocks: page === COMPONENTS ? [] : blocksOf(page) }));
const programs = pages.filter(({ blocks }) => blocks.length > 0);

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const { page, blocks } of programs) writeFileSync(fileOf(page), programOf(blocks, Object.keys(given)));
  const config = { extends: '../../tests/tsconfig.json', include: ['*.ts', '*.tsx', '../../js/wasm-modules.d.ts'] };
  writeFileSync(resolve(FOLDER, 'tsconfig.json'), JSON.stringify(config));
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('their blocks compile', async () => {
  const tsc = resolve(ROOT, 'node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '--project', FOLDER, '--pretty', 'false'], { cwd: ROOT });
  const said = await run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  expect(said).toBe('');
}, 300_000);

describe.each(pages)('$page', ({ page, blocks }) => {
  test.runIf(blocks.length > 0)(
    'runs, and prints what it says',
    async () => {
      given.printed.length = 0;
      vi.spyOn(console, 'log').mockImplementation((...values) => {
        given.printed.at(-1)?.push(`${format(...values)}\n`);
      });
      await import(pathToFileURL(fileOf(page)).href);
      for (const [index, { line, prints }] of blocks.entries()) {
        const shown = given.printed[index]?.join('');
        if (prints !== undefined || shown !== '') expect({ line, shown }).toEqual({ line, shown: prints });
      }
    },
    60_000,
  );

  test('has no block of another kind that nobody checks', () => {
    const text = readFileSync(resolve(ROOT, page), 'utf8');
    const languages = [...text.matchAll(/^```(\S*)\n.*?^```$/gms)].map(([, language]) => language);
    // Output and commands, programs of this page, and those of `tests/crate_page.rs`.
    const known = ['', 'text', 'sh', 'ts', 'tsx', 'css', 'html', ...(page === 'docs/crate.md' ? ['rust'] : [])];
    expect(languages.filter((language) => !known.includes(language ?? ''))).toEqual([]);
  });
});

test('their links lead to files and headings that there are', () => {
  const missing: string[] = [];
  for (const page of PAGES) {
    const text = readFileSync(resolve(ROOT, page), 'utf8').replace(/^```.*?^```$/gms, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', heading] = link.split('#');
      const file = path === '' ? resolve(ROOT, page) : resolve(ROOT, dirname(page), path);
      if (!existsSync(file)) missing.push(`${page}: ${link}`);
      else if (heading !== undefined && file.endsWith('.md') && !headingsOf(file).has(heading))
        missing.push(`${page}: ${link}`);
    }
  }
  expect(missing).toEqual([]);
});

/** As they are linked to: lower case, words joined by hyphens. */
function headingsOf(file: string): Set<string> {
  const lines = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
  return new Set(
    lines.map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
