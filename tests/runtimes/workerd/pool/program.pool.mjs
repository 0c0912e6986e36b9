// Runs inside workerd: a contract at module scope, and the program in a test.
import * as subcontract from 'subcontract';
import { expect, test } from 'vitest';
import { expected, judged } from '../../expected.ts';
import { judge, program } from '../../program.mjs';

const atModuleScope = judge(subcontract);

test('the program in workerd', async () => {
  expect(navigator.userAgent).toBe('Cloudflare-Workers');
  expect(atModuleScope).toEqual(judged);
  expect(await program(subcontract)).toEqual(expected);
});
