// The shapes of the AG-UI 1.0 events as data: which fields there are, which may be absent, and what stands in them.
import { REQUIRED, type RequiredKind } from './accept.js';
import type { AGUIEventType } from './events.js';

/** What stands in a field. */
export type Kind =
  | { is: 'string'; pattern?: RegExp }
  | { is: 'one of'; values: readonly string[] }
  /** A safe integer, from `min`. */
  | { is: 'integer'; min?: number }
  | { is: 'boolean' }
  /** Any JSON, null included. */
  | { is: 'json' }
  /** Any JSON but null. */
  | { is: 'value' }
  /** An object whose keys are data. */
  | { is: 'open' }
  | { is: 'list'; of: Kind; min?: number }
  | { is: 'object'; fields: Fields }
  /** An object whose shape its member `by` names. `open`: other members are allowed. */
  | { is: 'tagged'; by: string; of: Readonly<Record<string, Fields>>; open?: true }
  /** A string, or content parts. */
  | { is: 'content'; parts: Kind };

/** One field. Absent is the only spelling of an optional field without a value. */
export interface Field {
  kind: Kind;
  optional?: true;
}

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Field>>;

const STRING: Kind = { is: 'string' };
const OPEN: Kind = { is: 'open' };
const COUNT: Kind = { is: 'integer', min: 0 };
const POINTER: Kind = { is: 'string', pattern: /^(?:\/(?:[^/~]|~[01])*)*$/ };

const need = (kind: Kind): Field => ({ kind });
const may = (kind: Kind): Field => ({ kind, optional: true });
const text = need(STRING);
const maybeText = may(STRING);
const list = (of: Kind): Kind => ({ is: 'list', of });
const oneOf = (...values: string[]): Kind => ({ is: 'one of', values });
const object = (fields: Fields): Kind => ({ is: 'object', fields });

const metadata = may(OPEN);
const METADATA: Fields = { metadata };

const SOURCE: Kind = {
  is: 'tagged',
  by: 'type',
  of: {
    data: { value: text, mimeType: text },
    url: { value: text, mimeType: maybeText },
    file: { value: text, provider: maybeText, mimeType: maybeText },
  },
};
const PART_FIELDS: Fields = { id: maybeText, metadata: may({ is: 'value' }) };
const MEDIA: Fields = { ...PART_FIELDS, source: need(SOURCE) };
const CONTENT: Kind = {
  is: 'content',
  parts: list({
    is: 'tagged',
    by: 'type',
    of: { text: { ...PART_FIELDS, text }, image: MEDIA, audio: MEDIA, video: MEDIA, document: MEDIA },
  }),
};

const CHANGE: Fields = { path: need(POINTER), value: need({ is: 'json' }) };
const MOVE: Fields = { path: need(POINTER), from: need(POINTER) };
/** An RFC 6902 patch. */
export const PATCH: Kind = list({
  is: 'tagged',
  by: 'op',
  open: true,
  of: { add: CHANGE, replace: CHANGE, test: CHANGE, remove: { path: need(POINTER) }, move: MOVE, copy: MOVE },
});

const TOOL_CALL: Kind = object({
  ...METADATA,
  id: text,
  type: need(oneOf('function')),
  function: need(object({ name: text, arguments: text })),
  encryptedValue: maybeText,
});
const MESSAGE_FIELDS: Fields = { ...METADATA, subagentRunId: maybeText, id: text };
const NAMED: Fields = { ...MESSAGE_FIELDS, name: maybeText, encryptedValue: maybeText };
const MESSAGE: Kind = {
  is: 'tagged',
  by: 'role',
  of: {
    developer: { ...NAMED, content: text },
    system: { ...NAMED, content: text },
    assistant: { ...NAMED, content: maybeText, toolCalls: may(list(TOOL_CALL)) },
    user: { ...NAMED, content: need(CONTENT) },
    tool: {
      ...MESSAGE_FIELDS,
      content: need(CONTENT),
      toolCallId: text,
      error: maybeText,
      encryptedValue: maybeText,
    },
    activity: { ...MESSAGE_FIELDS, activityType: text, content: need(OPEN) },
    reasoning: { ...MESSAGE_FIELDS, content: text, encryptedValue: maybeText },
  },
};

const RESUME: Kind = list(
  object({
    ...METADATA,
    interruptId: text,
    status: need(oneOf('resolved', 'cancelled')),
    payload: may({ is: 'value' }),
  }),
);
const INPUT: Kind = object({
  threadId: text,
  runId: text,
  protocolVersion: maybeText,
  parentRunId: maybeText,
  // The one optional field whose null the protocol still reads, as absent.
  state: may({ is: 'json' }),
  messages: need(list(MESSAGE)),
  tools: may(list(object({ ...METADATA, name: text, description: text, parameters: may({ is: 'value' }) }))),
  context: may(list(object({ description: text, value: text }))),
  forwardedProps: may({ is: 'value' }),
  resume: may(RESUME),
});
const INTERRUPT: Kind = object({
  ...METADATA,
  subagentRunId: maybeText,
  id: text,
  reason: text,
  message: maybeText,
  toolCallId: maybeText,
  responseSchema: may(OPEN),
  expiresAt: maybeText,
});
const RUN_OUTCOME: Kind = {
  is: 'tagged',
  by: 'type',
  of: {
    success: { pendingToolCallIds: may(list(STRING)) },
    interrupt: { interrupts: need({ is: 'list', of: INTERRUPT, min: 1 }) },
    cancelled: {},
  },
};
const SUBAGENT_OUTCOME: Kind = {
  is: 'tagged',
  by: 'type',
  of: { success: {}, suspended: { interruptIds: may(list(STRING)) } },
};
const USAGE: Kind = list(
  object({
    provider: maybeText,
    model: maybeText,
    inputTokens: may(COUNT),
    outputTokens: may(COUNT),
    totalTokens: may(COUNT),
    reasoningTokens: may(COUNT),
    cachedInputTokens: may(COUNT),
    cacheWriteInputTokens: may(COUNT),
  }),
);

const EVENT: Fields = {
  ...METADATA,
  type: text,
  timestamp: may({ is: 'integer' }),
  rawEvent: may({ is: 'value' }),
};
const OWNED: Fields = { ...EVENT, subagentRunId: maybeText };

/** What {@link REQUIRED} asks for, in full. */
const KINDS: Readonly<Record<RequiredKind, Kind>> = {
  string: STRING,
  any: { is: 'json' },
  array: PATCH,
  object: OPEN,
  content: CONTENT,
};

const role = may(oneOf('developer', 'system', 'assistant', 'user'));
const RUN: Fields = { threadId: text, runId: text };

/** The fields of an event type beside the required ones, and those of which more is known here. */
const MORE: { readonly [T in AGUIEventType]?: Fields } = {
  TEXT_MESSAGE_START: { role, name: maybeText },
  TEXT_MESSAGE_CHUNK: { messageId: maybeText, role, delta: maybeText, name: maybeText },
  TOOL_CALL_START: { parentMessageId: maybeText },
  TOOL_CALL_CHUNK: {
    toolCallId: maybeText,
    toolCallName: maybeText,
    parentMessageId: maybeText,
    delta: maybeText,
  },
  TOOL_CALL_RESULT: { role: may(oneOf('tool')) },
  MESSAGES_SNAPSHOT: { messages: need(list(MESSAGE)) },
  ACTIVITY_SNAPSHOT: { replace: may({ is: 'boolean' }) },
  RAW: { source: maybeText },
  RUN_STARTED: { ...RUN, protocolVersion: maybeText, parentRunId: maybeText, input: may(INPUT) },
  RUN_FINISHED: { ...RUN, result: may({ is: 'value' }), outcome: may(RUN_OUTCOME), usage: may(USAGE) },
  RUN_ERROR: { message: text, code: maybeText, usage: may(USAGE) },
  REASONING_MESSAGE_START: { role: need(oneOf('reasoning')) },
  REASONING_MESSAGE_CHUNK: { messageId: maybeText, delta: maybeText },
  REASONING_ENCRYPTED_VALUE: { subtype: need(oneOf('tool-call', 'message')) },
  SUBAGENT_STARTED: {
    description: maybeText,
    parentSubagentRunId: maybeText,
    parentToolCallId: maybeText,
    parentMessageId: maybeText,
  },
  SUBAGENT_FINISHED: { result: may({ is: 'value' }), outcome: may(SUBAGENT_OUTCOME) },
  SUBAGENT_ERROR: { code: maybeText },
};

/** The fields of every event type. */
export const EVENTS = Object.fromEntries(
  Object.entries(REQUIRED).map(([type, required]) => {
    // Of a run as a whole, of a subagent, and of all messages: nobody's in particular.
    const common = /^(?:RUN_|SUBAGENT_|MESSAGES_)/.test(type) ? EVENT : OWNED;
    const fields = Object.entries(required).map(([name, kind]) => [name, need(KINDS[kind])]);
    return [type, { ...common, ...Object.fromEntries(fields), ...MORE[type as AGUIEventType] }];
  }),
) as { readonly [T in AGUIEventType]: Fields };
