// The packed package through Vite's production and development builds, run in Chromium under a strict policy.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { expect, inject, onTestFinished, test } from 'vitest';
import { inChromium, policy, site } from '../../runtimes/browser/chromium.js';
import { expected } from '../../runtimes/expected.js';
import { run } from '../../runtimes/process.js';

const resultOf = inChromium();
const vite = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url));

test('a production build', async () => {
  const project = inject('project');
  const outDir = join(project, 'vite-dist');
  // A process of its own, because vitest's NODE_ENV makes it a development build.
  await run(process.execPath, [vite, 'build', 'vite', '--outDir', outDir], { cwd: project });
  const assets = readdirSync(join(outDir, 'assets')).map((name) => name.replace(/-[\w-]{8}\./, '.'));
  expect(assets.sort()).toEqual(['core.wasm', 'index.js']);
  expect(await resultOf(await site(outDir))).toEqual(expected);
});

test('the development server', async () => {
  const project = inject('project');
  const server = await createServer({
    root: join(project, 'vite'),
    cacheDir: join(project, 'vite-cache'),
    configFile: false,
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port: 0,
      fs: { allow: [project] },
      headers: { 'content-security-policy': policy },
    },
  });
  onTestFinished(() => server.close());
  await server.listen();
  expect(await resultOf(server.resolvedUrls?.local[0] ?? '')).toEqual(expected);
});
