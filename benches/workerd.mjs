// The same judgements in workerd, where nothing may be compiled at run time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { researchResult } from 'subcontract';
import { ajvStandaloneModule } from './peers.mjs';
import { percentile } from './timing.mjs';

/** Long beside what asking costs, which varies on a busy machine. */
const SLICE_MS = 150;

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export async function workerd(report, { quick }) {
  const miniflare = await start();
  try {
    const names = /** @type {string[]} */ (await (await miniflare.dispatchFetch('http://localhost/')).json());
    /** @type {Record<string, number>} */
    const calls = {};
    for (const name of names) calls[name] = await callsPerSlice(miniflare, name);
    /** @type {Record<string, number[]>} */
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < (quick ? 6 : 20); round++) {
      for (const name of names) samples[name]?.push(await milliseconds(miniflare, name, calls[name] ?? 1));
    }
    // Asking alone costs this much: what is above it was spent judging.
    const asking = percentile(samples.nothing ?? [], 0.1);
    const ns = (/** @type {string} */ name) =>
      ((percentile(samples[name] ?? [], 0.1) - asking) * 1e6) / (calls[name] ?? 1);
    /** @type {Array<[what: string, ours: string, peers: string[]]>} */
    const rows = [
      ['text 5 KB', 'ours, text', ['JSON.parse + Ajv standalone', 'JSON.parse + cfworker']],
      ['bytes 5 KB', 'ours, bytes', ['TextDecoder + JSON.parse + Ajv standalone']],
      ['check 5 KB', 'ours, check', ['JSON.parse + Ajv standalone', 'JSON.parse + cfworker']],
    ];
    for (const [what, ours, peers] of rows) {
      const times = { ours: ns(ours), ...Object.fromEntries(peers.map((peer) => [peer, ns(peer)])) };
      report.addTimes(`workerd: ${what}`, times);
    }
  } finally {
    await miniflare.dispose();
  }
}

async function start() {
  const contents = await ajvStandaloneModule(researchResult);
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, 'worker.mjs')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [
      {
        name: 'modules-of-their-own',
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /\.wasm$/ }, () => ({ path: './core.wasm', external: true }));
          onResolve({ filter: /^ajv-standalone$/ }, () => ({ path: 'ajv-standalone', namespace: 'generated' }));
          onLoad({ filter: /.*/, namespace: 'generated' }, () => ({ contents }));
        },
      },
    ],
  });
  return new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: bundle.outputFiles[0]?.text ?? '' },
      {
        type: 'CompiledWasm',
        path: 'core.wasm',
        contents: new Uint8Array(readFileSync(join(import.meta.dirname, '../pkg/core.wasm'))),
      },
    ],
    compatibilityDate: '2026-04-01',
    host: '127.0.0.1',
    cf: false,
  });
}

/** @param {Miniflare} miniflare @param {string} name @param {number} calls */
async function milliseconds(miniflare, name, calls) {
  const start = process.hrtime.bigint();
  const response = await miniflare.dispatchFetch(
    `http://localhost/?${new URLSearchParams({ contestant: name, calls: String(calls) })}`,
  );
  const accepted = await response.json();
  const took = Number(process.hrtime.bigint() - start) / 1e6;
  if (accepted !== calls) throw new Error(`${name} refuses the document`);
  return took;
}

/** @param {Miniflare} miniflare @param {string} name */
async function callsPerSlice(miniflare, name) {
  if (name === 'nothing') return 1;
  let calls = 64;
  for (;;) {
    // The better of two: a pause of the machine would make a slice too short to count.
    const took = Math.min(await milliseconds(miniflare, name, calls), await milliseconds(miniflare, name, calls));
    if (took >= SLICE_MS) return Math.max(1, Math.round((calls * SLICE_MS) / took));
    calls *= 2;
  }
}
