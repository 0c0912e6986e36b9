// What the pages of the documentation take as given: a model, tools, keys, a user. Each name stands for what an application has.
import { toolDefinition } from '@tanstack/ai';
import { createOpenaiChat } from '@tanstack/ai-openai';
import { defineAgent, type SubcontractAgent } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import memoryDriver from 'unstorage/drivers/memory';
import { z } from 'zod';

/** Which block of the page runs, and what each has printed. */
export const printed: string[][] = [];

/** A block begins. */
export function began(index: number): void {
  printed[index] = [];
}

/** Any text adapter of TanStack AI; nobody asks this one. */
export const adapter = createOpenaiChat('gpt-4o', 'no-key', { baseURL: 'http://127.0.0.1:9' });

/** The child's own tools. */
export const searchTools: [] = [];

/** 32 random bytes, from the server's configuration. */
export const secret: Uint8Array = new Uint8Array(32).fill(7);

/** Keys to seal with. */
export const keys: { id: string; secret: Uint8Array }[] = [{ id: '2026-11', secret }];

/** Who is signed in. */
export const user = { id: 'u-1' };

/** The application's own tokenizer. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** A secret from the environment. */
export const fromBase64 = (_text: string | undefined): Uint8Array => secret;

/** unstorage's. */
export { createStorage } from 'unstorage';

/** A driver of unstorage's. */
export const driver = memoryDriver();

/** A client of a store that can set a key once. */
export const redis = {
  set: async (_key: string, _value: string, ..._options: (string | number | undefined)[]): Promise<string | null> =>
    'OK',
};

/** The thread, the run, and what was said so far. */
export const threadId = 't-1';
export const runId = 'r-1';
export const messages: { role: 'user'; content: string }[] = [{ role: 'user', content: 'What do A and B cost?' }];

/** Agents of an application, and code of its own. */
export const pricer: SubcontractAgent = defineAgent({
  name: 'pricer',
  description: 'Finds a price.',
  inputSchema: { type: 'object', properties: { vendor: { type: 'string' } }, required: ['vendor'] },
  run: async () => '10',
}) as never;
export const writer: SubcontractAgent = defineAgent({
  name: 'writer',
  description: 'Writes it down.',
  run: async () => 'Ten.',
}) as never;
export const vendorsIn = (_message: unknown): string[] => ['A', 'B'];

/** Whatever shows the children's events. */
export const cards = { push: (_event: AGUIEvent): void => {} };

/** The definition of a tool that a child needs approved. */
export const fetchPage = toolDefinition({
  name: 'fetch_page',
  description: 'Fetches a page',
  needsApproval: true,
  inputSchema: z.object({ url: z.string() }),
});
