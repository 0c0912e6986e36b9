// A child's own messages among those that a host replays: what it said, called and was answered before it was suspended.
import type { ToolCall } from '../ag-ui/events.js';
import type { HistoryMessage } from '../child/history.js';
import { outwardId } from '../child/names.js';
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
  return all
    .slice(start)
    .flatMap((message) => ('parts' in message ? fromUI(message, inward) : fromModel(message, inward)));
}

type Fields = Record<string, unknown>;
type Inward = (id: string) => string;

function idsOf({ id, toolCallId, toolCalls, parts }: Fields): string[] {
  const calls = [...records(toolCalls), ...records(parts)].flatMap((call) => [call.id, call.toolCallId]);
  return [id, toolCallId, ...calls].filter((value) => typeof value === 'string');
}

function fromModel({ role, content, toolCalls, toolCallId }: Fields, inward: Inward): HistoryMessage[] {
  const text = saidIn(content);
  if (role === 'user') return [{ role, content: text }];
  if (role === 'tool' && typeof toolCallId === 'string') return answer(toolCallId, text, inward);
  if (role !== 'assistant') return [];
  const calls = records(toolCalls).flatMap(({ id, function: called }) => {
    const { name, arguments: args } = isRecord(called) ? called : {};
    return callOf(id, name, args, inward);
  });
  return assistant(text, calls);
}

/** A UI message holds its calls and their results together; a provider takes each result behind the call's message. */
function fromUI({ role, parts }: Fields, inward: Inward): HistoryMessage[] {
  const all = records(parts);
  const text = saidIn(all);
  if (role === 'user') return [{ role, content: text }];
  if (role !== 'assistant') return [];
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
      said += saidIn(part.content);
    } else if (part.type === 'tool-call') {
      if (answers.length > 0) flush();
      calls.push(...callOf(part.id, part.name, part.arguments, inward));
    } else if (part.type === 'tool-result' && typeof part.toolCallId === 'string') {
      answers.push(...answer(part.toolCallId, saidIn(part.content), inward));
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

function saidIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return records(content)
    .map(({ type, text, content: inner }) => (type === 'text' ? (textOf(text) ?? textOf(inner) ?? '') : ''))
    .join('');
}
