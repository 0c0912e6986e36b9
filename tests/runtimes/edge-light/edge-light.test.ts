// The packed package in Vercel's edge runtime, bundled as Vercel does it: an import that ends in `?module` is a compiled module,
// which comes from another realm, and nothing may be compiled from text or bytes.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EdgeRuntime } from 'edge-runtime';
import { build } from 'esbuild';
import { expect, inject, test } from 'vitest';
import { expected, expectedOfReference, judged, judgedByReference } from '../expected.js';

test.each([
  ['handler.mjs', judged, expected],
  ['handler-reference.mjs', judgedByReference, expectedOfReference],
])('%s at module scope and in a request', async (handler, atModuleScope, inRequest) => {
  const project = inject('project');
  const cores = Object.fromEntries(
    ['core.wasm', 'reference.wasm'].map((name) => [
      name,
      new WebAssembly.Module(readFileSync(join(project, 'node_modules/subcontract/pkg', name))),
    ]),
  );
  const bundle = await build({
    entryPoints: [join(project, 'edge-light', handler)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    conditions: ['edge-light'],
    plugins: [
      {
        name: 'wasm-as-module',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({
            path: basename(path, '?module'),
            namespace: 'wasm',
          }));
          onLoad({ filter: /./, namespace: 'wasm' }, ({ path }) => ({
            contents: `export default cores[${JSON.stringify(path)}]`,
          }));
        },
      },
    ],
  });
  const runtime = new EdgeRuntime({
    codeGeneration: { strings: false, wasm: false },
    extend: (context) => Object.assign(context, { cores }),
    initialCode: bundle.outputFiles[0]?.text ?? '',
  });
  const response = await runtime.dispatchFetch('http://localhost/');
  expect(await response.json()).toEqual({ atModuleScope, inRequest });
});
