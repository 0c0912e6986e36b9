// The shapes of the AG-UI 1.0 events as data: which fields there are, which may be absent, and what stands in them.
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
  type: need({ is: 'one of', values: ['function'] }),
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
    status: need({ is: 'one of', values: ['resolved', 'cancelled'] }),
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
const MESSAGE_ID: Fields = { ...OWNED, messageId: text };
const CALL_ID: Fields = { ...OWNED, toolCallId: text };
const role = may({ is: 'one of', values: ['developer', 'system', 'assistant', 'user'] });

/** The fields of every event type. */
export const EVENTS: { readonly [T in AGUIEventType]: Fields } = {
  TEXT_MESSAGE_START: { ...MESSAGE_ID, role, name: maybeText },
  TEXT_MESSAGE_CONTENT: { ...MESSAGE_ID, delta: text },
  TEXT_MESSAGE_END: MESSAGE_ID,
  TEXT_MESSAGE_CHUNK: { ...OWNED, messageId: maybeText, role, delta: maybeText, name: maybeText },
  TOOL_CALL_START: { ...CALL_ID, toolCallName: text, parentMessageId: maybeText },
  TOOL_CALL_ARGS: { ...CALL_ID, delta: text },
  TOOL_CALL_END: CALL_ID,
  TOOL_CALL_CHUNK: {
    ...OWNED,
    toolCallId: maybeText,
    toolCallName: maybeText,
    parentMessageId: maybeText,
    delta: maybeText,
  },
  TOOL_CALL_RESULT: {
    ...CALL_ID,
    messageId: text,
    content: need(CONTENT),
    role: may({ is: 'one of', values: ['tool'] }),
  },
  STATE_SNAPSHOT: { ...OWNED, snapshot: need({ is: 'json' }) },
  STATE_DELTA: { ...OWNED, delta: need(PATCH) },
  MESSAGES_SNAPSHOT: { ...EVENT, messages: need(list(MESSAGE)) },
  ACTIVITY_SNAPSHOT: { ...MESSAGE_ID, activityType: text, content: need(OPEN), replace: may({ is: 'boolean' }) },
  ACTIVITY_DELTA: { ...MESSAGE_ID, activityType: text, patch: need(PATCH) },
  RAW: { ...OWNED, event: need({ is: 'json' }), source: maybeText },
  CUSTOM: { ...OWNED, name: text, value: need({ is: 'json' }) },
  RUN_STARTED: {
    ...EVENT,
    threadId: text,
    runId: text,
    protocolVersion: maybeText,
    parentRunId: maybeText,
    input: may(INPUT),
  },
  RUN_FINISHED: {
    ...EVENT,
    threadId: text,
    runId: text,
    result: may({ is: 'value' }),
    outcome: may(RUN_OUTCOME),
    usage: may(USAGE),
  },
  RUN_ERROR: { ...EVENT, message: text, code: maybeText, usage: may(USAGE) },
  STEP_STARTED: { ...OWNED, stepName: text },
  STEP_FINISHED: { ...OWNED, stepName: text },
  REASONING_START: MESSAGE_ID,
  REASONING_MESSAGE_START: { ...MESSAGE_ID, role: need({ is: 'one of', values: ['reasoning'] }) },
  REASONING_MESSAGE_CONTENT: { ...MESSAGE_ID, delta: text },
  REASONING_MESSAGE_END: MESSAGE_ID,
  REASONING_MESSAGE_CHUNK: { ...OWNED, messageId: maybeText, delta: maybeText },
  REASONING_END: MESSAGE_ID,
  REASONING_ENCRYPTED_VALUE: {
    ...OWNED,
    subtype: need({ is: 'one of', values: ['tool-call', 'message'] }),
    entityId: text,
    encryptedValue: text,
  },
  SUBAGENT_STARTED: {
    ...EVENT,
    subagentRunId: text,
    name: text,
    description: maybeText,
    parentSubagentRunId: maybeText,
    parentToolCallId: maybeText,
    parentMessageId: maybeText,
  },
  SUBAGENT_FINISHED: {
    ...EVENT,
    subagentRunId: text,
    result: may({ is: 'value' }),
    outcome: may(SUBAGENT_OUTCOME),
  },
  SUBAGENT_ERROR: { ...EVENT, subagentRunId: text, message: text, code: maybeText },
};
