// Events and messages of any kind and in any order, as fast-check makes them up.
import fc from 'fast-check';
import { strictResearchResult } from 'subcontract';
import { RECORD } from './child-events.js';

/** With a contract of a record, and one whose returns are wrapped. */
export const AGENTS = [
  { name: 'researcher', outputSchema: strictResearchResult, allowFinalSchema: true },
  { name: 'counter', outputSchema: { title: 'count', type: 'array', items: { type: 'integer' } } },
];

const ids = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor', '', 'call:t1');
const calls = fc.constantFrom('t1', 't2', 't3', '__proto__', '');
const tools = fc.constantFrom('research_result', 'count', 'researcher', 'delegate_task', 'query', '__proto__', '');
export const record = JSON.stringify(RECORD);
export const text = fc.oneof(
  fc.constantFrom(
    record,
    '{"findings":[{"claim":"',
    '"x"',
    '[1,2',
    '{"result":[1',
    '\ud83d',
    '\ude00',
    '',
    '{"final_schema":{}}',
  ),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const json = fc.jsonValue({ maxDepth: 3 });
const word = (values: fc.Arbitrary<string>) => fc.option(values, { nil: undefined, freq: 4 });
export const interrupt = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      id: fc.constantFrom('i', 'j'),
      reason: fc.constant('ask'),
      subagentRunId: ids,
      toolCallId: calls,
    }),
  },
  { weight: 1, arbitrary: json },
);
const envelope = fc.record({
  run_id: ids,
  subagent: fc.constantFrom('researcher', 'x'),
  final_result: fc.oneof(fc.constant(RECORD), json),
  status: fc.constantFrom('completed', 'failed', 'suspended', 'constructor', '__proto__'),
  attempts: fc.array(fc.record({ attempt: fc.integer({ max: 4 }), outcome: fc.constantFrom('accepted', 'rejected') }), {
    maxLength: 3,
  }),
  error: json,
  degraded: json,
  contract: json,
});

/** An event as a host may send it. */
const event = fc
  .record({
    type: fc.constantFrom(
      ...['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'SUBAGENT_STARTED', 'SUBAGENT_STARTED', 'SUBAGENT_FINISHED'],
      ...['SUBAGENT_ERROR', 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_CHUNK'],
      ...[
        'TOOL_CALL_RESULT',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'TEXT_MESSAGE_CHUNK',
        'CUSTOM',
      ],
    ),
    threadId: fc.constant('thread'),
    runId: fc.constantFrom('run-1', 'run-2'),
    subagentRunId: ids,
    parentSubagentRunId: word(ids),
    parentToolCallId: word(calls),
    toolCallId: calls,
    messageId: fc.constantFrom('m1', 'm2'),
    toolCallName: tools,
    name: fc.constantFrom('researcher', 'counter', 'stranger', 'subcontract.attempt', 'subcontract.not_started'),
    delta: text,
    content: text,
    message: text,
    code: fc.constantFrom('aborted', 'child_error'),
    result: fc.oneof(envelope, json),
    outcome: fc.oneof(
      fc.record({
        type: fc.constantFrom('interrupt', 'cancelled', 'success', 'suspended'),
        interrupts: fc.array(interrupt, { maxLength: 3 }),
      }),
      fc.constant(undefined),
    ),
    value: fc.oneof(
      json,
      fc.record({
        attempt: fc.integer(),
        outcome: fc.constant('rejected'),
        maxRetries: fc.oneof(fc.integer(), fc.double()),
      }),
      fc.record({
        subagentRunId: ids,
        name: fc.constant('researcher'),
        parentToolCallId: calls,
        message: json,
        issues: json,
      }),
    ),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

/** An event of which a field or two are anything, or absent. */
export const broken = fc
  .tuple(event, fc.array(fc.tuple(fc.nat(20), fc.option(json, { nil: undefined })), { maxLength: 3 }))
  .map(([fields, faults]) => {
    const names = Object.keys(fields);
    for (const [at, value] of faults) fields[names[at % names.length] as string] = value;
    return fields;
  });

/** A message as a page may have kept it, or anything. */
export const message = fc.oneof(
  json,
  fc.record({
    role: fc.constant('tool'),
    toolCallId: calls,
    content: fc.oneof(
      json,
      envelope.map((value) => JSON.stringify(value)),
    ),
  }),
  fc.record({
    role: fc.constant('assistant'),
    toolCalls: fc.array(fc.record({ id: calls, function: fc.record({ name: tools, arguments: text }) })),
    subagentRunId: word(ids),
  }),
);
