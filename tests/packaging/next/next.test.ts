// The packed package in Next: a server component, a route of Node and of the edge, middleware, a client component in
// Chromium, and the components of subcontract/react.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inChromium } from '../../runtimes/browser/chromium.js';
import { expected, judged } from '../../runtimes/expected.js';
import { projectBesideTools, run, runtime, serve, tools } from '../../runtimes/process.js';

const resultOf = inChromium();

test.each([
  ['--turbopack', ['node', 'edge', 'middleware']],
  // With webpack, Next 16.4.6 builds no edge route at all, not even an empty one; its middleware runs on the edge.
  ['--webpack', ['node', 'middleware']],
])('built with %s', { timeout: 300_000 }, async (bundler, routes) => {
  const app = join(projectBesideTools(), 'next');
  if (!routes.includes('edge')) rmSync(join(app, 'app/edge'), { recursive: true });
  const next = join(tools(), 'node_modules/next/dist/bin/next');
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', CI: '1' };
  await run(runtime('node 24'), [next, 'build', bundler], { cwd: app, env, timeoutMs: 240_000 });
  const flags = ['start', '--hostname', '127.0.0.1', '--port', '0'];
  const address = await serve(runtime('node 24'), [next, ...flags], { cwd: app, env }, /Local:\s+(http:\S+)/);

  const both = { atModuleScope: judged, inRequest: expected };
  const answers: Record<string, unknown> = {};
  for (const path of routes) {
    const response = await fetch(`${address}/${path}`);
    answers[path] = response.ok ? await response.json() : await response.text();
  }
  expect(answers).toEqual(Object.fromEntries(routes.map((path) => [path, both])));
  expect(serverResult(await (await fetch(address)).text())).toEqual(both);
  expect(await resultOf(`${address}/client`)).toEqual(expected);

  const cards = await (await fetch(`${address}/cards`)).text();
  expect(cards).toMatch(/<div class="sc-record">.*Wien/);
  const [, styles] = /<link rel="stylesheet" href="([^"]+)"/.exec(cards) ?? [];
  expect(await (await fetch(`${address}${styles}`)).text()).toContain('.sc-record');
});

/** What a server component has put into the page. */
function serverResult(html: string): unknown {
  const [, result = 'null'] = /<main data-result="([^"]*)"/.exec(html) ?? [];
  const characters: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&', '#x27': "'" };
  return JSON.parse(result.replace(/&([#\w]+);/g, (_, name) => characters[name] ?? ''));
}
