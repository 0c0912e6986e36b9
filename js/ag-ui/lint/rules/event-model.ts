// Rules of the event model: what an event is, and what its ids are unique in.
import { everyEvent, named, type Rule, rule } from '../rule.js';
import type { MessageKind } from '../thread.js';

/** Rules about a single event; the reader finds what breaks them. */
export const SHAPE_RULES = /* @__PURE__ */ named({
  'not-a-stream': {
    page: 'basic/transports',
    sentence: 'A stream is a list of events, or anything else that can be iterated to its end.',
  },
  'event-no-object': {
    page: 'basic',
    sentence: 'An event is a JSON object with a type.',
  },
  'event-no-json': {
    page: 'basic/transports/http-sse',
    sentence: 'JSON can write an event: nothing in it contains itself, is no number, or is a function or binary data.',
  },
  'event-too-large': {
    page: 'basic/transports/http-sse',
    sentence: 'An event fits into a frame under 10 MB, where clients stop reading.',
  },
  'lone-surrogate': {
    severity: 'warning',
    page: 'basic/transports/http-sse',
    sentence: 'Strings are text that UTF-8 can hold: half a surrogate pair is lost on the way.',
  },
  'type-unknown': {
    page: 'basic/processing',
    sentence:
      'The protocol has the type; CUSTOM is there for everything else, and clients before 1.0 fail on what they do not know.',
  },
  'field-missing': {
    page: 'schema',
    sentence: 'Every required field is there.',
  },
  'field-malformed': {
    page: 'basic/processing',
    sentence: 'A field that the protocol describes holds a value that it allows.',
  },
  'field-unknown': {
    severity: 'warning',
    page: 'basic/processing',
    sentence: 'The protocol describes every field of an event; others are stripped before an application sees them.',
  },
  'optional-null': {
    page: 'basic',
    sentence: 'An optional field without a value is absent, never null.',
  },
  'patch-malformed': {
    page: 'basic/patterns/snapshots',
    sentence: 'A patch is a list of RFC 6902 operations, each with the members that it needs.',
  },
  'outcome-with-interrupts': {
    page: 'events/subagents',
    sentence: 'Only a suspended outcome of a subagent has interrupt ids.',
  },
  'run-event-tagged': {
    page: 'basic',
    sentence:
      "RUN_* and MESSAGES_SNAPSHOT are of the whole run: they have no subagentRunId, and a child's own are translated.",
  },
});

const KIND_NAMES: Readonly<Record<MessageKind, string>> = {
  text: 'a text message',
  reasoning: 'a reasoning message',
  tool: 'the result of a tool call',
  activity: 'an activity',
};
const MESSAGE_STARTS: Readonly<Record<string, MessageKind>> = {
  TEXT_MESSAGE_START: 'text',
  REASONING_MESSAGE_START: 'reasoning',
  TOOL_CALL_RESULT: 'tool',
  ACTIVITY_SNAPSHOT: 'activity',
};

export const eventModel: readonly Rule[] = [
  everyEvent(
    {
      id: 'run-id-reused',
      page: 'basic',
      sentence: 'A runId names one run of its thread.',
    },
    (event, thread, report) => {
      if (event.type !== 'RUN_STARTED' || thread.phase === 'active' || event.runId === undefined) return;
      if (thread.runIds.has(event.runId)) report(`run ${event.runId} has been before`);
    },
  ),
  rule(
    {
      id: 'message-id-reused',
      page: 'basic',
      sentence: 'A messageId names one message of its thread, be it text, reasoning, a result or an activity.',
    },
    ['TEXT_MESSAGE_START', 'REASONING_MESSAGE_START', 'TOOL_CALL_RESULT', 'ACTIVITY_SNAPSHOT'],
    ({ type, messageId }, thread, report) => {
      const known = thread.messages.get(messageId);
      if (known !== undefined && known !== MESSAGE_STARTS[type]) {
        report(`${type} has the messageId ${messageId}, which names ${KIND_NAMES[known]}`);
      }
    },
  ),
  rule(
    {
      id: 'custom-unprefixed',
      severity: 'warning',
      page: 'events/passthrough',
      sentence: 'The name of a CUSTOM event has a prefix; names without one are reserved for the protocol.',
    },
    ['CUSTOM'],
    ({ name }, _thread, report) => {
      if (!/[^.:/][.:/]/.test(name)) report(`the name ${JSON.stringify(name.slice(0, 80))} has no prefix`);
    },
  ),
];
