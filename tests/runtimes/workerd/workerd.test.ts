// The packed package in workerd, bundled as wrangler does it: esbuild, the `workerd` condition, wasm as a module.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, inject, onTestFinished, test } from 'vitest';
import { expectAnswers, expected, expectedOfReference, judged, judgedByReference } from '../expected.js';

test.each([
  ['worker.mjs', judged, expected],
  ['worker-reference.mjs', judgedByReference, expectedOfReference],
])('%s at module scope and in a request', async (worker, atModuleScope, inRequest) => {
  expect(await responseOf(worker)).toEqual({ atModuleScope, inRequest });
});

test('no schema or instance exhausts the stack', async () => {
  expectAnswers((await responseOf('worker-deep.mjs')) as Record<string, string>);
});

/** What a Worker answers to a request. */
async function responseOf(worker: string): Promise<unknown> {
  const project = inject('project');
  const bundle = await build({
    entryPoints: [join(project, 'workerd', worker)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [
      {
        name: 'wasm-as-module',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${basename(path)}`, external: true })),
      },
    ],
  });
  const core = createRequire(join(project, 'index.js')).resolve('subcontract/core.wasm');
  const wasm = (name: string) => {
    const contents = new Uint8Array(readFileSync(join(dirname(core), name)));
    return { type: 'CompiledWasm' as const, path: name, contents };
  };

  const miniflare = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: bundle.outputFiles[0]?.text ?? '' },
      wasm('core.wasm'),
      wasm('reference.wasm'),
    ],
    compatibilityDate: '2026-04-01',
    host: '127.0.0.1',
    cf: false,
  });
  onTestFinished(() => miniflare.dispose());

  const response = await miniflare.dispatchFetch('http://localhost/');
  return response.json();
}
