// What an import brings along: a program that uses no framework loads none, and what it does not use is dropped.
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';

/** The modules that a program consists of: packages, and files of ours. */
async function graphOf(
  program: string,
  conditions: string[] = [],
): Promise<{ ours: string[]; others: string[]; code: string }> {
  const project = inject('project');
  const pkg = join(project, 'node_modules/subcontract/pkg');
  mkdirSync(join(project, 'graph'), { recursive: true });
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: project },
    absWorkingDir: project,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: join(project, 'graph'),
    platform: 'neutral',
    conditions,
    plugins: [
      {
        name: 'others',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('subcontract') ? undefined : { path, external: true },
          ),
      },
    ],
    external: ['*.wasm', '*.wasm?module'],
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  const others = new Set(imports.map(({ path }) => path).filter((path) => !/\.wasm(\?module)?$/.test(path)));
  const ours = Object.keys(metafile.inputs)
    .filter((input) => input.includes('/subcontract/'))
    .map((input) => relative(pkg, join(project, input)));
  return { ours: ours.sort(), others: [...others].sort(), code: outputFiles[0]?.text ?? '' };
}

test.each([
  ['as such', []],
  ['in a browser', ['browser']],
  ['in workerd', ['workerd']],
  ['on the edge', ['edge-light']],
])('the core %s imports no framework, and none of the subpaths', async (_, conditions) => {
  const { ours, others } = await graphOf(`export * from 'subcontract';`, conditions);
  expect(others).toEqual([]);
  expect(ours.length).toBeGreaterThan(1);
  expect(ours.filter((file) => /^(react|cards|tanstack|reference|shared-reference|ag-ui\/lint)/.test(file))).toEqual(
    [],
  );
});

test.each([
  ['subcontract/init', []],
  ['subcontract/ag-ui', []],
  ['subcontract/cards', []],
  ['subcontract/tanstack', ['@tanstack/ai']],
  ['subcontract/react', ['react', 'react/jsx-runtime']],
])('%s imports its framework alone', async (subpath, frameworks) => {
  const { others } = await graphOf(`export * from '${subpath}';`);
  expect(others.filter((name) => !frameworks.includes(name))).toEqual([]);
  if (frameworks.length > 0) expect(others).toContain(frameworks[0]);
});

test.each(['ag-ui', 'cards', 'tanstack', 'react'])('of subcontract/%s nothing stays that is not used', async (name) => {
  const { code } = await graphOf(`import * as all from 'subcontract/${name}'; export const used = 1;`);
  expect(code.replace(/^\/\/.*$/gm, '').trim()).toMatch(
    /^(import "[^"]+";\s*)*var used = 1;\s*export \{\s*used\s*\};$/,
  );
});

test('a small program has no part of what it does not use', async () => {
  const { code } = await graphOf(
    `import { compileContract } from 'subcontract/init'; console.log(compileContract(true).isValid('1'));`,
  );
  // Of the linter, of transcripts, of sealing, of delegation.
  for (const foreign of ['docs.ag-ui.com', 'fetch_transcript_span', 'AES-GCM', 'SUBAGENT_STARTED']) {
    expect(code).not.toContain(foreign);
  }
  expect(code.length).toBeLessThan(100_000);
});
