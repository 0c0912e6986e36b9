// No schema and no instance exhausts the stack: cold, warm, and where the stack is small.
import * as subcontract from 'subcontract';
import { expect, test } from 'vitest';
import { deep } from '../runtimes/deep.mjs';

test('probe', () => {
  console.log(JSON.stringify(deep(subcontract), null, 1));
});
