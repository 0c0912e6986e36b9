// The packed package in Node.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { expected } from '../expected.js';

const output = (program: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [join(inject('project'), 'node', program)], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    }),
  );

test('as an ES module', () => {
  expect(output('esm.mjs')).toEqual(expected);
});

test('with the reference engine', () => {
  expect(output('reference.mjs')).toEqual(expected);
});

test('through require', () => {
  expect(output('require.cjs')).toEqual(expected);
});

test('subcontract/init works after init, and before it says what is missing', () => {
  expect(output('init.mjs')).toEqual({
    before: expect.stringContaining("await init() from 'subcontract/init'"),
    result: expected,
  });
});

test('entries imported together share one core', () => {
  expect(output('mixed.mjs')).toEqual({ sameFunctions: true, result: expected });
});
