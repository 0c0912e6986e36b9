// Reads back, from the messages that a client replays, the tool calls of the thread and the children that wait in them.
import type { ModelMessage, UIMessage } from '@tanstack/ai';
import { SubcontractError } from '../errors.js';
import { partsOf } from '../message-parts.js';
import { readOpen } from '../open-call.js';
import { isCall } from '../resume.js';
import { defined, isListOf, isRecord } from '../wire.js';

/** A tool call found in replayed messages. */
export interface ReplayedCall {
  toolName: string;
  /** The argument text as replayed; `{}` for a blank one, which some providers send for no arguments. */
  argumentsText: string;
  /** The envelope of the suspended child that the call waits for, if one does. */
  suspendedEnvelope?: string;
}

const MARKER = 'subcontract';

/**
 * The content of the tool message of a suspended child. 0.58 takes a tool message with
 * `pendingExecution: true` as open: the call runs again on a resume and its result replaces the
 * message. The envelope rides as a string, so that no JSON round trip on the way touches its numbers.
 */
export function suspendedContent(envelopeText: string): string {
  return JSON.stringify({ pendingExecution: true, [MARKER]: envelopeText });
}

/** The same of a child that was not started yet, because one before it waits. */
export const NOT_STARTED = JSON.stringify({ pendingExecution: true, [MARKER]: null });

/** Whether a tool message's content is that of a child that waits, for a person or for another child. */
export function isWaitingContent(content: unknown): boolean {
  return Object.hasOwn(readOpen(content) ?? {}, MARKER);
}

/** Every tool call of the messages, by id. Throws a `SubcontractError` `messages_malformed`: they come from a client. */
export function readReplay(messages: readonly (UIMessage | ModelMessage)[] = []): Map<string, ReplayedCall> {
  if (!Array.isArray(messages)) throw malformed('messages must be a list');
  const at = messages.findIndex((message) => !isMessage(message));
  if (at >= 0) throw malformed(`the message at ${at} is malformed`);
  const calls = new Map<string, ReplayedCall>();
  for (const message of messages) {
    for (const part of partsOf(message) as CallPart[]) {
      if (part.type === 'tool-call') {
        calls.set(part.id, { toolName: part.name, argumentsText: part.arguments.trim() ? part.arguments : '{}' });
      } else if (part.type === 'tool-result') {
        const call = calls.get(part.toolCallId);
        const suspendedEnvelope = suspendedEnvelopeIn(part.content);
        if (call) calls.set(part.toolCallId, defined<ReplayedCall>({ ...call, suspendedEnvelope }));
      }
    }
  }
  return calls;
}

/** What is looked at in a message that {@link isMessage} has passed. */
type CallPart =
  | { type: 'tool-call'; id: string; name: string; arguments: string }
  | { type: 'tool-result'; toolCallId: string; content: unknown }
  | { type: 'text' };

/** Whether it can be read. What else is in it is for `chat()` to take or to refuse. */
function isMessage(message: unknown): boolean {
  if (!isRecord(message) || typeof message.role !== 'string') return false;
  const { role, content, toolCalls } = message;
  if ('parts' in message)
    return isListOf(message.parts, (part) => part.type !== 'tool-call' || isCall({ id: part.id, function: part }));
  const readable = typeof content === 'string' || role === 'activity' || isListOf(content ?? []);
  return readable && isListOf(toolCalls ?? [], isCall);
}

function malformed(message: string): SubcontractError {
  return new SubcontractError(message, { code: 'messages_malformed' });
}

/** The envelope in the content of a suspended child's tool message; nothing for any other content. */
export function suspendedEnvelopeIn(content: unknown): string | undefined {
  const envelope = readOpen(content)?.[MARKER];
  return typeof envelope === 'string' ? envelope : undefined;
}
