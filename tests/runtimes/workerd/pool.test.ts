// The packed package under Cloudflare's vitest pool, whose tests run inside workerd.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectBesideTools, run, runtime, tools } from '../process.js';

test('the program runs in a test inside workerd', async () => {
  const project = projectBesideTools();
  const vitest = join(tools(), 'node_modules/vitest/vitest.mjs');
  const config = ['--root', '.', '--config', 'workerd/pool/vitest.config.mjs'];
  // The pool wants a newer Node than the package does.
  const printed = await run(runtime('node 24'), [vitest, 'run', ...config, '--reporter=json'], {
    cwd: project,
    env: { HOME: project, WRANGLER_SEND_METRICS: 'false' },
  });
  const { numPassedTests, numTotalTests } = JSON.parse(printed.slice(printed.indexOf('\n{') + 1));
  expect({ numPassedTests, numTotalTests }).toEqual({ numPassedTests: 1, numTotalTests: 1 });
});
