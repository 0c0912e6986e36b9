// The packed package in Bun.
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { expected } from '../expected.js';
import { run, runtime } from '../process.js';

test('it runs as an ES module', async () => {
  const project = inject('project');
  const printed = await run(runtime('bun'), ['run', '--no-install', join('bun', 'main.mjs')], { cwd: project });
  expect(JSON.parse(printed)).toEqual({ entry: 'inline.js', result: expected });
});

test('it runs through require', async () => {
  const project = inject('project');
  const printed = await run(runtime('bun'), ['run', '--no-install', join('node', 'require.cjs')], { cwd: project });
  expect(JSON.parse(printed)).toEqual(expected);
});
