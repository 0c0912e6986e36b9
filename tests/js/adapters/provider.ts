// The real provider adapters of TanStack AI, each on a mock of its provider's API on loopback, which can be made to fail.
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import type { AnyTextAdapter } from '@tanstack/ai';
import { createAnthropicChat } from '@tanstack/ai-anthropic';
import { createOpenaiChat, createOpenaiChatCompletions } from '@tanstack/ai-openai';

/** Whose model is asked. */
export type Role = 'parent' | 'child';

export type Request = ChatCompletionRequest;

/** One turn: text, tool calls with their exact argument text, and what it is said to have cost. */
export interface Turn {
  text?: string;
  calls?: { id: string; name: string; arguments: string }[];
  tokens: [input: number, output: number];
}

export type Script = (request: Request) => Turn;

/** What an API key of these tests looks like: nothing of it may reach a browser. */
export const KEY = 'sk-proj-4f9aXq71LmZt0Kd83Wb52HvNe6RcUy';

export interface Adapter {
  name: string;
  models: Record<Role, string>;
  create(model: string, url: string): AnyTextAdapter;
  /** Whether input tokens arrive: the mock of Anthropic's API says them where its adapter does not look. */
  countsInput: boolean;
}

export const ADAPTERS: readonly Adapter[] = [
  {
    name: 'OpenAI Responses',
    models: { parent: 'gpt-4o', child: 'gpt-4o-mini' },
    countsInput: true,
    create: (model, url) => createOpenaiChat(model as 'gpt-4o', KEY, { baseURL: `${url}/v1`, maxRetries: 0 }),
  },
  {
    name: 'OpenAI Chat Completions',
    models: { parent: 'gpt-4o', child: 'gpt-4o-mini' },
    countsInput: true,
    create: (model, url) =>
      createOpenaiChatCompletions(model as 'gpt-4o', KEY, { baseURL: `${url}/v1`, maxRetries: 0 }),
  },
  {
    name: 'Anthropic',
    models: { parent: 'claude-sonnet-4-5', child: 'claude-haiku-4-5' },
    countsInput: false,
    create: (model, url) => createAnthropicChat(model as 'claude-sonnet-4-5', KEY, { baseURL: url, maxRetries: 0 }),
  },
];

/** What goes wrong: one of aimock's chaos modes, a stream that breaks off, or an answer in an error's place. */
export interface Fault {
  name: string;
  options?: NonNullable<Parameters<LLMock['on']>[2]>;
  error?: { status: number; message: string };
}

/** A provider that answers each role by its script, and one of its calls with a fault. */
export class Provider {
  readonly requests: Record<Role, Request[]> = { parent: [], child: [] };
  readonly #mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 8 });
  readonly #adapter: Adapter;

  private constructor(adapter: Adapter) {
    this.#adapter = adapter;
  }

  /** `broken`: which calls fail, and how. */
  static async start(
    adapter: Adapter,
    scripts: Record<Role, Script>,
    broken?: { role: Role; fault: Fault; which: (request: Request) => boolean },
  ): Promise<Provider> {
    const provider = new Provider(adapter);
    const mock = provider.#mock;
    for (const role of ['parent', 'child'] as const) {
      const model = adapter.models[role];
      const answer = (request: Request) => {
        provider.requests[role].push(structuredClone(request));
        return answerOf(scripts[role](request));
      };
      if (broken?.role === role) {
        const { error, options = {} } = broken.fault;
        const wrong = error ? { error: { message: error.message, type: 'api_error' }, status: error.status } : answer;
        mock.on({ model, predicate: broken.which }, wrong, options);
      }
      mock.on({ model }, answer);
    }
    await mock.start();
    return provider;
  }

  adapter(role: Role): AnyTextAdapter {
    return this.#adapter.create(this.#adapter.models[role], this.#mock.url);
  }

  stop(): Promise<void> {
    return this.#mock.stop();
  }
}

function answerOf({ text, calls, tokens: [input, output] }: Turn) {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  };
  if (calls === undefined) return { content: text ?? '', usage };
  return { ...(text !== undefined && { content: text }), toolCalls: calls, usage };
}

/** The tool results that a model has been shown, by call id. */
export function toolResults({ messages }: Request): Record<string, string> {
  const results: Record<string, string> = {};
  for (const { role, tool_call_id: id, content } of messages) {
    if (role !== 'tool' || id === undefined) continue;
    results[id] = typeof content === 'string' ? content : JSON.stringify(content);
  }
  return results;
}
