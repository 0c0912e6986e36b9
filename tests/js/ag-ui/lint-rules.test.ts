// Every rule of the linter: a stream that breaks it and no other, and what the finding says.
import { compileContract } from 'subcontract';
import { type LintOptions, lintEvents } from 'subcontract/ag-ui';
import { describe, expect, it } from 'vitest';
import { RULE_GROUPS } from '../../../js/ag-ui/lint/rules.js';

const START = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const END = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const run = (...events: unknown[]) => [START, ...events, END];
const text = (id: string, extra: object = {}) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, ...extra },
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const call = (id: string, extra: object = {}) => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'scout', ...extra },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const result = (id: string, extra: object = {}) => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result-${id}`,
  toolCallId: id,
  content: '{}',
  ...extra,
});
const started = (id: string, extra: object = {}) => ({
  type: 'SUBAGENT_STARTED',
  subagentRunId: id,
  name: 'scout',
  ...extra,
});
const finished = (id: string, extra: object = {}) => ({ type: 'SUBAGENT_FINISHED', subagentRunId: id, ...extra });
const suspended = (id: string, ...interruptIds: string[]) =>
  finished(id, { outcome: { type: 'suspended', ...(interruptIds.length > 0 && { interruptIds }) } });
const asking = (...interrupts: object[]) => ({ ...END, outcome: { type: 'interrupt', interrupts } });
const ask = (id: string, subagentRunId?: string) => ({
  id,
  reason: 'approve',
  ...(subagentRunId && { subagentRunId }),
});
const usage = (inputTokens: number, extra: object = {}) => ({ usage: [{ inputTokens, ...extra }] });
const spent = (inputTokens: number) => ({ metadata: { subcontract: { usage: [{ inputTokens }] } } });

/** A run that asks, in a child and for itself. */
const FIRST = [
  START,
  ...call('c1'),
  started('s1', { parentToolCallId: 'c1' }),
  suspended('s1', 'i1'),
  asking({ ...ask('i1', 's1'), expiresAt: '2026-01-01T00:00:00Z', responseSchema: { type: 'boolean' } }, ask('i2')),
];
const answer = (interruptId: string, payload: unknown = true) => ({ interruptId, status: 'resolved', payload });
const AGAIN = { ...START, runId: 'r2' };
const AGAIN_END = { ...END, runId: 'r2' };
const BOTH = [answer('i1'), answer('i2')] as never;

const cyclic: Record<string, unknown> = { type: 'CUSTOM', name: 'a.b' };
cyclic.value = cyclic;

type Broken = [rule: string, events: Iterable<unknown>, message: string, index: number, options?: LintOptions];
const BROKEN: Broken[] = [
  ['not-a-stream', null as never, 'the events cannot be read to their end', 0],
  ['event-no-object', run(7), '7 is no event', 1],
  ['event-no-object', run({ runId: 'r' }), 'an object without a type is no event', 1],
  ['event-no-json', run({ type: 'CUSTOM', name: 'a.b', value: Number.NaN }), 'value is or has NaN', 1],
  ['event-no-json', run({ type: 'CUSTOM', name: 'a.b', value: cyclic }), 'value contains itself', 1],
  ['event-too-large', run({ type: 'CUSTOM', name: 'a.b', value: 'x'.repeat(10_000_000) }), 'it is over 10 MB', 1],
  ['lone-surrogate', run({ type: 'CUSTOM', name: 'a.b', value: ['\ud800'] }), 'a string has half a surrogate pair', 1],
  ['type-unknown', run({ type: 'THINKING_START' }), 'there is no THINKING_START', 1],
  ['field-missing', run({ type: 'STEP_STARTED' }), 'stepName is nothing, not a string', 1],
  ['field-malformed', run({ type: 'CUSTOM', name: 7, value: 1 }), 'name is 7, not a string', 1],
  ['field-unknown', run({ type: 'CUSTOM', name: 'a.b', value: 1, extra: 1 }), 'the protocol has no extra on CUSTOM', 1],
  ['optional-null', run({ type: 'RAW', event: null, source: null }), 'source is null, not a string', 1],
  ['patch-malformed', run({ type: 'STATE_DELTA', delta: { op: 'add' } }), 'delta is an object, not a list', 1],
  [
    'patch-malformed',
    run({ type: 'STATE_DELTA', delta: [{ op: 'add', path: 'x', value: 1 }] }),
    'delta[0].path is "x", not a JSON pointer',
    1,
  ],
  [
    'outcome-with-interrupts',
    run(started('s1'), finished('s1', { outcome: { type: 'success', interruptIds: [] } })),
    'a success outcome has interrupt ids',
    2,
  ],
  ['run-event-tagged', [START, { ...END, subagentRunId: 's1' }], 'it has a subagentRunId', 1],
  ['run-id-reused', [...run(), ...run()], 'run r has been before', 2],
  [
    'message-id-reused',
    run(...text('m'), ...call('c'), result('c', { messageId: 'm' })),
    'TOOL_CALL_RESULT has the messageId m, which names a text message',
    5,
  ],
  ['custom-unprefixed', run({ type: 'CUSTOM', name: 'mine', value: 1 }), 'the name "mine" has no prefix', 1],

  ['stream-start', text('m'), 'the stream begins with TEXT_MESSAGE_START', 0],
  ['event-after-close', [...run(), ...text('m')], 'TEXT_MESSAGE_START comes after RUN_FINISHED', 2],
  [
    'event-after-close',
    [START, { type: 'RUN_ERROR', message: 'x' }, { type: 'RUN_ERROR', message: 'y' }],
    'RUN_ERROR comes after RUN_ERROR',
    2,
  ],
  ['run-already-active', run(AGAIN, AGAIN_END), 'run r is still active', 1],
  ['run-not-closed', [START, ...text('m')], 'run r has no end', 2],
  ['run-ids-differ', [START, AGAIN_END], 'it ends run r2, and run r is active', 1],
  ['run-ids-differ', [START, { ...END, threadId: 'u' }], 'it is of thread u, and the run of thread t', 1],
  [
    'cancelled-with-result',
    [START, { ...END, outcome: { type: 'cancelled' }, result: 1 }],
    'the run was cancelled and has a result',
    1,
  ],
  [
    'step-already-open',
    run(
      { type: 'STEP_STARTED', stepName: 'a' },
      { type: 'STEP_STARTED', stepName: 'a' },
      { type: 'STEP_FINISHED', stepName: 'a' },
    ),
    'step a is open already',
    2,
  ],
  [
    'step-not-open',
    run(
      started('s1'),
      { type: 'STEP_STARTED', stepName: 'a', subagentRunId: 's1' },
      { type: 'STEP_FINISHED', stepName: 'a' },
      { type: 'STEP_FINISHED', stepName: 'a', subagentRunId: 's1' },
      finished('s1'),
    ),
    'step a is not open for the parent',
    3,
  ],
  ['step-left-open', run({ type: 'STEP_STARTED', stepName: 'a' }), 'still open: step a', 2],

  [
    'usage-parts',
    [START, { ...END, ...usage(5, { cachedInputTokens: 4, cacheWriteInputTokens: 2 }) }],
    '6 cached input tokens of 5',
    1,
  ],
  [
    'usage-parts',
    [START, { ...END, ...usage(5, { outputTokens: 1, reasoningTokens: 2 }) }],
    '2 reasoning tokens of 1 output tokens',
    1,
  ],
  [
    'usage-total',
    [START, { ...END, ...usage(5, { outputTokens: 1, totalTokens: 7 }) }],
    'a total of 7, and 5 in and 1 out',
    1,
  ],
  ['usage-repeated', [START, { ...END, usage: [{ inputTokens: 1 }, { inputTokens: 1 }] }], '2 entries for 1 models', 1],
  [
    'usage-rollup',
    [START, started('s1'), finished('s1', spent(7)), started('s2'), finished('s2', spent(5)), { ...END, ...usage(11) }],
    'the subagents report 12 inputTokens, and the run 11',
    5,
  ],
  [
    'usage-rollup',
    run(
      started('s1'),
      started('s2', { parentSubagentRunId: 's1' }),
      finished('s2', spent(5)),
      finished('s1', spent(3)),
    ),
    'the subagents report 5 inputTokens, and the run none',
    5,
  ],

  [
    'chunk-incomplete',
    run({ type: 'TEXT_MESSAGE_CHUNK', delta: 'x' }),
    'the first TEXT_MESSAGE_CHUNK has no messageId',
    1,
  ],
  [
    'chunk-incomplete',
    run({ type: 'TOOL_CALL_CHUNK', toolCallId: 'c' }),
    'the first TOOL_CALL_CHUNK has no toolCallName',
    1,
  ],
  [
    'chunk-conflict',
    run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm' }, { type: 'TEXT_MESSAGE_CHUNK', role: 'user', delta: 'x' }),
    'TEXT_MESSAGE_CHUNK goes on with m under another role',
    2,
  ],
  [
    'chunk-ambiguous',
    run(
      started('s1'),
      started('s2'),
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', subagentRunId: 's2' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' },
      finished('s1'),
      finished('s2'),
    ),
    'TEXT_MESSAGE_CHUNK could go on with any of 2 open ones',
    5,
  ],
  [
    'item-already-open',
    run({ type: 'TEXT_MESSAGE_START', messageId: 'm' }, ...text('m')),
    'message m is open already',
    2,
  ],
  [
    'item-not-open',
    run(
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: 'y' },
    ),
    'REASONING_MESSAGE_CONTENT names m, which was never opened',
    1,
  ],
  [
    'item-not-open',
    run(...text('m'), { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' }),
    'TEXT_MESSAGE_CONTENT names m, which is closed',
    3,
  ],
  [
    'item-not-open',
    run(
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'x' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'y' },
    ),
    'TEXT_MESSAGE_CONTENT names m, which is closed',
    2,
  ],
  [
    'item-left-open',
    run({ type: 'REASONING_START', messageId: 'm' }, { type: 'TEXT_MESSAGE_START', messageId: 'n' }),
    'still open: reasoning span m, message n',
    3,
  ],
  [
    'item-outlives-subagent',
    run(started('s1'), { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 's1' }, finished('s1'), {
      type: 'TEXT_MESSAGE_END',
      messageId: 'm',
    }),
    's1 leaves open: message m',
    3,
  ],
  ['item-reopened', run(...text('m'), ...text('m')), 'message m was closed', 3],
  [
    'empty-delta',
    run(
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
    ),
    'TEXT_MESSAGE_CONTENT has an empty delta',
    2,
  ],

  [
    'call-reopened-differently',
    run(...call('c'), ...call('c', { toolCallName: 'other' }), result('c')),
    'c is reopened under another toolCallName',
    3,
  ],
  [
    'message-reopened-differently',
    run(...text('m'), ...text('m', { role: 'user' })),
    'm is reopened under another role or name',
    3,
  ],
  ['result-before-end', run(call('c')[0], result('c'), call('c')[1]), 'c is answered before its TOOL_CALL_END', 2],
  ['result-repeated', run(...call('c'), result('c'), result('c')), 'c was answered before', 4],
  ['result-unknown-call', [...run(), AGAIN, result('c'), AGAIN_END], 'nobody called c', 3],
  [
    'pending-calls-wrong',
    [
      START,
      ...call('a'),
      ...call('b'),
      result('b'),
      { ...END, outcome: { type: 'success', pendingToolCallIds: ['a', 'a'] } },
    ],
    'an id is listed twice',
    6,
  ],
  ['pending-calls-unnamed', run(...call('a')), 'unanswered: a', 3],

  [
    'patch-not-applicable',
    run(
      { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/a/1' }] },
    ),
    'a list of 1 has no place "1"',
    2,
  ],
  [
    'activity-unknown',
    run({ type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'x', patch: [] }),
    'there is no activity a',
    1,
  ],
  [
    'activity-no-object',
    run(
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: {} },
      { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'x', patch: [{ op: 'replace', path: '', value: [] }] },
    ),
    'a is no object any more',
    2,
  ],
  [
    'encrypted-value-unknown',
    run({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', encryptedValue: 'x' }),
    'there is no message m',
    1,
  ],

  [
    'subagent-announced-late',
    run({ type: 'CUSTOM', name: 'a.b', value: 1, subagentRunId: 's1' }, started('s1'), finished('s1')),
    'event 1 has the subagentRunId s1 already',
    2,
  ],
  [
    'subagent-not-announced',
    run({ type: 'CUSTOM', name: 'a.b', value: 1, subagentRunId: 's1' }),
    'nothing announces s1',
    1,
  ],
  ['subagent-already-active', run(started('s1'), started('s1'), finished('s1')), 's1 is active', 2],
  ['subagent-id-reused', run(started('s1'), finished('s1'), started('s1')), 's1 has ended in this run', 3],
  [
    'subagent-id-reused',
    [...run(started('s1'), finished('s1')), AGAIN, started('s1'), finished('s1'), AGAIN_END],
    's1 has ended in an earlier run',
    5,
  ],
  [
    'subagent-not-active',
    run(started('s1'), finished('s1'), finished('s1')),
    'SUBAGENT_FINISHED names s1, which has ended',
    3,
  ],
  ['subagent-left-open', run(started('s1')), 'still active: s1', 2],
  [
    'subagent-parent-unknown',
    run(started('s1', { parentSubagentRunId: 's1' }), finished('s1')),
    'nothing announces s1, the parent of s1',
    1,
  ],
  [
    'event-after-subagent-end',
    run(
      started('s1'),
      finished('s1'),
      { type: 'CUSTOM', name: 'a.b', value: 1, subagentRunId: 's1' },
      { type: 'CUSTOM', name: 'a.b', value: 2, subagentRunId: 's1' },
    ),
    'CUSTOM is of s1, which has ended',
    3,
  ],
  ['parent-call-unknown', run(started('s1', { parentToolCallId: 'c' }), finished('s1')), 'nobody called c', 1],
  [
    'delegation-result-tagged',
    run(...call('c'), started('s1', { parentToolCallId: 'c' }), result('c', { subagentRunId: 's1' }), finished('s1')),
    'the result of c is tagged with s1, which it started',
    4,
  ],
  [
    'delegation-result-no-text',
    run(...call('c'), started('s1', { parentToolCallId: 'c' }), finished('s1'), result('c', { content: [] })),
    'the result of c is a list',
    5,
  ],
  [
    'result-breaks-contract',
    run(started('s1'), finished('s1', { result: { final_result: { n: 'x' }, status: 'completed' } })),
    's1 (scout): /n: expected number, found string',
    2,
    { contracts: { scout: compileContract({ type: 'object', properties: { n: { type: 'number' } } }) } },
  ],

  [
    'owner-changed',
    run(
      started('s1'),
      { type: 'TEXT_MESSAGE_START', messageId: 'm' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      finished('s1'),
    ),
    'TEXT_MESSAGE_CONTENT says that m is of s1, and it is of the parent',
    3,
  ],
  [
    'owner-of-activity-changed',
    run(
      started('s1'),
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: {} },
      { type: 'ACTIVITY_DELTA', messageId: 'a', activityType: 'x', patch: [], subagentRunId: 's1' },
      finished('s1'),
    ),
    'activity a is of the parent, not of s1',
    3,
  ],
  [
    'owner-of-value-differs',
    run(
      started('s1'),
      ...call('c'),
      result('c'),
      {
        type: 'REASONING_ENCRYPTED_VALUE',
        subtype: 'tool-call',
        entityId: 'c',
        encryptedValue: 'x',
        subagentRunId: 's1',
      },
      finished('s1'),
    ),
    'c is of the parent, not of s1',
    5,
  ],
  [
    'call-in-foreign-message',
    run(
      started('s1'),
      ...text('m'),
      ...call('c', { parentMessageId: 'm', subagentRunId: 's1' }),
      result('c', { subagentRunId: 's1' }),
      finished('s1'),
    ),
    'c is of s1, and message m of the parent',
    4,
  ],

  ['interrupt-id-reused', [START, asking(ask('i'), ask('i'))], 'two interrupts are named i', 1],
  ['suspended-without-interrupt', run(started('s1'), suspended('s1')), 'suspended, and nothing is asked: s1', 3],
  [
    'interrupt-ids-dangling',
    [START, started('s1'), suspended('s1', 'i1', 'i2'), asking(ask('i1', 's1'))],
    's1 waits for i2, which the run does not ask',
    2,
  ],
  [
    'interrupt-ids-differ',
    [START, started('s1'), suspended('s1', 'i1'), asking(ask('i1'))],
    's1 lists i1, which is not tagged with it',
    2,
  ],
  [
    'interrupt-ids-differ',
    [START, started('s1'), suspended('s1', 'i1'), asking(ask('i1', 's1'), ask('i2', 's1'))],
    's1 does not list its interrupt i2',
    3,
  ],
  [
    'interrupt-owner-not-suspended',
    [START, started('s1'), finished('s1'), asking(ask('i1', 's1'))],
    'interrupt i1 is of s1, which has finished',
    3,
  ],
  [
    'ancestor-not-suspended',
    [
      START,
      started('s1'),
      started('s2', { parentSubagentRunId: 's1' }),
      suspended('s2', 'i1'),
      finished('s1'),
      asking(ask('i1', 's2')),
    ],
    's2 is suspended, and s1, which delegated to it, has finished',
    3,
  ],
  [
    'suspended-call-answered',
    [
      START,
      ...call('c'),
      started('s1', { parentToolCallId: 'c' }),
      suspended('s1', 'i1'),
      result('c'),
      asking(ask('i1', 's1')),
    ],
    'c is answered, and s1 is suspended',
    5,
  ],
  [
    'suspended-call-answered',
    [
      START,
      ...call('c'),
      started('s1', { parentToolCallId: 'c' }),
      result('c'),
      suspended('s1', 'i1'),
      asking(ask('i1', 's1')),
    ],
    's1 is suspended, and c is answered',
    5,
  ],

  [
    'thread-changed',
    [AGAIN, { ...AGAIN_END }],
    'thread t goes on from thread u',
    0,
    {
      earlier: [
        { ...START, threadId: 'u' },
        { ...END, threadId: 'u' },
      ],
    },
  ],
  [
    'resume-unknown-interrupt',
    [AGAIN, AGAIN_END],
    'nobody asked i3',
    0,
    { earlier: FIRST, resume: [...BOTH, answer('i3')] as never },
  ],
  [
    'resume-incomplete',
    [AGAIN, AGAIN_END],
    'neither answered nor abandoned: i2',
    0,
    { earlier: FIRST, resume: [answer('i1')] as never },
  ],
  [
    'resume-conflicting',
    [AGAIN, AGAIN_END],
    'i1 has two answers',
    0,
    { earlier: FIRST, resume: [...BOTH, answer('i1'), answer('i1', false)] as never },
  ],
  [
    'resume-expired',
    [{ ...AGAIN, timestamp: Date.parse('2026-01-01T00:00:01Z') }, AGAIN_END],
    'i1 expired at 2026-01-01T00:00:00Z',
    0,
    { earlier: FIRST, resume: BOTH },
  ],
  [
    'resume-payload-invalid',
    [AGAIN, AGAIN_END],
    'the answer to i1: the root: expected boolean, found string',
    0,
    {
      earlier: FIRST,
      resume: [answer('i1', 'yes'), answer('i2')] as never,
      compile: (schema) => compileContract(schema),
    },
  ],
  [
    'call-replayed',
    [AGAIN, ...call('c1'), result('c1'), AGAIN_END],
    'c1 was called in an earlier run',
    1,
    { earlier: FIRST },
  ],
  [
    'resumed-subagent-changed',
    [AGAIN, started('s1', { name: 'other' }), finished('s1'), result('c1'), AGAIN_END],
    's1 goes on under another name and parentToolCallId',
    1,
    { earlier: FIRST },
  ],
];

describe('a stream that breaks', () => {
  it.each(BROKEN)('%s: %#', (rule, events, message, index, options) => {
    const findings = lintEvents(events, options);
    expect(findings.filter((finding) => finding.rule === rule)).toEqual([
      expect.objectContaining({ rule, message, index }),
    ]);
    expect(findings.map((finding) => finding.rule).filter((other) => other !== rule)).toEqual(ALSO[rule] ?? []);
  });
});

/** What a stream cannot but break too. */
const ALSO: Record<string, string[]> = {
  'call-reopened-differently': ['item-reopened'],
  'message-reopened-differently': ['item-reopened'],
};

describe('the rules', () => {
  const all = RULE_GROUPS.flatMap(({ rules }) => rules);

  it('have ids of their own, and each is broken above', () => {
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The last one takes millions of members, and is among the hostile streams.
    expect(new Set([...BROKEN.map(([rule]) => rule), 'patch-not-followed'])).toEqual(new Set(ids));
  });

  it('say what must hold in one sentence, and where it stands', () => {
    for (const { sentence, page } of all) {
      expect(sentence).toMatch(/^[A-Za-z][^\n]*\.$/);
      expect(page).toMatch(/^(?:basic|events|schema)[a-z/-]*(?:#[a-z-]+)?$/);
    }
  });
});

describe('what holds', () => {
  const holds: [string, Iterable<unknown>, LintOptions?][] = [
    [
      'a run that asks, and the one that goes on, in one stream',
      [
        ...FIRST,
        { ...AGAIN, input: { threadId: 't', runId: 'r2', messages: [], resume: BOTH } },
        started('s1', { parentToolCallId: 'c1' }),
        finished('s1'),
        result('c1'),
        AGAIN_END,
      ],
    ],
    [
      'the same in two streams',
      [AGAIN, started('s1', { parentToolCallId: 'c1' }), finished('s1'), result('c1'), AGAIN_END],
      { earlier: FIRST, resume: BOTH },
    ],
    [
      'a child that is suspended again, in a run whose beginning nobody told',
      [
        { ...AGAIN, parentRunId: 'r' },
        started('s1', { parentToolCallId: 'c1' }),
        suspended('s1', 'i9'),
        { ...AGAIN_END, outcome: { type: 'interrupt', interrupts: [ask('i9', 's1')] } },
      ],
    ],
    [
      'a call that only the messages tell of',
      run(
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [
            {
              id: 'm',
              role: 'assistant',
              toolCalls: [{ id: 'c', type: 'function', function: { name: 'scout', arguments: '{}' } }],
            },
          ],
        },
        started('s1', { parentToolCallId: 'c' }),
        finished('s1'),
        result('c'),
      ),
    ],
    [
      'nested children, suspended with their ancestors',
      [
        START,
        ...call('c1'),
        started('s1', { parentToolCallId: 'c1' }),
        ...call('c2', { subagentRunId: 's1' }),
        started('s2', { parentSubagentRunId: 's1', parentToolCallId: 'c2' }),
        suspended('s2', 'i'),
        suspended('s1'),
        asking(ask('i', 's2')),
      ],
    ],
    [
      'usage that a parent child has counted in',
      [
        START,
        started('s1'),
        started('s2', { parentSubagentRunId: 's1' }),
        finished('s2', spent(5)),
        finished('s1', spent(8)),
        { ...END, ...usage(8) },
      ],
    ],
    [
      'an envelope that another contract judged',
      run(
        started('s1'),
        finished('s1', {
          result: { final_result: 1, status: 'completed', contract: { source: 'final_schema', digest: 'sha256-x' } },
        }),
      ),
      { contracts: new Map([['scout', compileContract({ type: 'string' })]]) },
    ],
    [
      'a span and the message in it under one id',
      run(
        { type: 'REASONING_START', messageId: 'm' },
        { type: 'REASONING_MESSAGE_START', messageId: 'm', role: 'reasoning' },
        { type: 'REASONING_MESSAGE_END', messageId: 'm' },
        { type: 'REASONING_END', messageId: 'm' },
      ),
    ],
    [
      'ids that objects have',
      run(
        started('__proto__', { name: 'constructor' }),
        ...text('hasOwnProperty', { subagentRunId: '__proto__' }),
        finished('__proto__'),
        ...call('toString'),
        result('toString', { messageId: 'valueOf' }),
      ),
      { contracts: {} },
    ],
  ];
  it.each(holds)('%s', (_name, events, options) => {
    expect(lintEvents(events, options)).toEqual([]);
  });
});

it('says which rule of which page, how bad, where and what', () => {
  expect(lintEvents(run(started('s1')))).toEqual([
    {
      rule: 'subagent-left-open',
      severity: 'error',
      index: 2,
      message: 'still active: s1',
      spec: 'https://docs.ag-ui.com/spec/1.0/events/subagents',
    },
  ]);
});
