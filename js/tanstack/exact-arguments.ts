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
  for await (const chunk of chunks) yield exact(chunk, kept);
}

function exact(chunk: AdapterYieldChunk, { has, texts }: ArgumentTexts): AdapterYieldChunk {
  if (chunk.type === 'TOOL_CALL_START' && has(chunk.toolCallName ?? chunk.toolName)) texts.set(chunk.toolCallId, '');
  if (chunk.type !== 'TOOL_CALL_ARGS' && chunk.type !== 'TOOL_CALL_END') return chunk;
  const { toolCallId } = chunk;
  const text = texts.get(toolCallId);
  if (text === undefined) return chunk;
  if (chunk.type === 'TOOL_CALL_ARGS') {
    texts.set(toolCallId, chunk.args || text + chunk.delta);
    return chunk;
  }
  const { input, ...rest } = chunk;
  if (text.trim() === '') {
    // Either there are no arguments, or the adapter streams no deltas and hands over the parsed input only.
    texts.set(toolCallId, JSON.stringify(input ?? {}));
    return chunk;
  }
  // With no `input` the engine keeps the text it has seen. Text that is no JSON never reaches a
  // tool in 0.58; an empty input lets the call through to the tool, which judges the text.
  return (parsedJson(text) === undefined ? { ...rest, input: {} } : rest) as AdapterYieldChunk;
}
