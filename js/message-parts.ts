// The messages that a host or a page keeps, told in one way: TanStack AI's UI messages, its model messages, and the protocol's.
import { isRecord, records } from './wire.js';

/** A part of a message, as TanStack AI's UI messages have them: `text`, `tool-call`, `tool-result`, or what else there is. */
export type MessagePart = Record<string, unknown>;

/** What of a message is read. */
export interface MessageFields {
  role?: unknown;
  content?: unknown;
  parts?: unknown;
  toolCalls?: unknown;
  toolCallId?: unknown;
}

/** The parts of a message: what was said, and the calls and results in it. */
export function partsOf(message: MessageFields): MessagePart[] {
  const { role, content, toolCalls, toolCallId } = message;
  if ('parts' in message) return records(message.parts);
  if (role === 'tool') return [{ type: 'tool-result', toolCallId, content }];
  // Calls and results stand elsewhere: what else is in a content can only be media.
  const texts = records(content).filter(({ type }) => type === 'text');
  const said = typeof content === 'string' ? [{ type: 'text', content }] : texts;
  const calls = records(toolCalls).map(({ id, function: called }) => ({
    ...(isRecord(called) && called),
    type: 'tool-call',
    id,
  }));
  return [...said, ...calls];
}
