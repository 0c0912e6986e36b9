// No schema and no instance exhausts the stack: where the core is fresh, where it is warm, and where the stack is small.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as subcontract from 'subcontract';
import { expect, test } from 'vitest';
import { deep } from '../runtimes/deep.mjs';
import { expectAnswers } from '../runtimes/expected.js';

test('twice in one instance', { timeout: 120_000 }, () => {
  const first = deep(subcontract);
  expectAnswers(first);
  expect(deep(subcontract)).toEqual(first);
  // The greatest depth of an instance is judged where its schema asks for no more than a few schemas a level.
  expect(first).toMatchObject({
    'recursive properties': 'ok',
    'recursive anyOf': 'ok',
    'recursive dynamicRef': 'ok',
    'recursive items': 'ok',
    'circle of ref': 'too_complex',
    'nest of properties': 'ok',
    'nest of items': 'ok',
    'nest of unevaluatedProperties': 'ok',
    'a nest of items, to its end': 'schema_violation',
    'a deep const': 'ok',
    'a text too deep': 'too_deep',
  });
});

test('in a worker with less stack than V8 gives by default', { timeout: 120_000 }, async () => {
  const worker = new Worker(new URL('./stack-worker.mjs', import.meta.url), {
    // V8 keeps a fifth of it back.
    resourceLimits: { stackSizeMb: 1 },
  });
  const [outcomes] = (await once(worker, 'message')) as [Record<string, string>];
  await worker.terminate();
  expectAnswers(outcomes);
});
