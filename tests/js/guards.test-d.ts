// What an author of guards sees: the result's type from the contract, and findings checked as they are written.
import { defineAgent, type Guard, type GuardFinding, guards, type ResearchResult, researchResult } from 'subcontract';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const base = { name: 'a', description: 'b', run: () => '{}' };

test('a guard is given what the schema accepts', () => {
  defineAgent({
    ...base,
    outputSchema: z.object({ n: z.string().transform(Number) }),
    guards: [
      ...guards.research,
      function first(result, { toolCalls }, { text, contract }) {
        // Before the transform.
        expectTypeOf(result).toEqualTypeOf<{ n: string }>();
        expectTypeOf(toolCalls[0]?.args).toEqualTypeOf<string | undefined>();
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(contract.digest).toEqualTypeOf<string>();
        return [{ action: 'amend', pointer: '/n', value: '1' }];
      },
      { name: 'second', check: async (result) => (result.n === '' ? [{ action: 'reject', message: 'say it' }] : []) },
    ],
  });
});

test('a finding is one of three', () => {
  // @ts-expect-error: no such action
  const dropping: Guard<unknown> = { name: 'drops', check: () => [{ action: 'drop', message: 'm' }] };
  // @ts-expect-error: an amendment has a place
  const nowhere: Guard<unknown> = { name: 'nowhere', check: () => [{ action: 'amend', value: 1 }] };
  expectTypeOf([dropping, nowhere]).toExtend<readonly Guard[]>();
});

test('a plain JSON Schema says nothing of the type', () => {
  defineAgent({
    ...base,
    outputSchema: { type: 'object' },
    guards: [
      function any(result) {
        expectTypeOf(result).toEqualTypeOf<unknown>();
        return [];
      },
    ],
  });
});

test('a research record is typed', () => {
  defineAgent({
    ...base,
    outputSchema: researchResult,
    guards: [
      guards.rejecting(guards.placeholderReturn),
      function citesATicket(result, { toolCalls }) {
        expectTypeOf(result).toEqualTypeOf<ResearchResult>();
        const asked = toolCalls.some(({ name }) => name === 'search_tickets');
        return asked ? [] : [{ action: 'reject', message: 'search the tickets before you return' }];
      },
    ],
  });
});

test('a guard of any result fits every contract', () => {
  expectTypeOf(guards.emptyMeansExhausted).toExtend<Guard<{ n: number }>>();
  expectTypeOf(guards.research[0]).toExtend<Guard | undefined>();
  expectTypeOf<Extract<GuardFinding, { action: 'amend' }>['value']>().toEqualTypeOf<unknown>();
});
