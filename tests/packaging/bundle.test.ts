// What the bundled files are to their users: one copy of each module, readable stack traces, and nothing that a bundler has to keep.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';

const project = inject('project');
const pkg = join(project, 'node_modules/subcontract/pkg');
const files = readdirSync(pkg, { recursive: true, encoding: 'utf8' }).sort();

interface SourceMap {
  sources: string[];
  sourcesContent: Array<string | null>;
}

const maps = files
  .filter((file) => file.endsWith('.js.map'))
  .map((file) => ({ file, ...(JSON.parse(readFileSync(join(pkg, file), 'utf8')) as SourceMap) }));

test('every module stands in one file, so that subpaths share its state', () => {
  const places = new Map<string, string[]>();
  for (const { file, sources } of maps) {
    for (const source of sources) {
      const module = relative(pkg, join(pkg, dirname(file), source));
      places.set(module, [...(places.get(module) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(40);
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});

test('source maps carry their sources, except the cores', () => {
  const without = maps.flatMap(({ sources, sourcesContent }) =>
    sources.filter((_, index) => sourcesContent[index] == null).map((source) => source.split('/').pop()),
  );
  expect(without.sort()).toEqual(['core-base64.js', 'reference-base64.js']);
});

test('every import inside the package leads to a file', () => {
  const modules = files.filter((file) => file.endsWith('.js'));
  const missing = modules.flatMap((file) => importsOf(file).filter((imported) => !files.includes(imported)));
  expect(modules).toContain('entrypoints/deno.js');
  expect(missing).toEqual([]);
});

test('no file makes an engine keep two bytes a character, and escapes say the same', () => {
  const modules = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(join(pkg, file), 'utf8'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those outside ASCII.
  expect(modules.filter((code) => !/^[\u0000-\u007f]*$/.test(code))).toEqual([]);
  const program = `
    const { compileContract, readReturn } = await import('subcontract');
    try { readReturn(compileContract({}), '{}', { intake: 'z'.repeat(200) }) } catch (error) { console.log(error.message) }`;
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(out).toContain('zz\u2026');
});

test('the entry of Node loads two files', () => {
  const loaded = new Set(['entrypoints/inline.js']);
  for (const file of loaded) for (const imported of importsOf(file)) loaded.add(imported);
  expect([...loaded]).toEqual(['entrypoints/inline.js', 'shared.js']);
});

test('a stack trace leads to the TypeScript source', () => {
  const program = `
    const { compileContract } = await import('subcontract');
    try { compileContract({ type: 'nonsense' }) } catch (error) { console.log(error.stack) }`;
  const stack = execFileSync(process.execPath, ['--enable-source-maps', '--input-type=module', '--eval', program], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stack).toMatch(/^SchemaError: /);
  expect(stack).toMatch(/js\/contract-handle\.ts:\d+:\d+/);
  expect(stack).toMatch(/js\/contract\.ts:\d+:\d+/);
});

test.each([
  ['ag-ui', 'tagChildEvent', 4_000],
  ['init', 'researchResult', 8_000],
])('of subcontract/%s a bundler keeps what is used: %s', async (subpath, name, bytes) => {
  const code = await bundled(`import { ${name} } from 'subcontract/${subpath}'; console.log(${name});`);
  expect(code).not.toContain('WebAssembly');
  expect(code.length).toBeLessThan(bytes);
});

test.each([
  ['workerd', ['workerd'], 'core.wasm'],
  ['edge-light', ['edge-light'], 'core.wasm?module'],
  ['browser', ['browser'], 'new URL("../core.wasm", import.meta.url)'],
])('in %s a program that only imports the package gets its core', async (_, conditions, core) => {
  const code = await bundled(`import 'subcontract';`, conditions);
  expect(code).toContain(core);
  expect(code).toContain('.setModule(');
});

test.each(['workerd', 'edge-light'])(
  'in %s no code compiles WebAssembly, which its bundlers refuse',
  async (condition) => {
    const code = await bundled(`export * from 'subcontract'; export * as reference from 'subcontract/reference';`, [
      condition,
    ]);
    expect(code).not.toMatch(/WebAssembly\.(compile|instantiate|Module\()/);
  },
);

/** The files that a file of the package imports, both from its folder `pkg`. */
function importsOf(file: string): string[] {
  const statements = readFileSync(join(pkg, file), 'utf8').matchAll(
    /^(?:import|export)\b[^;]*?["'](\.[^"'?]+)[^"']*["'];$/gm,
  );
  return [...statements].map(([, from]) => join(dirname(file), from as string));
}

/** A program with the package in it, as esbuild would deploy it. */
async function bundled(program: string, conditions: string[] = []): Promise<string> {
  const folder = join(project, 'bundled');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: project,
    bundle: true,
    write: false,
    format: 'esm',
    outdir: folder,
    platform: 'neutral',
    conditions,
    external: ['*.wasm', '*.wasm?module'],
  });
  return outputFiles[0]?.text ?? '';
}
