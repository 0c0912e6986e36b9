// Reads back, from the messages that a page kept, the delegating calls and what came of them.
import { parsedJson } from '../json-text.js';
import { partsOf } from '../message-parts.js';
import { assertList } from '../misuse.js';
import { isOpen } from '../open-call.js';
import { suspendedEnvelopeIn } from '../tanstack/replay.js';
import { isRecord, textOf } from '../wire.js';
import { contentText } from './tool-call.js';
import { valueText } from './value-text.js';

/** A tool call in messages. */
export interface ReadCall {
  id: string;
  name: string;
  args: string;
  /** The subagent whose message it stands in; absent for the parent's. */
  owner: string | undefined;
  /** The text of its result. */
  result?: string;
  /** The envelope of the suspended child that it waits for. */
  suspended?: unknown;
}

/** What messages say of subagents. */
export interface ReadMessages {
  calls: ReadCall[];
  /** The latest words of each subagent. */
  words: Map<string, string>;
}

/**
 * Reads the messages of TanStack AI (`UIMessage`, `ModelMessage`) and of AG-UI. They come out of a store or from a server:
 * what is no message is passed over.
 */
export function readMessages(messages: readonly unknown[]): ReadMessages {
  assertList('messages', messages);
  const calls = new Map<string, ReadCall>();
  const words = new Map<string, string>();
  const open = (id: unknown, name: unknown, args: unknown, owner: string | undefined) => {
    if (typeof id !== 'string' || typeof name !== 'string') return;
    calls.set(id, { id, name, args: valueText(args ?? {}), owner });
  };
  const settle = (id: unknown, content: unknown) => {
    const call = typeof id === 'string' ? calls.get(id) : undefined;
    if (call === undefined || content === undefined) return;
    const text = contentText(content);
    const envelope = suspendedEnvelopeIn(text);
    delete call.result;
    delete call.suspended;
    if (envelope !== undefined) call.suspended = parsedJson(envelope);
    else if (!isOpen(text)) call.result = text;
  };
  for (const message of messages) {
    if (!isRecord(message)) continue;
    const owner = textOf(message.subagentRunId);
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        open(part.id, part.name, part.arguments, owner);
        settle(part.id, part.output);
      } else if (part.type === 'tool-result') {
        settle(part.toolCallId, part.content);
      }
    }
    if (owner !== undefined && message.role === 'assistant' && typeof message.content === 'string') {
      if (message.content !== '') words.set(owner, message.content);
    }
  }
  return { calls: [...calls.values()], words };
}
