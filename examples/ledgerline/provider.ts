// The model's endpoint: an OpenAI-compatible provider, or the scripted mock on loopback. One code path, another base URL.
import type { AnyTextAdapter } from '@tanstack/ai';
import { openaiCompatibleText } from '@tanstack/ai-openai/compatible';
import { startScriptedModel } from './script/server.js';

/** A message as it went over the wire (Chat Completions). */
export interface WireMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface Provider {
  scripted: boolean;
  /** What the run says it talked to. */
  label: string;
  adapter: AnyTextAdapter;
  /** The messages of every request, in the order of sending: what the figures are counted on. */
  requests: WireMessage[][];
  stop(): Promise<void>;
}

const SCRIPTED = { model: 'scripted', key: 'none' };

/** With OPENAI_API_KEY the run uses that provider (OPENAI_BASE_URL, OPENAI_MODEL); else the script. */
export async function connect(env: NodeJS.ProcessEnv, chunkDelayMs: number): Promise<Provider> {
  const requests: WireMessage[][] = [];
  // The adapter's own transport, which keeps a copy of what it sends.
  const recordingFetch: typeof fetch = (input, init) => {
    if (typeof init?.body === 'string') {
      const { messages } = JSON.parse(init.body) as { messages?: WireMessage[] };
      if (messages !== undefined) requests.push(messages);
    }
    return fetch(input, init);
  };
  const adapterFor = (model: string, baseURL: string, apiKey: string) =>
    openaiCompatibleText(model, { baseURL, apiKey, fetch: recordingFetch });

  if (env.OPENAI_API_KEY) {
    const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    const model = env.OPENAI_MODEL || 'gpt-5-mini';
    return {
      scripted: false,
      label: `${model} at ${new URL(baseURL).host}`,
      adapter: adapterFor(model, baseURL, env.OPENAI_API_KEY),
      requests,
      stop: async () => {},
    };
  }
  const server = await startScriptedModel(chunkDelayMs);
  return {
    scripted: true,
    label: 'scripted turns, served by aimock on loopback',
    adapter: adapterFor(SCRIPTED.model, server.baseURL, SCRIPTED.key),
    requests,
    stop: server.stop,
  };
}
