// What users see of the types: ctx.input, run's return, and the envelope's result.

import { type AnyTextAdapter, chat } from '@tanstack/ai';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import {
  type AgentContext,
  type AgentDefinition,
  type AgentSchema,
  compileContract,
  defineAgent,
  delegate,
  strictResearchResult,
} from 'subcontract';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const base = { name: 'a', description: 'b' };

test('without inputSchema ctx.input is undefined', () => {
  defineAgent({
    ...base,
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<undefined>();
      return '';
    },
  });
});

test("with inputSchema ctx.input is the schema's output", () => {
  defineAgent({
    ...base,
    inputSchema: z.object({
      task: z.string(),
      limit: z.coerce.number().default(3),
      when: z.string().transform((s) => new Date(s)),
    }),
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<{ task: string; limit: number; when: Date }>();
      return '';
    },
  });
  defineAgent({
    ...base,
    inputSchema: type({ task: 'string' }),
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<{ task: string }>();
      return '';
    },
  });
  defineAgent({
    ...base,
    inputSchema: toStandardJsonSchema(v.object({ task: v.string() })),
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<{ task: string }>();
      return '';
    },
  });
  defineAgent({
    ...base,
    inputSchema: compileContract(z.object({ task: z.string() })),
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<{ task: string }>();
      return '';
    },
  });
  defineAgent({
    ...base,
    inputSchema: { type: 'object' },
    run: (ctx) => {
      expectTypeOf(ctx.input).toEqualTypeOf<unknown>();
      return '';
    },
  });
});

test('the envelope carries what outputSchema makes of a return', () => {
  const agent = defineAgent({
    ...base,
    outputSchema: z.object({ price: z.number() }),
    run: async () => ({ price: 1 }),
  });
  const delegation = delegate(agent);
  expectTypeOf(delegation.envelope).resolves.toHaveProperty('final_result').toEqualTypeOf<{ price: number } | null>();
  const transformed = defineAgent({
    ...base,
    outputSchema: z.object({ price: z.string().transform(Number), plan: z.string().default('Team') }),
    run: async () => ({ price: '1' }),
  });
  expectTypeOf(delegate(transformed).envelope)
    .resolves.toHaveProperty('final_result')
    .toEqualTypeOf<{ price: number; plan: string } | null>();
  const prose = delegate(defineAgent({ ...base, run: () => '' }));
  expectTypeOf(prose.envelope).resolves.toHaveProperty('final_result').toEqualTypeOf<unknown>();
});

test('a value that outputSchema would refuse is an error already', () => {
  defineAgent({
    ...base,
    outputSchema: z.object({ price: z.number() }),
    // @ts-expect-error price is no string
    run: async () => ({ price: 'one' }),
  });
});

test('a literal that run returns stays one, where the contract has an enum', () => {
  const outputSchema = z.object({ levels: z.array(z.object({ level: z.enum(['low', 'high']) })) });
  defineAgent({
    ...base,
    outputSchema,
    run: async (ctx) => (ctx.attempt === 1 ? 'no JSON' : { levels: [{ level: 'low' }] }),
  });
  defineAgent({
    ...base,
    outputSchema,
    async run(_ctx) {
      return { levels: [{ level: 'high' }] };
    },
  });
  defineAgent({
    ...base,
    inputSchema: z.object({ task: z.string() }),
    outputSchema: strictResearchResult,
    run: (ctx) => ({
      findings: [{ claim: ctx.input.task, provenance: ['a.ts'], confidence: 'verified' }],
      assumptions: [],
      unresolved: [],
      coverage: { searched: [], not_searched: [] },
      effort: { tool_calls: 0, budget_exhausted: false },
    }),
  });
  defineAgent({
    ...base,
    outputSchema,
    // @ts-expect-error it is not in the enum
    run: async (_ctx) => ({ levels: [{ level: 'middle' }] }),
  });
});

test('a definition is what defineAgent takes, its types known or not', () => {
  const named = <I extends AgentSchema, O extends AgentSchema>(definition: AgentDefinition<I, O>) =>
    defineAgent({ ...definition, name: 'b' });
  const agent = named({
    ...base,
    inputSchema: z.object({}),
    outputSchema: z.object({ n: z.number() }),
    run: () => ({ n: 1 }),
  });
  expectTypeOf(delegate(agent, {}).envelope)
    .resolves.toHaveProperty('final_result')
    .toEqualTypeOf<{ n: number } | null>();
});

test("TanStack AI's chat() takes ctx.seed and ctx.tools, and its stream is what run may return", () => {
  const adapter = {} as AnyTextAdapter;
  defineAgent({
    ...base,
    inputSchema: z.object({ task: z.string() }),
    outputSchema: z.object({ price: z.number() }),
    run: (ctx) =>
      chat({
        adapter,
        messages: ctx.seed([{ role: 'user', content: ctx.input.task }]),
        tools: [...ctx.tools],
        threadId: ctx.threadId,
        runId: ctx.runId,
      }),
  });
});

test('seed keeps the type of what it is given', () => {
  const ctx = {} as AgentContext;
  const seeded = ctx.seed([{ role: 'user', content: 'x' }]);
  expectTypeOf(seeded[0]).extract<{ role: 'user' }>().toHaveProperty('content').toEqualTypeOf<string>();
  // @ts-expect-error no such role
  ctx.seed([{ role: 'narrator', content: 'x' }]);
});
