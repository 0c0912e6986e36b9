// A model behind an OpenAI-compatible endpoint: one streamed turn, with fetch alone.
import { type AssembledToolCall, assembleToolCalls, type HistoryMessage, type ToolCallDelta } from 'subcontract';

export interface Endpoint {
  baseURL: string;
  apiKey: string;
  model: string;
}

/** A tool that the loop runs. `args` is the argument text to the letter. */
export interface LoopTool {
  name: string;
  description: string;
  inputSchema: object;
  execute(args: string, context: { toolCallId: string }): Promise<string>;
}

/** What comes of a turn: deltas as they arrive, then how it ended. */
export type Piece =
  | { type: 'text'; delta: string }
  | { type: 'call'; call: AssembledToolCall; delta: string }
  | { type: 'end'; calls: readonly AssembledToolCall[]; finishReason: string | undefined; usage: Usage | undefined };

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
}

interface Chunk {
  choices?: { delta?: { content?: string | null; tool_calls?: ToolCallDelta[] }; finish_reason?: string | null }[];
  usage?: Usage | null;
}

/** One turn of the model, streamed. Throws what the endpoint answers instead of a stream, by its status alone. */
export async function* turn(
  { baseURL, apiKey, model }: Endpoint,
  messages: readonly HistoryMessage[],
  tools: readonly LoopTool[],
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: messages.map(onTheWire),
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
    signal,
  });
  if (!response.ok || response.body === null) throw new Error(`the model's endpoint answered ${response.status}`);

  const assembly = assembleToolCalls();
  let usage: Usage | undefined;
  for await (const data of serverSentEvents(response.body)) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data) as Chunk;
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices ?? [];
    if (choice?.delta?.content) yield { type: 'text', delta: choice.delta.content };
    for (const delta of choice?.delta?.tool_calls ?? []) {
      const before = delta.function?.arguments;
      const call = assembly.push(delta);
      if (call) yield { type: 'call', call, delta: typeof before === 'string' ? before : '' };
    }
    if (choice?.finish_reason) assembly.push({ finish_reason: choice.finish_reason });
  }
  // A call that made no sense is not run.
  const unsound = new Set(assembly.faults.map(({ id }) => id));
  const calls = assembly.end().filter(({ id }) => !unsound.has(id));
  yield { type: 'end', calls, finishReason: assembly.finishReason, usage };
}

/** The `data` of each frame. */
async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
    }
  }
}

/** A message as Chat Completions has it. */
function onTheWire(message: HistoryMessage): object {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls } = message;
      return { role: 'assistant', content, ...(toolCalls && { tool_calls: toolCalls }) };
    }
    default:
      return message;
  }
}
