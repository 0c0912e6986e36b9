// The packed package through webpack 5, run in Chromium under a strict policy.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inChromium, site } from '../../runtimes/browser/chromium.js';
import { expected } from '../../runtimes/expected.js';
import { projectBesideTools, run } from '../../runtimes/process.js';

const resultOf = inChromium();
const page = '<!doctype html><body><script type="module" src="/main.js"></script>';

test.each([
  ['production', [expect.stringMatching(/^\w+\.wasm$/), 'main.js']],
  ['development', ['main.js']],
])('a %s build', async (mode, assets) => {
  const project = projectBesideTools();
  const output = join(project, 'webpack-dist');
  const printed = await run(process.execPath, [join('webpack', 'build.mjs'), mode, output], { cwd: project });
  const built = JSON.parse(printed) as { problems: unknown[]; assets: string[] };
  expect({ ...built, assets: built.assets.sort() }).toEqual({ problems: [], assets });
  expect(await resultOf(await site(output, { page }))).toEqual(expected);
});
