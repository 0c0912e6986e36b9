// Keeps the text of a tool call's arguments: 0.58 replaces it by JSON.stringify of what an adapter parsed, which rounds large integers.
import type { AdapterYieldChunk, AnyTextAdapter } from '@tanstack/ai';
import { parsedJson } from '../json-text.js';
import { withChatStream } from './adapter.js';

/** Where the exact argument texts go, and for which tools. */
export interface ArgumentTexts {
  /** Whether the texts of this tool's calls are kept. */
  has(toolName: string): boolean;
  /** Argument text by tool call id. */
  readonly texts: Map<string, string>;
}

/** The same adapter, whose calls of the named tools keep their argument text. */
export function withExactArguments<A extends AnyTextAdapter>(adapter: A, kept: ArgumentTexts): A {
  return withChatStream(adapter, (options) => exactly(adapter.chatStream(options), kept));
}

async function* exactly(
  chunks: AsyncIterable<AdapterYieldChunk>,
  kept: ArgumentTexts,
): AsyncIterable<AdapterYieldChunk> {
  for await (const chunk of chunks) {
    if (chunk.type === 'TOOL_CALL_START' && kept.has(chunk.toolCallName ?? chunk.toolName)) {
      kept.texts.set(chunk.toolCallId, '');
    } else if (chunk.type === 'TOOL_CALL_ARGS') {
      const before = kept.texts.get(chunk.toolCallId);
      if (before !== undefined) kept.texts.set(chunk.toolCallId, chunk.args || before + chunk.delta);
    } else if (chunk.type === 'TOOL_CALL_END') {
      const text = kept.texts.get(chunk.toolCallId);
      if (text !== undefined) {
        yield ended(chunk, text, kept);
        continue;
      }
    }
    yield chunk;
  }
}

function ended(chunk: AdapterYieldChunk, text: string, kept: ArgumentTexts): AdapterYieldChunk {
  const { input, ...rest } = chunk;
  if (text.trim() === '') {
    // Either there are no arguments, or the adapter streams no deltas and hands over the parsed input only.
    if ('toolCallId' in chunk) kept.texts.set(String(chunk.toolCallId), JSON.stringify(input ?? {}));
    return chunk;
  }
  // With no `input` the engine keeps the text it has seen. Text that is no JSON never reaches a
  // tool in 0.58; an empty input lets the call through to the tool, which judges the text.
  return (parsedJson(text) === undefined ? { ...rest, input: {} } : rest) as AdapterYieldChunk;
}
