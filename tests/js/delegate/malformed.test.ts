// Children that throw, yield garbage, or lie: each has its code, its event and an envelope.
import { type ChildEvent, defineAgent, delegate } from 'subcontract';
import { expect, test } from 'vitest';
import { collect, fixed, soon } from './strict-client.js';

const base = { name: 'a', description: 'b' };

async function* yielding(...items: unknown[]): AsyncGenerator<never> {
  for (const item of items) yield item as never;
}

function thrower(thrown: unknown) {
  return () => {
    throw thrown;
  };
}

const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const cycle: Record<string, unknown> = {};
cycle.cycle = cycle;

const cases: Record<string, [run: (ctx: { seed: unknown }) => unknown, code: string, message: string | RegExp]> = {
  'run throws': [thrower(new Error('no key')), 'child_error', 'no key'],
  'run throws a string': [thrower('plain'), 'child_error', 'plain'],
  'run throws nothing': [thrower(undefined), 'child_error', 'undefined'],
  'run throws what has no text': [thrower(Object.create(null)), 'child_error', 'no reason given'],
  'run rejects': [async () => Promise.reject(new Error('later')), 'child_error', 'later'],
  'the stream throws midway': [
    async function* () {
      yield 'half';
      throw new Error('cut');
    },
    'child_error',
    'cut',
  ],
  'the iterator gives no result object': [
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => 7 }) }),
    'invalid_event',
    /./,
  ],
  'the iterator is none': [() => ({ [Symbol.asyncIterator]: () => null }), 'child_error', /./],
  'a value that JSON cannot write': [
    () => cycle,
    'child_error',
    'run returned what is no JSON at /cycle: the value contains itself',
  ],
  'a bigint': [() => 1n, 'child_error', 'run returned what is no JSON at its root: bigint has no JSON form'],
  'a number that JSON does not have': [
    () => ({ price: Number.NaN }),
    'child_error',
    'run returned what is no JSON at /price: NaN is no JSON number',
  ],
  'a value that JSON would empty': [
    () => ({ prices: new Map([['a', 1]]) }),
    'child_error',
    'run returned what is no JSON at /prices: Map has no JSON form',
  ],
  'a function': [() => () => 1, 'child_error', 'run returned what is no JSON at its root: function has no JSON form'],
  'an event that JSON cannot write': [
    () => yielding({ type: 'CUSTOM', name: 'x', value: 1n }),
    'invalid_event',
    "item 1 of the child's stream: CUSTOM has a value that is no JSON",
  ],
  'an unknown event that JSON cannot write': [
    () => yielding({ type: 'MINE', cycle }),
    'invalid_event',
    "item 1 of the child's stream: MINE is no JSON",
  ],
  'an optional id that is no string': [
    () => yielding({ type: 'TEXT_MESSAGE_CHUNK', messageId: 5, delta: 'x' }),
    'invalid_event',
    "item 1 of the child's stream: TEXT_MESSAGE_CHUNK has a messageId that is no string",
  ],
  "a chunk's delta that is no string": [
    () => yielding({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: {} }),
    'invalid_event',
    "item 1 of the child's stream: TEXT_MESSAGE_CHUNK has a delta that is no string",
  ],
  RUN_ERROR: [() => yielding({ type: 'RUN_ERROR', message: 'quota', code: '429' }), 'child_error', 'quota'],
  'RUN_ERROR without a message': [() => yielding({ type: 'RUN_ERROR' }), 'child_error', 'the child reported an error'],
  'an error of many lines': [
    thrower(new Error(`a\n\n  ${'b'.repeat(600)}`)),
    'child_error',
    `a ${'b'.repeat(498)} […]`,
  ],
  'a null event': [() => yielding(null), 'invalid_event', "item 1 of the child's stream: null is no AG-UI event"],
  'an undefined event': [
    () => yielding(undefined),
    'invalid_event',
    "item 1 of the child's stream: undefined is no AG-UI event",
  ],
  'a number': [() => yielding('ok', 7), 'invalid_event', "item 2 of the child's stream: a number is no AG-UI event"],
  'an array': [
    () => yielding([{ type: 'CUSTOM' }]),
    'invalid_event',
    "item 1 of the child's stream: an array is no AG-UI event",
  ],
  'an object without a type': [
    () => yielding({}),
    'invalid_event',
    "item 1 of the child's stream: an object without a type is no AG-UI event",
  ],
  'a delta that is no string': [
    () => yielding({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 7 }),
    'invalid_event',
    "item 1 of the child's stream: TEXT_MESSAGE_CONTENT needs a string delta",
  ],
  'a message without an id': [
    () => yielding({ type: 'TEXT_MESSAGE_START', messageId: null }),
    'invalid_event',
    "item 1 of the child's stream: TEXT_MESSAGE_START needs a string messageId",
  ],
  'a tag that is no string': [
    () => yielding({ type: 'CUSTOM', name: 'x', value: 1, subagentRunId: 7 }),
    'invalid_event',
    "item 1 of the child's stream: CUSTOM has a subagentRunId that is no string",
  ],
  'an event with a getter that throws': [
    () =>
      yielding({
        get type() {
          throw new Error('trap');
        },
      }),
    'invalid_event',
    "item 1 of the child's stream: trap",
  ],
  'an interrupt outcome without interrupts': [
    () => yielding({ ...finished, outcome: { type: 'interrupt', interrupts: [] } }),
    'invalid_event',
    /interrupt outcome needs interrupts/,
  ],
  'an interrupt without a reason': [
    () => yielding({ ...finished, outcome: { type: 'interrupt', interrupts: [{ id: 'i' }] } }),
    'invalid_event',
    /interrupt outcome needs interrupts/,
  ],
};

test.each(Object.entries(cases))('%s', async (_, [run, code, message]) => {
  const agent = defineAgent({ ...base, run: run as () => string });
  const delegation = delegate(agent, undefined, fixed());
  const events = await soon(collect(delegation));
  const { status, error, final_result } = await delegation.envelope;
  expect({ status, code: error?.code, final_result }).toEqual({ status: 'failed', code, final_result: null });
  if (typeof message === 'string') expect(error?.message).toBe(message);
  else expect(error?.message).toMatch(message);
  expect(events.at(-1)).toEqual({ type: 'SUBAGENT_ERROR', subagentRunId: 'child-1', message: error?.message, code });
  await expect(delegation.orThrow()).rejects.toMatchObject({
    name: 'SubagentContractError',
    code,
    message: error?.message,
  });
});

test("what the child threw is the error's cause", async () => {
  const thrown = new Error('no key');
  const agent = defineAgent({ ...base, run: thrower(thrown) });
  await expect(delegate(agent).orThrow()).rejects.toMatchObject({ cause: thrown });
});

test('an interrupt that JSON cannot write cannot be resumed, and fails', async () => {
  const interrupts = [{ id: 'i', reason: 'r', metadata: { big: 1n } }];
  const agent = defineAgent({
    ...base,
    run: () => yielding({ ...finished, outcome: { type: 'interrupt', interrupts } }),
  });
  const delegation = delegate(agent, undefined, fixed());
  const events = await collect(delegation);
  const envelope = await delegation.envelope;
  expect(events.at(-1)).toMatchObject({ type: 'SUBAGENT_ERROR', message: envelope.error?.message });
  expect(envelope).toMatchObject({ run_id: 'child-1', status: 'failed', error: { code: 'invalid_event' } });
  expect(JSON.parse(await delegation.toolResult)).toMatchObject({ run_id: 'child-1', status: 'failed' });
});

test('a cancelled run is a cancelled child', async () => {
  const agent = defineAgent({ ...base, run: () => yielding({ ...finished, outcome: { type: 'cancelled' } }) });
  const delegation = delegate(agent, undefined, fixed());
  expect((await collect(delegation)).at(-1)).toMatchObject({ type: 'SUBAGENT_ERROR', code: 'aborted' });
  expect(await delegation.envelope).toMatchObject({ status: 'cancelled', error: { code: 'aborted' } });
});

test('an event of an unknown type goes out as RAW; null and undefined fields are left out', async () => {
  const odd = { type: 'THINKING_PARTY', deep: { null: null } };
  const agent = defineAgent({
    ...base,
    run: () =>
      yielding(
        odd,
        { type: 'TEXT_MESSAGE_START', messageId: 'm', name: null, role: undefined, metadata: null },
        { type: 'CUSTOM', name: 'x', value: null },
        { type: 'CUSTOM', name: 'y' },
      ),
  });
  const events = await collect(delegate(agent, undefined, fixed()));
  expect(events.slice(1, 5)).toEqual([
    { type: 'RAW', event: odd, subagentRunId: 'child-1' },
    { type: 'TEXT_MESSAGE_START', messageId: 'child-1:m', subagentRunId: 'child-1' },
    { type: 'CUSTOM', name: 'x', value: null, subagentRunId: 'child-1' },
    { type: 'CUSTOM', name: 'y', value: null, subagentRunId: 'child-1' },
  ]);
});

test('__proto__ in events, briefs and returns stays an ordinary key', async () => {
  const event = JSON.parse('{"type":"CUSTOM","name":"x","value":1,"__proto__":{"polluted":true}}');
  const agent = defineAgent({
    ...base,
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    run: async function* (ctx) {
      const tool = ctx.returnTool;
      yield event as ChildEvent;
      yield { type: 'TOOL_CALL_START', toolCallId: '__proto__', toolCallName: tool?.name };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: '__proto__', delta: '{"__proto__":{"polluted":true}}' };
      yield { type: 'TOOL_CALL_END', toolCallId: '__proto__' };
      await tool?.execute({}, { toolCallId: '__proto__' });
    },
  });
  const delegation = delegate(agent, '{"__proto__":{"polluted":true}}', fixed());
  const events: unknown[] = [];
  for await (const out of delegation) events.push(out);
  const text = await delegation.envelopeText;
  expect(text).toContain('"final_result":{"__proto__":{"polluted":true}}');
  expect(text).toContain('"input":{"__proto__":{"polluted":true}}');
  expect(Object.hasOwn(events[1] as object, '__proto__')).toBe(true);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect((events[1] as { polluted?: boolean }).polluted).toBeUndefined();
});

test('a clock that fails costs the duration, and an id maker that fails the child, never the envelope', async () => {
  const agent = defineAgent({ ...base, run: () => 'x' });
  const failing = (after: number) => {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls > after) throw new Error('broken');
      return calls;
    };
  };
  const timeless = delegate(agent, undefined, { ...fixed(), now: failing(1) });
  expect(await soon(timeless.envelope)).toMatchObject({
    status: 'completed',
    effort: { measured: { tool_calls: 0 } },
  });
  const unclocked = delegate(agent, undefined, { ...fixed(), now: failing(0) });
  expect(await soon(unclocked.envelope)).toMatchObject({
    status: 'failed',
    error: { code: 'child_error', message: 'broken' },
  });
  const nameless = delegate(agent, undefined, { ...fixed(), newId: failing(0) as () => never });
  expect(await soon(nameless.envelope)).toMatchObject({
    status: 'failed',
    error: { code: 'child_error', message: 'broken' },
  });
});

test('a lone surrogate, in a message, a text or a cut, is replaced and hides nothing', async () => {
  const long = `${'x'.repeat(499)}\u{1f600}${'y'.repeat(50)}`;
  const failing = (message: string) => delegate(defineAgent({ ...base, run: thrower(new Error(message)) })).envelope;
  expect((await failing(long)).error).toEqual({ code: 'child_error', message: `${'x'.repeat(499)} […]` });
  expect((await failing('\ud800')).error).toEqual({ code: 'child_error', message: '\ufffd' });
  const prose = await delegate(defineAgent({ ...base, run: () => 'a \\ud800 b \udc00' })).envelope;
  expect(prose).toMatchObject({ status: 'completed', task_summary: 'a \\ud800 b \ufffd' });
});

test('what a required payload cannot be in JSON is null; a debugging field that JSON cannot write is left out', async () => {
  const run = () =>
    yielding({ type: 'CUSTOM', name: 'x', value: () => 1 }, { type: 'STATE_SNAPSHOT', snapshot: {}, rawEvent: cycle });
  const events = await collect(delegate(defineAgent({ ...base, run }), undefined, fixed()));
  expect(events.slice(1, 3)).toEqual([
    { type: 'CUSTOM', name: 'x', value: null, subagentRunId: 'child-1' },
    { type: 'STATE_SNAPSHOT', snapshot: {}, subagentRunId: 'child-1' },
  ]);
});

test("a schema whose own validation throws is to blame, not the child; a brief's starts no child", async () => {
  const throwing = {
    '~standard': {
      version: 1,
      vendor: 'mine',
      validate: thrower(new Error('no network')),
      jsonSchema: { input: () => ({}), output: () => ({}) },
    },
  } as const;
  const error = { code: 'validation_threw', message: "the schema's own validation failed: no network" };
  let ran = 0;
  const run = () => {
    ran += 1;
    return '{}';
  };
  const returning = delegate(defineAgent({ ...base, outputSchema: throwing, run }), undefined, fixed());
  expect((await collect(returning)).at(-1)).toMatchObject({ type: 'SUBAGENT_ERROR', ...error });
  await expect(returning.orThrow()).rejects.toMatchObject({ name: 'SchemaError', ...error });
  const briefed = delegate(defineAgent({ ...base, inputSchema: throwing, run }), {}, fixed());
  expect(await collect(briefed)).toMatchObject([{ name: 'subcontract.not_started', value: error }]);
  await expect(briefed.orThrow()).rejects.toMatchObject({ name: 'SchemaError', ...error });
  expect(ran).toBe(1);
});
