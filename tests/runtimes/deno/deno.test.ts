// The packed package in Deno, without any permission.
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { expected, expectedOfReference } from '../expected.js';
import { run, runtime } from '../process.js';

test.each([
  ['main.mjs', 'deno.js', expected],
  ['reference.mjs', 'reference/deno.js', expectedOfReference],
])('%s runs without a permission', async (program, entry, result) => {
  const project = inject('project');
  const flags = ['--no-prompt', '--no-remote', '--no-config', '--no-lock', '--node-modules-dir=manual'];
  const printed = await run(runtime('deno'), ['run', ...flags, join('deno', program)], {
    cwd: project,
    env: { DENO_DIR: join(project, '.deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });
  expect(JSON.parse(printed)).toEqual({ entry, result });
});
