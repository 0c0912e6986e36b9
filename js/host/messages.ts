// A child's own messages among those that a host replays: what it said, called and was answered before it was suspended.
import type { ToolCall } from '../ag-ui/events.js';
import type { HistoryMessage } from '../child/history.js';
import { outwardId } from '../child/names.js';
import { type MessagePart, partsOf } from '../message-parts.js';
import { isOpen } from '../open-call.js';
import { isRecord, records, textOf } from '../wire.js';

/**
 * The child's own messages, under the ids that its provider gave its calls.
 *
 * A host puts the parent's messages in front. The child's begin with the first that has an id of the child's; they may be
 * model messages, the protocol's, or TanStack AI's UI messages. Of reasoning, and of media, nothing is taken.
 */
export function ownMessages(messages: readonly unknown[], subagentRunId: string): HistoryMessage[] {
  const prefix = outwardId(subagentRunId, '');
  const all = messages.map((message) => (isRecord(message) ? message : {}));
  const start = all.findIndex((message) => idsOf(message).some((id) => id.startsWith(prefix)));
  if (start < 0) return [];
  const inward = (id: string) => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
  return all.slice(start).flatMap((message) => historyOf(message, inward));
}

type Fields = Record<string, unknown>;
type Inward = (id: string) => string;

function idsOf(message: Fields): string[] {
  const ids = partsOf(message).flatMap(({ id, toolCallId }) => [id, toolCallId]);
  return [message.id, ...ids].filter((value) => typeof value === 'string');
}

/** A UI message holds its calls and their results together; a provider takes each result behind the call's message. */
function historyOf(message: Fields, inward: Inward): HistoryMessage[] {
  const { role } = message;
  const all = partsOf(message);
  if (role === 'user') return [{ role, content: all.map(saidIn).join('') }];
  if (role !== 'assistant' && role !== 'tool') return [];
  const out: HistoryMessage[] = [];
  let said = '';
  let calls: ToolCall[] = [];
  let answers: HistoryMessage[] = [];
  const flush = () => {
    out.push(...assistant(said, calls), ...answers);
    said = '';
    calls = [];
    answers = [];
  };
  for (const part of all) {
    if (part.type === 'text') {
      if (answers.length > 0) flush();
      said += saidIn(part);
    } else if (part.type === 'tool-call') {
      if (answers.length > 0) flush();
      calls.push(...callOf(part.id, part.name, part.arguments, inward));
    } else if (part.type === 'tool-result' && typeof part.toolCallId === 'string') {
      answers.push(...answer(part.toolCallId, contentIn(part.content), inward));
    }
  }
  flush();
  return out;
}

function assistant(text: string, toolCalls: ToolCall[]): HistoryMessage[] {
  if (text === '' && toolCalls.length === 0) return [];
  return [{ role: 'assistant', content: text === '' ? null : text, ...(toolCalls.length > 0 && { toolCalls }) }];
}

/** The result of a call. What marks a call as still open is none. */
function answer(toolCallId: string, content: string, inward: Inward): HistoryMessage[] {
  return isOpen(content) ? [] : [{ role: 'tool', toolCallId: inward(toolCallId), content }];
}

function callOf(id: unknown, name: unknown, args: unknown, inward: Inward): ToolCall[] {
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  return [{ id: inward(id), type: 'function', function: { name, arguments: typeof args === 'string' ? args : '' } }];
}

function contentIn(content: unknown): string {
  return typeof content === 'string' ? content : records(content).map(saidIn).join('');
}

/** What a part says: a text, in one place or the other; of all else nothing is taken. */
function saidIn({ type, text, content }: MessagePart): string {
  return type === 'text' ? (textOf(text) ?? textOf(content) ?? '') : '';
}
