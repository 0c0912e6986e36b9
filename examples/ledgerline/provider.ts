// The model's endpoint: an OpenAI-compatible provider, or the scripted mock on loopback. One code path, another base URL.
import type { AnyTextAdapter } from '@tanstack/ai';
import { openaiCompatibleText } from '@tanstack/ai-openai/compatible';
import { startScriptedModel } from './script/server.js';
import type { Script } from './script/turn.js';

/** A message as it went over the wire (Chat Completions). */
export interface WireMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** The model as one conversation uses it. */
export interface Line {
  adapter: AnyTextAdapter;
  /** The messages of every request, in the order of sending: what the figures are counted on. */
  requests: WireMessage[][];
}

export interface Provider {
  scripted: boolean;
  /** What the run says it talked to. */
  label: string;
  /** A line of its own, whose requests are kept apart from those of others. */
  open(): Line;
  stop(): Promise<void>;
}

const SCRIPTED = { model: 'scripted', key: 'none' };

/** With OPENAI_API_KEY the run uses that provider (OPENAI_BASE_URL, OPENAI_MODEL); else the script. */
export async function connect(
  env: NodeJS.ProcessEnv,
  { chunkDelayMs, scripts }: { chunkDelayMs: number; scripts?: Script[] },
): Promise<Provider> {
  if (env.OPENAI_API_KEY) {
    const baseURL = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    const model = env.OPENAI_MODEL || 'gpt-5-mini';
    const apiKey = env.OPENAI_API_KEY;
    return {
      scripted: false,
      label: `${model} at ${new URL(baseURL).host}`,
      open: () => recordedLine(model, baseURL, apiKey),
      stop: async () => {},
    };
  }
  const server = await startScriptedModel(chunkDelayMs, scripts);
  return {
    scripted: true,
    label: 'scripted turns, served by aimock on loopback',
    open: () => recordedLine(SCRIPTED.model, server.baseURL, SCRIPTED.key),
    stop: server.stop,
  };
}

/** The adapter's own transport, which keeps a copy of what it sends. */
function recordedLine(model: string, baseURL: string, apiKey: string): Line {
  const requests: WireMessage[][] = [];
  const recordingFetch: typeof fetch = (input, init) => {
    if (typeof init?.body === 'string') {
      const { messages } = JSON.parse(init.body) as { messages?: WireMessage[] };
      if (messages !== undefined) requests.push(messages);
    }
    return fetch(input, init);
  };
  return { adapter: openaiCompatibleText(model, { baseURL, apiKey, fetch: recordingFetch }), requests };
}
