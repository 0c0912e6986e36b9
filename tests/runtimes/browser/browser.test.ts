// The packed package in Chromium without a bundler: the package's modules as a server gives them out.
import { expect, inject, test } from 'vitest';
import { expectAnswers, expected, expectedOfReference } from '../expected.js';
import { inChromium, site } from './chromium.js';

const resultOf = inChromium();
const page = (script: string) => `<!doctype html><body><script type="module" src="/browser/${script}"></script>`;

test.each([
  ['page.mjs', 'application/wasm', expected],
  ['page.mjs', 'application/octet-stream', expected],
  ['reference-page.mjs', 'application/wasm', expectedOfReference],
])('%s with wasm served as %s', async (script, wasmType, result) => {
  const address = await site(inject('project'), { wasmType, page: page(script) });
  expect(await resultOf(address)).toEqual(result);
});

test('no schema or instance exhausts the stack', async () => {
  const address = await site(inject('project'), { page: page('deep-page.mjs') });
  expectAnswers((await resultOf(address)) as Record<string, string>);
});
