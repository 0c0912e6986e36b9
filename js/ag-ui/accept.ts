// Accepts what a child yields as an AG-UI event, or says why it is none.

import { isRecord } from '../wire.js';
import type { AGUIEvent, AGUIEventType } from './events.js';

/** What a required field holds. */
export type RequiredKind = 'string' | 'any' | 'array' | 'object' | 'content';

/** The fields each event must have; a client rejects the whole stream over one that is missing. */
export const REQUIRED: { readonly [T in AGUIEventType]: Readonly<Record<string, RequiredKind>> } = {
  TEXT_MESSAGE_START: { messageId: 'string' },
  TEXT_MESSAGE_CONTENT: { messageId: 'string', delta: 'string' },
  TEXT_MESSAGE_END: { messageId: 'string' },
  TEXT_MESSAGE_CHUNK: {},
  TOOL_CALL_START: { toolCallId: 'string', toolCallName: 'string' },
  TOOL_CALL_ARGS: { toolCallId: 'string', delta: 'string' },
  TOOL_CALL_END: { toolCallId: 'string' },
  TOOL_CALL_CHUNK: {},
  TOOL_CALL_RESULT: { messageId: 'string', toolCallId: 'string', content: 'content' },
  STATE_SNAPSHOT: { snapshot: 'any' },
  STATE_DELTA: { delta: 'array' },
  MESSAGES_SNAPSHOT: {},
  ACTIVITY_SNAPSHOT: { messageId: 'string', activityType: 'string', content: 'object' },
  ACTIVITY_DELTA: { messageId: 'string', activityType: 'string', patch: 'array' },
  RAW: { event: 'any' },
  CUSTOM: { name: 'string', value: 'any' },
  RUN_STARTED: {},
  RUN_FINISHED: {},
  RUN_ERROR: {},
  STEP_STARTED: { stepName: 'string' },
  STEP_FINISHED: { stepName: 'string' },
  REASONING_START: { messageId: 'string' },
  REASONING_MESSAGE_START: { messageId: 'string' },
  REASONING_MESSAGE_CONTENT: { messageId: 'string', delta: 'string' },
  REASONING_MESSAGE_END: { messageId: 'string' },
  REASONING_MESSAGE_CHUNK: {},
  REASONING_END: { messageId: 'string' },
  REASONING_ENCRYPTED_VALUE: { subtype: 'string', entityId: 'string', encryptedValue: 'string' },
  SUBAGENT_STARTED: { subagentRunId: 'string', name: 'string' },
  SUBAGENT_FINISHED: { subagentRunId: 'string' },
  SUBAGENT_ERROR: { subagentRunId: 'string', message: 'string' },
};

/** Optional fields of several events that a client, or this package, reads as strings. */
const STRINGS: readonly string[] = [
  'subagentRunId',
  'parentSubagentRunId',
  'parentToolCallId',
  'parentMessageId',
  'messageId',
  'toolCallId',
  'toolCallName',
  'role',
];

/** An accepted event, or the sentence that says what is wrong with it. */
export type Accepted = { event: AGUIEvent } | { problem: string };

/**
 * Accepts one event. Absent optional fields are absent afterwards (no null, no undefined); an event of a type that AG-UI
 * does not have becomes a RAW event, because a client would refuse the type. What JSON cannot write is no event: it would
 * end the stream of whoever sends it on.
 */
export function acceptEvent(yielded: unknown): Accepted {
  if (!isRecord(yielded)) {
    return { problem: `${describe(yielded)} is no AG-UI event` };
  }
  const { type } = yielded;
  if (typeof type !== 'string') return { problem: 'an object without a type is no AG-UI event' };
  if (!Object.hasOwn(REQUIRED, type)) {
    return isWritable(yielded) ? { event: { type: 'RAW', event: yielded } } : { problem: `${type} is no JSON` };
  }
  const required = REQUIRED[type as AGUIEventType];
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(yielded)) {
    if (value === undefined || (value === null && required[name] !== 'any')) continue;
    // What nobody needs does not cost the event.
    if (name === 'timestamp' && !Number.isSafeInteger(value)) continue;
    if (name === 'metadata' && !isKind(value, 'object')) continue;
    // A provider's own event is there for debugging, and may hold anything.
    if (name === 'rawEvent' && !isWritable(value)) continue;
    if (!isWritable(value)) return { problem: `${type} has a ${name} that is no JSON` };
    fields.push([name, value]);
  }
  // `fromEntries` defines own properties, so a `__proto__` key stays a key.
  const event = Object.fromEntries(fields);
  // Not read again: a getter might say something else the second time.
  event.type = type;
  for (const [name, kind] of Object.entries(required)) {
    // JSON has no undefined: a payload that is one is null on the wire.
    if (kind === 'any' && isUndefinedInJson(event[name])) event[name] = null;
    if (!isKind(event[name], kind)) return { problem: `${type} needs ${ARTICLE[kind]} ${name}` };
  }
  if (type === 'REASONING_MESSAGE_START') event.role = 'reasoning';
  for (const name of STRINGS) {
    if (event[name] !== undefined && typeof event[name] !== 'string') {
      return { problem: `${type} has a ${name} that is no string` };
    }
  }
  if (type.endsWith('_CHUNK') && event.delta !== undefined && typeof event.delta !== 'string') {
    return { problem: `${type} has a delta that is no string` };
  }
  return { event: event as unknown as AGUIEvent };
}

function isWritable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function isUndefinedInJson(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

const ARTICLE: Readonly<Record<RequiredKind, string>> = {
  string: 'a string',
  any: 'a',
  array: 'an array',
  object: 'an object',
  content: 'a string or an array of parts as',
};

function isKind(value: unknown, kind: RequiredKind): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'content':
      return typeof value === 'string' || Array.isArray(value);
    default:
      return true;
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}
