// What the types of chatWithSubagents ask for.
import { createOpenaiChat } from '@tanstack/ai-openai';
import { type AGUIEvent, defineAgent } from 'subcontract';
import { chatWithSubagents, type SubagentsOptions } from 'subcontract/tanstack';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const adapter = createOpenaiChat('gpt-4o', 'key');
const typed = defineAgent({
  name: 'typed',
  description: 'd',
  inputSchema: z.object({ task: z.string() }),
  outputSchema: z.object({ price: z.number() }),
  run: (context) => ({ price: context.input.task.length }),
});
const plain = defineAgent({ name: 'plain', description: 'd', run: () => 'text' });

test('agents of any schemas stand side by side', () => {
  const stream = chatWithSubagents({
    adapter,
    messages: [{ role: 'user', content: 'hi' }],
    modelOptions: { temperature: 0 },
    subagents: { agents: [typed, plain], seal: 'none' },
  });
  expectTypeOf(stream).toEqualTypeOf<AsyncGenerator<AGUIEvent, void, undefined>>();
});

test('nobody is unsealed by accident', () => {
  // @ts-expect-error seal is required
  const unsaid: SubagentsOptions = { agents: [typed] };
  // @ts-expect-error and it needs keys
  const sealed: SubagentsOptions = { agents: [typed], seal: {} };
  expectTypeOf([unsaid, sealed]).toBeArray();
});

test('a router says who takes a turn', () => {
  const routed: SubagentsOptions = {
    agents: [plain, typed],
    seal: 'none',
    router: ({ messages, agents, abortSignal }) => {
      expectTypeOf(agents[0]?.name).toEqualTypeOf<string | undefined>();
      expectTypeOf(abortSignal).toEqualTypeOf<AbortSignal>();
      if (messages.length > 3) return 'main';
      return { steps: [['plain', { name: 'typed', input: { task: 't' } }], { names: 'plain', order: 'sequence' }] };
    },
    strategy: 'handoff',
    order: 'sequence',
    limits: { maxDepth: 2, maxConcurrent: 4, timeoutMs: 60_000 },
  };
  expectTypeOf(routed).toBeObject();
  // @ts-expect-error it picks by name
  const numbered: SubagentsOptions = { agents: [plain], seal: 'none', router: () => 1 };
  expectTypeOf(numbered).toBeObject();
});

test('the parent of subagents answers in text', () => {
  chatWithSubagents({
    adapter,
    subagents: { agents: [plain], seal: 'none' },
    // @ts-expect-error no outputSchema
    outputSchema: z.object({}),
  });
});
