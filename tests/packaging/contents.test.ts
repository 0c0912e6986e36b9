// What the tarball holds, and what it asks of its users.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('it depends on nothing at run time but the types of Standard Schema', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['@standard-schema/spec']);
  expect(manifest.bundledDependencies ?? manifest.optionalDependencies).toBeUndefined();
  const optional = Object.keys(manifest.peerDependenciesMeta).filter(
    (name) => manifest.peerDependenciesMeta[name].optional,
  );
  expect(optional.sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
});

test('it runs no script of its own when it is installed', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(hooks.filter((name) => name in (manifest.scripts ?? {}))).toEqual([]);
});
