// What the pages of the documentation take as given: a model, tools, keys, a user. Each name stands for what an application has.
import { createOpenaiChat } from '@tanstack/ai-openai';
import memoryDriver from 'unstorage/drivers/memory';

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
