// The packed package through esbuild with `subcontract/inline`, run in Chromium under a strict policy.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Format } from 'esbuild';
import { expect, inject, test } from 'vitest';
import { inChromium, site } from '../../runtimes/browser/chromium.js';
import { expected } from '../../runtimes/expected.js';

const resultOf = inChromium();

test.each<[Format, string]>([
  ['esm', '<script type="module" src="/main.js"></script>'],
  ['iife', '<script src="/main.js"></script>'],
])('as %s', async (format, script) => {
  const project = inject('project');
  const outdir = join(project, `esbuild-${format}`);
  mkdirSync(outdir, { recursive: true });
  const { warnings } = await build({
    entryPoints: [join(project, 'esbuild/main.mjs')],
    bundle: true,
    minify: true,
    format,
    outdir,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  expect(await resultOf(await site(outdir, { page: `<!doctype html><body>${script}` }))).toEqual(expected);
});
