// What needs processes of their own: cold starts and growth.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { researchResult } from 'subcontract';
import { researchRecord } from './documents.mjs';
import { referenceEngine } from './peers.mjs';
import { percentile } from './timing.mjs';

/** @param {string[]} args */
const output = (args) => execFileSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname });

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export async function coldStarts(report, { quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'subcontract-bench-'));
  const input = join(folder, 'input.json');
  writeFileSync(input, JSON.stringify({ schema: researchResult, text: researchRecord(5e3) }));
  const names = ['ours', 'ajv', 'cfworker', 'hyperjump', 'zod', ...((await referenceEngine()) ? ['reference'] : [])];
  /** @type {Record<string, number[]>} */
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let round = 0; round < (quick ? 3 : 12); round++) {
      for (const name of names) samples[name]?.push(Number(output(['cold-start.mjs', name, input])));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const best = (/** @type {string} */ name) => percentile(samples[name] ?? [], 0.1);
  report.add('fresh process to first verdict, share of Ajv', best('ours'), best('ajv'), { unit: 'ms', as: 'share' });
  for (const name of names.slice(2)) {
    report.add(`fresh process to first verdict vs ${name}`, best('ours'), best(name), { unit: 'ms', as: 'faster' });
  }
}

/** @param {import('./report.mjs').Report} report */
export function growth(report) {
  const { memory, perByte } = JSON.parse(output(['growth.mjs']));
  const last = perByte.at(-1);
  report.add('growth: time a byte at 10 MB, share of that at 1 KB', last, perByte[0], { unit: 'ns', as: 'share' });
  report.add('growth: memory for 10 MB, in texts', memory, null, { unit: 'per byte', as: 'share' });
}
