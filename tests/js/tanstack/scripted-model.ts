// A model whose turns are written down: aimock on loopback, behind the real OpenAI adapters.
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { createOpenaiChat, createOpenaiChatCompletions } from '@tanstack/ai-openai';

/** One turn: text, tool calls with their exact argument text, and what it is said to have cost. */
export interface Turn {
  text?: string;
  reasoning?: string;
  calls?: { id: string; name: string; arguments: string }[];
  tokens?: [input: number, output: number];
}

export type Request = ChatCompletionRequest;
export type Script = (request: Request, turn: number) => Turn | Promise<Turn>;

/** The two adapters of `@tanstack/ai-openai`. */
export const ADAPTERS = [
  ['Responses', createOpenaiChat],
  ['Chat Completions', createOpenaiChatCompletions],
] as const;

type CreateAdapter = (typeof ADAPTERS)[number][1];

/** The model that stands for each role. */
export const MODELS = { parent: 'gpt-4o', child: 'gpt-4o-mini' } as const;
export type Role = keyof typeof MODELS;

/** A running mock: an adapter for each role, and the requests each has made. */
export class ScriptedModels {
  readonly requests: Record<Role, Request[]> = { parent: [], child: [] };
  readonly #mock = new LLMock({ port: 0, logLevel: 'silent' });

  private constructor(
    private readonly create: CreateAdapter,
    scripts: Record<Role, Script>,
  ) {
    for (const role of ['parent', 'child'] as const) {
      this.#mock.on({ model: MODELS[role] }, async (request) => {
        const turn = this.requests[role].push(structuredClone(request));
        return response(await scripts[role](request, turn));
      });
    }
  }

  static async start(create: CreateAdapter, scripts: Record<Role, Script>) {
    const models = new ScriptedModels(create, scripts);
    await models.#mock.start();
    return models;
  }

  /** What an adapter elsewhere is given: its endpoint, and the models by role. */
  get baseURL(): string {
    return `${this.#mock.url}/v1`;
  }

  adapter(role: Role) {
    return this.create(MODELS[role], 'no-key', { baseURL: this.baseURL, maxRetries: 0 });
  }

  stop() {
    return this.#mock.stop();
  }
}

function response({ text, reasoning, calls, tokens }: Turn) {
  const [input, output] = tokens ?? [10, 5];
  const common = {
    ...(reasoning === undefined ? {} : { reasoning }),
    // The two APIs have different names for the same counts.
    usage: {
      input_tokens: input,
      output_tokens: output,
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
    },
  };
  if (calls === undefined) return { content: text ?? '', ...common };
  return { ...(text === undefined ? {} : { content: text }), toolCalls: calls, ...common };
}

/** The tool results a model has been shown, by call id. */
export function toolResults(request: Request | undefined): Record<string, string> {
  const results: Record<string, string> = {};
  for (const message of request?.messages ?? []) {
    if (message.role !== 'tool' || message.tool_call_id === undefined) continue;
    results[message.tool_call_id] =
      typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  }
  return results;
}

/** Whether the model has been shown any tool result. */
export function hasResult(request: Request): boolean {
  return request.messages.some(({ role }) => role === 'tool');
}
