// Accepts what a child yields as an AG-UI event, or says why it is none.
import type { AGUIEvent, AGUIEventType } from './events.js';

type Kind = 'string' | 'any' | 'array' | 'object' | 'content';

/** The fields each event must have; a client rejects the whole stream over one that is missing. */
const REQUIRED: { readonly [T in AGUIEventType]: Readonly<Record<string, Kind>> } = {
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

/** An accepted event, or the sentence that says what is wrong with it. */
export type Accepted = { event: AGUIEvent } | { problem: string };

/**
 * Accepts one event. Absent optional fields are absent afterwards (no null, no undefined); an event of a type that AG-UI
 * does not have becomes a RAW event, because a client would refuse the type.
 */
export function acceptEvent(yielded: unknown): Accepted {
  if (typeof yielded !== 'object' || yielded === null || Array.isArray(yielded)) {
    return { problem: `${describe(yielded)} is no AG-UI event` };
  }
  const { type } = yielded as { type?: unknown };
  if (typeof type !== 'string') return { problem: 'an object without a type is no AG-UI event' };
  if (!Object.hasOwn(REQUIRED, type)) return { event: { type: 'RAW', event: yielded } };
  const required = REQUIRED[type as AGUIEventType];
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(yielded)) {
    if (value === undefined || (value === null && required[name] !== 'any')) continue;
    fields.push([name, value]);
  }
  // `fromEntries` defines own properties, so a `__proto__` key stays a key.
  const event = Object.fromEntries(fields);
  for (const [name, kind] of Object.entries(required)) {
    // JSON has no undefined: a payload that is one is null on the wire.
    if (kind === 'any' && !Object.hasOwn(event, name)) event[name] = null;
    if (!isKind(event[name], kind)) return { problem: `${type} needs ${ARTICLE[kind]} ${name}` };
  }
  if (type === 'REASONING_MESSAGE_START') event.role = 'reasoning';
  if (event.subagentRunId !== undefined && typeof event.subagentRunId !== 'string') {
    return { problem: `${type} has a subagentRunId that is no string` };
  }
  return { event: event as unknown as AGUIEvent };
}

const ARTICLE: Readonly<Record<Kind, string>> = {
  string: 'a string',
  any: 'a',
  array: 'an array',
  object: 'an object',
  content: 'a string or an array of parts as',
};

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
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
