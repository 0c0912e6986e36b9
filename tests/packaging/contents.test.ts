// What the tarball holds, and that its types stand alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';

const installed = join(inject('project'), 'node_modules/subcontract');
const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

test('it holds the build, the licences and the change log, and nothing else', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE-APACHE',
    'LICENSE-MIT',
    'README.md',
    'package.json',
    'pkg',
  ]);
});

test('every target of the exports map exists', () => {
  const targets = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(targets);
  const all = targets(manifest.exports);
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((target) => !existsSync(join(installed, target)))).toEqual([]);
});

test('only the entries and the stylesheet have side effects', () => {
  expect(manifest.sideEffects).toEqual([
    ...['./pkg/entrypoints/*.js', './pkg/entrypoints/reference/*.js', './pkg/styles.css'],
  ]);
});

test('the order of the conditions puts the most specific runtime first', () => {
  expect(Object.keys(manifest.exports['.'])).toEqual([
    ...['types', 'workerd', 'edge-light', 'browser', 'deno', 'bun', 'node', 'default'],
  ]);
});

test('no file of the package names a folder of the machine that built it', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = readdirSync(join(installed, 'pkg'), { recursive: true, withFileTypes: true });
  const telling = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((file) => readFileSync(file).includes(root));
  expect(telling).toEqual([]);
});

test('its types compile in a project without its development dependencies', () => {
  const folder = join(inject('project'), 'types');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'program.ts'),
    `import { compileContract, type Verdict } from 'subcontract';
import { init } from 'subcontract/init';
import core from 'subcontract/core.wasm';
await init(core);
const verdict: Verdict = compileContract({ type: 'string' }).check('"text"');
console.log(verdict.ok ? verdict.value : verdict.issues);
`,
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'NodeNext',
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'ESNext.Disposable'],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        types: [],
      },
    }),
  );
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  let errors = '';
  try {
    execFileSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
  } catch (error) {
    errors = (error as { stdout: string }).stdout;
  }
  expect(errors).toBe('');
});
