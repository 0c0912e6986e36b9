// What defineAgent returns is TanStack AI's DefinedAgent, of 0.59 and of the newest: with and without schemas and tools.
import { type Tool, toolDefinition } from '@tanstack/ai';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { compileContract, defineAgent, strictResearchResult } from 'subcontract';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { DefinedAgent059, DefinedAgentNewest, RunContextNewest } from './shapes.js';

const base = { name: 'a', description: 'b', run: () => '' } as const;
const brief = z.object({ task: z.string() });
const price = z.object({ price: z.number() });
const search = toolDefinition({ name: 'search', description: 'd', inputSchema: z.object({ q: z.string() }) });

const bare = defineAgent(base);
const briefed = defineAgent({ ...base, inputSchema: brief });
const typed = defineAgent({ ...base, inputSchema: brief, outputSchema: price, run: async () => ({ price: 1 }) });
const plain = defineAgent({
  ...base,
  inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
  outputSchema: { type: 'object' },
});
const ark = defineAgent({ ...base, inputSchema: type({ task: 'string' }) });
const valibot = defineAgent({ ...base, inputSchema: toStandardJsonSchema(v.object({ task: v.string() })) });
const compiled = defineAgent({
  ...base,
  inputSchema: compileContract(brief),
  outputSchema: compileContract(price),
  run: async () => ({ price: 1 }),
});
const research = defineAgent({ ...base, inputSchema: brief, outputSchema: strictResearchResult });
const tooled = defineAgent({ ...base, tools: [search.server(() => ({})), search.client()] });
const widely = defineAgent({ ...base, tools: [] as Tool[] });

const constant = defineAgent({
  ...base,
  inputSchema: { type: 'object', properties: { task: true }, required: ['task'] } as const,
  outputSchema: { enum: ['a', 'b'] } as const,
});

/** As `chat({ subagents: { agents } })` takes them, of each version. */
const chat059 = (_agents: ReadonlyArray<DefinedAgent059>) => {};
const chatNewest = (_agents: ReadonlyArray<DefinedAgentNewest>) => {};

test('each is a DefinedAgent of 0.59', () => {
  chat059([bare, briefed, typed, plain, ark, valibot, compiled, research, constant, tooled, widely]);
});

test('each is a DefinedAgent of the newest', () => {
  chatNewest([bare, briefed, typed, plain, ark, valibot, compiled, research, constant, tooled, widely]);
});

test('its input is the inputSchema’s for the host, and none without one', () => {
  expectTypeOf(briefed).toExtend<DefinedAgentNewest<string, readonly [], undefined, typeof brief>>();
  expectTypeOf(bare).toExtend<DefinedAgentNewest<string, readonly [], undefined, undefined>>();
  expectTypeOf<RunContextNewest<typeof brief>['input']>().toEqualTypeOf<{ task: string }>();
  expectTypeOf<RunContextNewest<undefined>['input']>().toEqualTypeOf<undefined>();
});

test('its tools and its outputSchema keep their types, by which a host types its parts', () => {
  expectTypeOf(tooled.tools).not.toBeAny();
  expectTypeOf<NonNullable<(typeof tooled)['tools']>[number]['name']>().toEqualTypeOf<'search'>();
  expectTypeOf<NonNullable<(typeof typed)['outputSchema']>>().toEqualTypeOf<typeof price>();
});

test('what is no agent is still none, and a schema that is a text is for delegate alone', () => {
  // @ts-expect-error it has no run
  chatNewest([{ name: 'a', description: 'b' }]);
  const text = defineAgent({ ...base, outputSchema: '{"type":"object"}' });
  // @ts-expect-error a host takes no text for a schema
  chatNewest([text]);
});
