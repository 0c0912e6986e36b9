// Rules of streamed items: opened once, continued while open, closed by their owner's and the run's end.
import { named, type Rule, rule } from '../rule.js';
import { some } from '../some.js';

const page = 'basic/patterns/streaming';

/** Rules about chunks; the expansion finds what breaks them. */
export const CHUNK_RULES = /* @__PURE__ */ named({
  'chunk-incomplete': {
    page,
    sentence: 'The first chunk of an item has its id, and that of a tool call its name.',
  },
  'chunk-conflict': {
    page,
    sentence: 'A later chunk repeats what the first one established with the same value, or not at all.',
  },
  'chunk-ambiguous': {
    page,
    sentence: 'A chunk without id and tag has one item that it can go on with.',
  },
});

const NAMES = {
  text: 'message',
  call: 'tool call',
  step: 'step',
  span: 'reasoning span',
  reasoning: 'reasoning message',
};

export const streaming: readonly Rule[] = [
  rule(
    {
      id: 'item-already-open',
      page,
      sentence: 'A message, tool call or reasoning is opened when none of its id is open.',
    },
    ['TEXT_MESSAGE_START', 'TOOL_CALL_START', 'REASONING_START', 'REASONING_MESSAGE_START'],
    (event, thread, report) => {
      const found = thread.itemOf(event);
      if (found?.open && found.item) report(`${NAMES[found.item.kind]} ${found.item.id} is open already`);
    },
  ),
  rule(
    {
      id: 'item-not-open',
      page,
      sentence: 'Content and end events name something that is open.',
    },
    [
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ],
    (event, thread, report) => {
      const found = thread.itemOf(event);
      if (!found || found.open || thread.run?.orphans.has(found.key)) return;
      const id = 'toolCallId' in event ? event.toolCallId : event.messageId;
      report(`${event.type} names ${id}, which ${found.item ? 'is closed' : 'was never opened'}`);
    },
  ),
  rule(
    {
      id: 'item-left-open',
      page,
      sentence: 'Everything that a run opened is closed before it finishes.',
    },
    ['RUN_FINISHED'],
    (_event, { run }, report) => {
      const open = [...(run?.open.values() ?? [])].filter(({ kind }) => kind !== 'step');
      if (open.length > 0) report(`still open: ${some(open.map(({ kind, id }) => `${NAMES[kind]} ${id}`))}`);
    },
  ),
  rule(
    {
      id: 'item-outlives-subagent',
      page,
      sentence: 'What a subagent opened is closed no later than the subagent ends.',
    },
    ['SUBAGENT_FINISHED', 'SUBAGENT_ERROR'],
    ({ subagentRunId }, { run }, report) => {
      const open = run?.openByOwner.get(subagentRunId);
      if (!open || open.size === 0 || run?.subagents.get(subagentRunId)?.state !== 'active') return;
      report(`${subagentRunId} leaves open: ${some([...open.values()].map(({ kind, id }) => `${NAMES[kind]} ${id}`))}`);
    },
  ),
  rule(
    {
      id: 'item-reopened',
      severity: 'warning',
      page: 'events/text-messages',
      sentence:
        'A closed message or tool call may be opened again under its id, and readers that do not know this refuse it.',
    },
    ['TEXT_MESSAGE_START', 'TOOL_CALL_START', 'REASONING_START', 'REASONING_MESSAGE_START'],
    (event, thread, report) => {
      const found = thread.itemOf(event);
      if (found?.item && !found.open) report(`${NAMES[found.item.kind]} ${found.item.id} was closed`);
    },
  ),
  rule(
    {
      id: 'empty-delta',
      severity: 'warning',
      page: 'events/text-messages',
      sentence: 'A delta has text: clients before 1.0 refuse an empty one.',
    },
    ['TEXT_MESSAGE_CONTENT', 'TOOL_CALL_ARGS', 'REASONING_MESSAGE_CONTENT'],
    ({ type, delta }, _thread, report) => {
      if (delta === '') report(`${type} has an empty delta`);
    },
  ),
];
