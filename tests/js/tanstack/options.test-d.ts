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

test('what is not there yet is no option', () => {
  // @ts-expect-error no router
  const routed: SubagentsOptions = { agents: [plain], seal: 'none', router: () => 'main' };
  expectTypeOf(routed).toBeObject();
  chatWithSubagents({
    adapter,
    subagents: { agents: [plain], seal: 'none' },
    // @ts-expect-error the parent of subagents answers in text
    outputSchema: z.object({}),
  });
});
