// The linter on what no producer should send: it neither throws nor hangs, and says what it found.
import { lintEvents } from 'subcontract/ag-ui';
import { expect, it } from 'vitest';

const START = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const END = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const MANY = 100_000;
const MILLION = 1_000_000;

function rulesOf(events: unknown, options?: object): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of lintEvents(events as Iterable<unknown>, options)) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

it.each([
  ['nothing', undefined, { 'not-a-stream': 1 }],
  ['a number', 7, { 'not-a-stream': 1 }],
  ['an object', {}, { 'not-a-stream': 1 }],
  ['an async stream', (async function* () {})(), { 'not-a-stream': 1 }],
  ['a text', 'ab', { 'event-no-object': 2 }],
  ['no events', [], {}],
  ['no objects', [null, undefined, 1, 'x', true, [], () => {}, Symbol('x'), 1n], { 'event-no-object': 9 }],
])('%s', (_name, events, expected) => {
  expect(rulesOf(events)).toEqual(expected);
});

it('a stream that breaks off with an error', () => {
  function* broken() {
    yield START;
    throw new Error('lost');
  }
  expect(rulesOf(broken())).toEqual({ 'not-a-stream': 1, 'run-not-closed': 1 });
});

it('getters and proxies that throw, and one that changes its mind', () => {
  let asked = 0;
  const throwing = () => {
    throw new Error('no');
  };
  const events = [
    START,
    Object.defineProperty({}, 'type', { get: throwing, enumerable: true }),
    { type: 'CUSTOM', name: 'a.b', value: Object.defineProperty({}, 'x', { get: throwing, enumerable: true }) },
    new Proxy({}, { ownKeys: throwing }),
    new Proxy([], { get: throwing }),
    {
      get type() {
        asked += 1;
        return asked === 1 ? 'RAW' : 'RUN_FINISHED';
      },
      event: 1,
    },
    END,
  ];
  expect(rulesOf(events)).toEqual({ 'event-no-json': 4 });
  expect(asked).toBe(1);
});

it('a revoked proxy', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(rulesOf([START, proxy, END])).toEqual({ 'event-no-json': 1 });
});

it('every field of the wrong type, one at a time and all together', () => {
  const values = [null, undefined, 0, -1, 1.5, Number.NaN, '', 'x', [], {}, [null], { type: {} }, true, new Date(), 1n];
  const types = [
    'TEXT_MESSAGE_START',
    'TOOL_CALL_CHUNK',
    'MESSAGES_SNAPSHOT',
    'STATE_DELTA',
    'RUN_FINISHED',
    'SUBAGENT_FINISHED',
  ];
  const fields = [
    'messageId',
    'toolCallId',
    'messages',
    'delta',
    'outcome',
    'usage',
    'subagentRunId',
    'metadata',
    'input',
  ];
  const events: unknown[] = [START];
  for (const type of types) {
    for (const value of values) {
      for (const field of fields) events.push({ type, [field]: value }, { ...START, [field]: value });
      events.push(Object.fromEntries([['type', type], ...fields.map((field) => [field, value])]));
    }
  }
  const findings = lintEvents(events, {
    earlier: events,
    resume: values as never,
    contracts: { x: values[0] as never },
  });
  expect(findings.length).toBeGreaterThan(events.length / 2);
  for (const { index } of findings) expect(index).toBeLessThan(events.length);
});

it('what contains itself, and what would be endless written out', () => {
  const self: Record<string, unknown> = { type: 'CUSTOM', name: 'a.b' };
  self.value = { self };
  let doubled: unknown = 'x';
  for (let count = 0; count < 60; count++) doubled = [doubled, doubled];
  let deep: unknown = [];
  for (let count = 0; count < 200_000; count++) deep = [deep];
  const events = [
    START,
    self,
    { type: 'CUSTOM', name: 'a.b', value: doubled },
    { type: 'CUSTOM', name: 'a.b', value: deep },
    { type: 'STATE_SNAPSHOT', snapshot: new Uint8Array(100_000_000) },
    { type: 'MESSAGES_SNAPSHOT', messages: new Array(4_000_000_000) },
    END,
  ];
  expect(rulesOf(events)).toEqual({ 'event-no-json': 3, 'event-too-large': 1 });
});

it('patches that double a value each time, and that copy a large one each time', () => {
  const copy = { type: 'STATE_DELTA', delta: [{ op: 'copy', from: '', path: '/x' }] };
  const doubling = Array.from({ length: 200 }, () => copy);
  expect(rulesOf([START, ...doubling, END], { state: {} })).toEqual({});

  const compare = {
    type: 'STATE_DELTA',
    delta: [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a', value: {} },
    ],
  };
  const test = { type: 'STATE_DELTA', delta: [{ op: 'test', path: '', value: {} }] };
  expect(rulesOf([START, compare, test, END], { state: { a: 1 } })).toEqual({ 'patch-not-applicable': 1 });

  const large = { type: 'STATE_SNAPSHOT', snapshot: Array.from({ length: 100_000 }, () => 0) };
  const append = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/-', value: 0 }] };
  expect(rulesOf([START, large, ...Array.from({ length: 10_000 }, () => append), END])).toEqual({
    'patch-not-followed': 1,
  });
});

const many: [count: number, what: string, make: (index: number) => unknown, expected: Record<string, number>][] = [
  [
    MILLION,
    'messages that stay open',
    (index) => ({ type: 'TEXT_MESSAGE_START', messageId: `m${index}` }),
    { 'item-left-open': 1 },
  ],
  [
    MANY,
    'subagents that stay active',
    (index) => ({ type: 'SUBAGENT_STARTED', subagentRunId: `s${index}`, name: 'a' }),
    { 'subagent-left-open': 1 },
  ],
  [
    MANY,
    'runs in a row',
    (index) => ({ ...(index % 2 === 0 ? END : START), runId: `r${(index + 1) >> 1}` }),
    { 'run-ids-differ': 2, 'run-id-reused': 0 },
  ],
  [
    MANY,
    'nested subagents',
    (index) => ({
      type: 'SUBAGENT_STARTED',
      subagentRunId: `s${index}`,
      name: 'a',
      ...(index > 0 && { parentSubagentRunId: `s${index - 1}` }),
    }),
    { 'subagent-left-open': 1 },
  ],
  [
    MANY,
    'chunks, each in a lane of its own',
    (index) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: `m${index}`, subagentRunId: `s${index}`, delta: 'x' }),
    { 'subagent-not-announced': MANY },
  ],
  [MILLION, 'events that are none', () => null, { 'event-no-object': MILLION }],
];

it.each(many)('%d %s', { timeout: 120_000 }, (count, _what, make, expected) => {
  function* events() {
    yield START;
    for (let index = 0; index < count; index++) yield make(index);
    yield END;
  }
  const counts = rulesOf(events());
  for (const [rule, times] of Object.entries(expected)) expect(counts[rule] ?? 0).toBe(times);
});

it('many subagents that leave something open, each', { timeout: 120_000 }, () => {
  function* events() {
    yield START;
    for (let index = 0; index < MANY; index++) {
      yield { type: 'SUBAGENT_STARTED', subagentRunId: `s${index}`, name: 'a' };
      yield { type: 'TEXT_MESSAGE_START', messageId: `m${index}`, subagentRunId: `s${index}` };
    }
    for (let index = 0; index < MANY; index++) yield { type: 'SUBAGENT_FINISHED', subagentRunId: `s${index}` };
    yield END;
  }
  expect(rulesOf(events())).toEqual({ 'item-outlives-subagent': MANY });
});
