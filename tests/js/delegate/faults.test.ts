// Faults of children, of what calls their models, and of whoever reads them: nothing hangs, nothing leaks, and every child is
// accounted for in exactly one envelope.
import {
  type AgentContext,
  type DelegateCall,
  defineAgent,
  delegate,
  delegateAll,
  delegationTree,
  type SubcontractAgent,
} from 'subcontract';
import { type AGUIEvent, encodeSSE } from 'subcontract/ag-ui';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countHandles } from './handles.js';
import { collectAll, fixedAll } from './several.js';
import { collect, fixed, soon } from './strict-client.js';

const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

const contract = {
  title: 'price',
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
} as const;

type Run = (ctx: AgentContext) => AsyncIterable<unknown> | Promise<unknown>;

/** A child with a contract. */
const child = (name: string, run: Run): SubcontractAgent =>
  defineAgent({
    name,
    description: name,
    outputSchema: contract,
    maxRetries: 1,
    run: run as never,
  }) as SubcontractAgent;

const args = '{"price":10}';

/** A call of the return tool in pieces, without its end. */
function* returning(ctx: AgentContext, text = args, id = 'r'): Generator<AGUIEvent> {
  yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: ctx.returnTool?.name ?? '' };
  for (const delta of text) yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta };
}

/** Returns by its return tool, as a host would carry the call out. */
async function* returns(ctx: AgentContext, text = args, id = 'r'): AsyncGenerator<AGUIEvent> {
  yield* returning(ctx, text, id);
  yield { type: 'TOOL_CALL_END', toolCallId: id };
  const content = (await ctx.returnTool?.execute(JSON.parse(text), { toolCallId: id })) ?? '';
  yield { type: 'TOOL_CALL_RESULT', messageId: `result-${id}`, toolCallId: id, content };
}

/** What a child does wrong, and what comes of it. */
const faults: Record<string, { run: Run; status: string; code?: string; price?: number }> = {
  'throws before it has begun': {
    run: () => {
      throw new Error('no luck');
    },
    status: 'failed',
    code: 'child_error',
  },
  'throws later, before its first event': {
    run: async () => {
      await pause();
      throw new Error('no luck');
    },
    status: 'failed',
    code: 'child_error',
  },
  'throws amid a message': {
    run: async function* () {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half a sen' };
      throw new Error('no luck');
    },
    status: 'failed',
    code: 'child_error',
  },
  'throws amid its return': {
    run: async function* (ctx) {
      yield* returning(ctx, '{"price":1');
      throw new Error('no luck');
    },
    status: 'failed',
    code: 'child_error',
  },
  'throws after its return was accepted': {
    run: async function* (ctx) {
      yield* returns(ctx);
      throw new Error('too late');
    },
    status: 'completed',
    price: 10,
  },
  'throws after its return was refused': {
    run: async function* (ctx) {
      yield* returns(ctx, '{"price":[]}');
      throw new Error('no luck');
    },
    status: 'failed',
    code: 'child_error',
  },
  'throws what is no error': {
    run: () =>
      Promise.reject({
        toString() {
          throw new Error('unreadable');
        },
      }),
    status: 'failed',
    code: 'child_error',
  },
  'ends amid its return, each time': {
    run: async function* (ctx) {
      yield* returning(ctx, '{"price":1');
    },
    status: 'failed',
    code: 'contract_exhausted',
  },
  'ends amid a message, and returns when run again': {
    run: async function* (ctx) {
      if (ctx.attempt === 2) yield* returns(ctx);
      else {
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half a sen' };
      }
    },
    status: 'completed',
    price: 10,
  },
  'says that its run failed, amid its return': {
    run: async function* (ctx) {
      yield* returning(ctx, '{"price"');
      yield { type: 'RUN_ERROR', message: 'the provider is down', code: '503' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: ':1}' };
    },
    status: 'failed',
    code: 'child_error',
  },
  'opens a call twice, and closes it twice': {
    run: async function* (ctx) {
      yield* returning(ctx);
      yield { type: 'TOOL_CALL_START', toolCallId: 'r', toolCallName: ctx.returnTool?.name ?? '' };
      for (let count = 0; count < 2; count += 1) yield { type: 'TOOL_CALL_END', toolCallId: 'r' };
    },
    status: 'completed',
    price: 10,
  },
  'sends deltas after the end, and of what nobody opened': {
    run: async function* (ctx) {
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'nobody', delta: 'foreign' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'nobody', delta: '{"price":99}' };
      yield { type: 'TOOL_CALL_RESULT', messageId: 'x', toolCallId: 'nobody', content: 'foreign' };
      yield* returning(ctx);
      yield { type: 'TOOL_CALL_END', toolCallId: 'r' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: ' late' };
      yield { type: 'TOOL_CALL_END', toolCallId: 'nobody' };
    },
    status: 'completed',
    price: 10,
  },
  'returns twice: the first one holds': {
    run: async function* (ctx) {
      yield* returns(ctx);
      yield* returns(ctx, '{"price":99}', 'again');
    },
    status: 'completed',
    price: 10,
  },
  'sends what is no event': {
    run: async function* () {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 7 };
    },
    status: 'failed',
    code: 'invalid_event',
  },
  'has a stream whose next and return throw': {
    run: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw new Error('no luck');
        },
        return: () => {
          throw new Error('nor that');
        },
      }),
    }),
    status: 'failed',
    code: 'child_error',
  },
  'never ends, and does not listen': { run: never, status: 'failed', code: 'child_timeout' },
  'goes on sending when it is told to stop': {
    run: async function* () {
      for (;;) {
        await pause();
        yield { type: 'CUSTOM', name: 'tick', value: 1 };
      }
    },
    status: 'failed',
    code: 'child_timeout',
  },
  'stops amid its return, and hangs': {
    run: async function* (ctx) {
      yield* returning(ctx, '{"price":1');
      await never();
    },
    status: 'failed',
    code: 'child_timeout',
  },
  'goes on after its return, and does not listen': {
    run: async function* (ctx) {
      yield* returns(ctx);
      try {
        await never();
      } finally {
        await never();
      }
    },
    status: 'completed',
    price: 10,
  },
};

/** Agents keep their contracts; made before each count, only what a delegation opens is counted. */
const sound = child('sound', (ctx) => returns(ctx, '{"price":1}'));
const deaf = child('deaf', never);
const cut = child('cut', async function* (ctx) {
  ctx.seed([]);
  yield* returns(ctx, '{"price":"a long text that goes on"}');
});

let handles: ReturnType<typeof countHandles>;
const unhandled: unknown[] = [];
const hear = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  handles = countHandles();
  unhandled.length = 0;
  process.on('unhandledRejection', hear);
});

afterEach(async () => {
  handles.stop();
  await pause(5);
  process.off('unhandledRejection', hear);
  expect(unhandled).toEqual([]);
});

/** A contract that came with the call is compiled for it alone: what is left open of it is a leak. */
const finalSchema = { ...contract };

describe.each(Object.entries(faults))('a child that %s', (name, { run, status, code, price }) => {
  const agent = child('a', run);
  // Short where it is what ends the child: a machine under load may take as long for a child that ends itself.
  const timeoutMs = code === 'child_timeout' ? 100 : 60_000;

  test('ends in one envelope, and leaves nothing open', async () => {
    const limits = delegationTree({ maxConcurrent: 1 });
    const delegation = delegate(agent, undefined, { ...fixed(), finalSchema, limits, timeoutMs });
    const events = await soon(collect(delegation));
    const envelope = await delegation.envelope;
    expect([
      envelope.status,
      envelope.error?.code,
      (envelope.final_result as { price?: number } | null)?.price,
    ]).toEqual([status, code, price]);
    const ends = events.filter(({ type }) => type === 'SUBAGENT_FINISHED' || type === 'SUBAGENT_ERROR');
    expect(ends).toHaveLength(1);
    expect(events.at(-1)).toBe(ends[0]);
    expect({ ...handles.open, running: limits.used.running }).toEqual({ contracts: 0, streams: 0, running: 0 });
    // Nothing changes afterwards, whatever the child goes on to do.
    const text = await delegation.envelopeText;
    await pause(5);
    expect([await delegation.envelopeText, name]).toEqual([text, name]);
  });

  test('costs its siblings nothing', async () => {
    const calls: DelegateCall[] = [{ agent: sound }, { agent, timeoutMs }, { agent: sound }];
    for (const order of ['parallel', 'sequence'] as const) {
      const children = delegateAll(
        calls.map((call) => ({ ...call, finalSchema })),
        { ...fixedAll(), order },
      );
      await soon(collectAll(children));
      const envelopes = await children.envelopes;
      expect(envelopes.map((envelope) => envelope.status)).toEqual(['completed', status, 'completed']);
      expect(new Set(envelopes.map(({ run_id }) => run_id)).size).toBe(3);
    }
    expect(handles.open).toEqual({ contracts: 0, streams: 0 });
  });
});

test('a child whose return was cut early leaves no stream open, nor does one that is left amid its return', async () => {
  await collect(delegate(cut, undefined, { ...fixed(), finalSchema }));
  const left = delegate(sound, undefined, { ...fixed(), finalSchema });
  let count = 0;
  for await (const _ of left) if (++count === 5) break;
  expect((await left.envelope).status).toBe('cancelled');
  expect(handles.open).toEqual({ contracts: 0, streams: 0 });
});

test.each(['a timeout', 'an abort'])(
  'a child whose reader never comes back is let go of by %s, amid its return',
  async (by) => {
    const controller = new AbortController();
    let ended = false;
    const agent = child('a', async function* (ctx) {
      try {
        yield* returning(ctx);
      } finally {
        ended = true;
      }
    });
    const { contracts } = handles.open;
    const options = { ...fixed(), finalSchema, abortSignal: controller.signal };
    const delegation = delegate(agent, undefined, { ...options, ...(by === 'a timeout' && { timeoutMs: 20 }) });
    const events = delegation[Symbol.asyncIterator]();
    for (let count = 0; count < 4; count += 1) await events.next();
    expect(handles.open).toEqual({ contracts: contracts + 1, streams: 1 });
    if (by === 'an abort') controller.abort();
    expect((await soon(delegation.envelope)).status).not.toBe('completed');
    await pause();
    expect({ ...handles.open, ended }).toEqual({ contracts, streams: 0, ended: true });
    // Should it come back all the same, it reads how the child ended.
    const rest: AGUIEvent[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) rest.push(next.value);
    expect(rest.map(({ type }) => type)).toEqual(['TOOL_CALL_END', 'SUBAGENT_ERROR']);
  },
);

describe('a clock that jumps', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('neither ends a child before its time nor keeps it beyond, nor shows in how long it took', async () => {
    const real = Date.now.bind(Date);
    let jump = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + jump);
    const limits = delegationTree({ timeoutMs: 2000 });
    const slow = defineAgent({
      name: 'slow',
      description: 'd',
      run: async () => {
        jump += 3_600_000;
        await pause(5);
        jump -= 7_200_000;
        await pause(5);
        return 'done';
      },
    });
    for (let count = 0; count < 2; count += 1) {
      const { status, effort } = await soon(delegate(slow, undefined, { limits, timeoutMs: 2000 }).envelope);
      expect(status).toBe('completed');
      expect(effort.measured.duration_ms).toBeGreaterThanOrEqual(8);
      expect(effort.measured.duration_ms).toBeLessThan(5000);
    }
    const deaf = defineAgent({ name: 'deaf', description: 'd', run: never });
    const stopped = delegate(deaf, undefined, { limits: { timeoutMs: 20 } }).envelope;
    jump = -3_600_000;
    expect((await soon(stopped)).error?.code).toBe('timeout_reached');
  });

  test('a given clock that goes back, or breaks, costs a duration and no envelope', async () => {
    const times = [5000, 1000, 1000, 1000, 1000];
    const agent = defineAgent({ name: 'a', description: 'd', run: () => 'done' });
    const back = await delegate(agent, undefined, { now: () => times.shift() ?? 0 }).envelope;
    expect([back.status, back.effort.measured.duration_ms]).toEqual(['completed', 0]);
    const broken = await delegate(agent, undefined, { now: () => Number.NaN }).envelope;
    expect([broken.status, broken.error?.code]).toEqual(['failed', 'invalid_option']);
  });
});

test('a thousand children, eight at once: each has its turn, its result, and one envelope', async () => {
  const seen = { now: 0, most: 0, runs: 0 };
  const agent = defineAgent({
    name: 'one',
    description: 'one of many',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    outputSchema: contract,
    run: async function* (ctx) {
      seen.runs += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await pause();
      const { id } = ctx.input as { id: number };
      // Every seventh breaks.
      if (id % 7 === 0) {
        seen.now -= 1;
        throw new Error(`no luck ${id}`);
      }
      yield* returns(ctx as AgentContext, `{"price":${id}}`);
      seen.now -= 1;
    },
  });
  const limits = delegationTree({ maxConcurrent: 8 });
  const calls = Array.from({ length: 1000 }, (_, id) => ({ agent, brief: { id } }));
  const children = delegateAll(calls, { limits });
  let events = 0;
  let open = 0;
  let most = 0;
  for await (const { type } of children) {
    events += 1;
    if (type === 'SUBAGENT_STARTED') most = Math.max(most, ++open);
    if (type === 'SUBAGENT_FINISHED' || type === 'SUBAGENT_ERROR') open -= 1;
  }
  expect(seen.runs).toBe(1000);
  expect(seen.most).toBeLessThanOrEqual(8);
  expect({ open, running: limits.used.running, calls: limits.used.calls }).toEqual({
    open: 0,
    running: 0,
    calls: 1000,
  });
  const envelopes = await children.envelopes;
  for (const [id, { status, final_result, error }] of envelopes.entries()) {
    const failed = id % 7 === 0;
    expect([status, (final_result as { price: number } | null)?.price, error?.message]).toEqual(
      failed ? ['failed', undefined, `no luck ${id}`] : ['completed', id, undefined],
    );
  }
  expect(new Set(envelopes.map(({ run_id }) => run_id)).size).toBe(1000);
  expect(events).toBeGreaterThan(1000 * 4);
  expect(handles.open.streams).toBe(0);
}, 60_000);

describe('ten megabytes of a child', () => {
  const MEGABYTE = 1 << 20;
  const block = 'x'.repeat(MEGABYTE);

  test('as its answer, through a frame of the stream and back', async () => {
    const agent = defineAgent({
      name: 'long',
      description: 'd',
      run: async function* () {
        for (let count = 0; count < 10; count += 1) yield block;
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    let bytes = 0;
    for await (const event of delegation) {
      if (event.type === 'TEXT_MESSAGE_CONTENT') bytes += encodeSSE(event).length;
    }
    expect(bytes).toBeGreaterThan(10 * MEGABYTE);
    expect((await delegation.envelope).task_summary).toHaveLength(10 * MEGABYTE);
  });

  test('as its return, in pieces: judged whole, and to the letter in the envelope', async () => {
    const agent = defineAgent({
      name: 'long',
      description: 'd',
      outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run: async function* (ctx) {
        yield* returning(ctx as AgentContext, '{"text":"');
        for (let count = 0; count < 10; count += 1) yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: block };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: '"}' };
        yield { type: 'TOOL_CALL_END', toolCallId: 'r' };
      },
    });
    const { status, final_result } = await delegate(agent, undefined, fixed()).envelope;
    expect(status).toBe('completed');
    expect((final_result as { text: string }).text).toHaveLength(10 * MEGABYTE);
    expect(handles.open.streams).toBe(0);
  });

  test('of each of several children at once, where one writes more than is taken', async () => {
    const agent = defineAgent({
      name: 'long',
      description: 'd',
      inputSchema: { type: 'object' },
      run: async function* ({ input }) {
        for (let count = 0; count < (input as { megabytes: number }).megabytes; count += 1) yield block;
      },
    });
    const children = delegateAll([
      { agent, brief: { megabytes: 10 } },
      { agent, brief: { megabytes: 64 } },
    ]);
    const [fits, over] = await children.envelopes;
    expect([fits.status, over.status, over.error?.code]).toEqual(['completed', 'failed', 'child_too_large']);
  });
});

describe('a consumer that never reads', () => {
  /** Sends as much as it is asked for. */
  function flood() {
    const seen = { sent: 0 };
    const agent = defineAgent({
      name: 'flood',
      description: 'd',
      run: async function* () {
        for (;;) {
          seen.sent += 1;
          yield { type: 'CUSTOM', name: 'drop', value: seen.sent };
        }
      },
    });
    return { agent, seen };
  }

  test('holds the child back, which sends no more than was asked for', async () => {
    const { agent, seen } = flood();
    const delegation = delegate(agent, undefined, fixed());
    const events = delegation[Symbol.asyncIterator]();
    for (let count = 0; count < 3; count += 1) await events.next();
    await pause(20);
    expect(seen.sent).toBe(2);
    await events.return?.();
  });

  test.each([
    ['an abort', { abort: true }, 'aborted'],
    ["the child's time", { timeoutMs: 20 }, 'child_timeout'],
    ['the time of its tree', { limits: { timeoutMs: 20 } }, 'timeout_reached'],
  ])('and is not waited for: %s ends the child, and its envelope resolves', async (_, given, code) => {
    const { agent } = flood();
    const { abort, ...options } = given as { abort?: boolean };
    const controller = new AbortController();
    const delegation = delegate(agent, undefined, { ...fixed(), ...options, abortSignal: controller.signal });
    const events = delegation[Symbol.asyncIterator]();
    for (let count = 0; count < 3; count += 1) await events.next();
    if (abort) controller.abort();
    expect((await soon(delegation.envelope)).error?.code).toBe(code);
    // Whoever reads on after all gets the same end, and no second one.
    const rest: AGUIEvent[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) rest.push(next.value);
    expect(rest.filter(({ type }) => type.startsWith('SUBAGENT_'))).toMatchObject([{ type: 'SUBAGENT_ERROR', code }]);

    const children = delegateAll([{ agent }, { agent: deaf }, { agent }], {
      ...fixedAll(),
      ...options,
      abortSignal: controller.signal,
    });
    if (abort) return;
    const all = children[Symbol.asyncIterator]();
    for (let count = 0; count < 4; count += 1) await all.next();
    expect((await soon(children.envelopes)).map(({ error }) => error?.code)).toEqual([code, code, code]);
    expect(handles.open).toEqual({ contracts: 0, streams: 0 });
  });

  test('of a child that has returned: the return is not lost', async () => {
    const delegation = delegate(sound, undefined, { ...fixed(), timeoutMs: 50 });
    const events = delegation[Symbol.asyncIterator]();
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.type === 'CUSTOM' && next.value.name === 'subcontract.attempt') break;
    }
    expect(await soon(delegation.envelope)).toMatchObject({ status: 'completed', final_result: { price: 1 } });
  });

  test('of several children, and never began: the envelopes come all the same', async () => {
    const children = delegateAll([{ agent: sound }, { agent: sound }]);
    expect((await soon(children.envelopes)).map(({ status }) => status)).toEqual(['completed', 'completed']);
  });
});

test('listeners on a long-lived signal are removed, however many children it stops', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  let most = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    listeners += 1;
    most = Math.max(most, listeners);
    add(...args);
  }) as typeof signal.addEventListener;
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  }) as typeof signal.removeEventListener;
  await delegateAll(Array(50).fill({ agent: sound }), { abortSignal: signal }).envelopes;
  await pause();
  expect({ listeners, most }).toEqual({ listeners: 0, most: 1 });
});
