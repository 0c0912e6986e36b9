// Limits of a tree of children: on every way to delegate, to any depth, with refusals that the parent's model can read.
import {
  type AgentContext,
  defineAgent,
  delegate,
  delegateAll,
  delegateTaskTool,
  delegationTree,
  type Limits,
  type SubcontractAgent,
} from 'subcontract';
import type { AGUIEvent, TokenUsage } from 'subcontract/ag-ui';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { collectAll, fixedAll } from './several.js';
import { collect, fixed, soon } from './strict-client.js';

const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const quick = defineAgent({ name: 'quick', description: 'is quick', run: () => 'done' });
const deaf = defineAgent({ name: 'deaf', description: 'never listens', run: () => new Promise<never>(() => {}) });

/** Delegates to itself, to any depth, and says in its answer what came of it. */
const digger: SubcontractAgent = defineAgent({
  name: 'digger',
  description: 'digs deeper',
  run: async function* (ctx: AgentContext<undefined>): AsyncGenerator<AGUIEvent | string> {
    const deeper = delegate(digger, undefined, { parent: ctx });
    yield* deeper;
    const { status, error, task_summary } = await deeper.envelope;
    const text = status === 'completed' ? `(${task_summary})` : `${error?.code}`;
    yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text };
    yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
  },
}) as SubcontractAgent;

/** Starts children of its own, and says how each ended. */
function foreman(workers: readonly SubcontractAgent[], own: { limits?: Limits } = {}): SubcontractAgent {
  return defineAgent({
    name: 'foreman',
    description: 'has children',
    run: async function* (ctx) {
      const children = delegateAll(
        workers.map((agent) => ({ agent })),
        { parent: ctx, ...own },
      );
      yield* children;
      const codes = (await children.envelopes).map(({ status, error }) => error?.code ?? status);
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: codes.join(' ') };
      yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
    },
  }) as SubcontractAgent;
}

describe('depth', () => {
  test('nested children go as deep as they may, and the refusal is a result that a model can read', async () => {
    const delegation = delegate(digger, undefined, { ...fixed(), limits: { maxDepth: 3 } });
    const events = await collect(delegation);
    expect((await delegation.envelope).task_summary).toBe('((max_depth_reached))');
    const started = events.filter((event) => event.type === 'SUBAGENT_STARTED');
    expect(started.map(({ parentSubagentRunId }) => parentSubagentRunId)).toEqual([
      undefined,
      started[0]?.subagentRunId,
      started[1]?.subagentRunId,
    ]);
    expect(events.filter((event) => event.type === 'CUSTOM')).toMatchObject([
      {
        name: 'subcontract.not_started',
        value: {
          name: 'digger',
          code: 'max_depth_reached',
          message:
            'the subagent was not started: its parent is 3 deep, and nobody may be deeper than 3; do its job yourself',
        },
      },
    ]);
  });

  test("a child has its parent's thread and run, and is stopped with it", async () => {
    const seen: Partial<AgentContext>[] = [];
    let signal: AbortSignal | undefined;
    const inner = defineAgent({
      name: 'inner',
      description: 'd',
      run: ({ threadId, parentRunId, parentSubagentRunId, abortSignal }) => {
        seen.push({ threadId, parentRunId, parentSubagentRunId });
        signal = abortSignal;
        return new Promise<never>(() => {});
      },
    });
    const outer = defineAgent({
      name: 'outer',
      description: 'd',
      run: async (ctx) => JSON.stringify(await delegate(inner, undefined, { parent: ctx }).envelope),
    });
    const delegation = delegate(outer, undefined, fixed());
    setTimeout(() => delegation.abort(), 20);
    expect((await soon(delegation.envelope)).status).toBe('cancelled');
    expect(seen).toEqual([{ threadId: 'thread', parentRunId: 'child-run', parentSubagentRunId: 'child-1' }]);
    await pause();
    expect(signal?.aborted).toBe(true);
  });
});

describe('how many', () => {
  test('maxAgents counts the children of one parent, maxCalls those of the whole tree', async () => {
    const calls = [1, 2, 3].map(() => ({ agent: foreman([quick, quick, quick]) }));
    const perParent = delegateAll(calls, { ...fixedAll(), limits: { maxAgents: 2 } });
    await collectAll(perParent);
    expect((await perParent.envelopes).map(({ task_summary, error }) => task_summary ?? error?.code)).toEqual([
      'completed completed max_agents_reached',
      'completed completed max_agents_reached',
      'max_agents_reached',
    ]);
    const whole = delegateAll(calls, { ...fixedAll(), order: 'sequence', limits: { maxCalls: 6 } });
    await collectAll(whole);
    expect((await whole.envelopes).map(({ task_summary, error }) => task_summary ?? error?.code)).toEqual([
      'completed completed completed',
      'completed max_calls_reached max_calls_reached',
      'max_calls_reached',
    ]);
  });

  test('children that never start, and those that are resumed, do not count', async () => {
    const briefed = defineAgent({
      name: 'briefed',
      description: 'd',
      inputSchema: z.object({ task: z.string() }),
      async *run(ctx) {
        if (ctx.resume) yield 'resumed';
        else {
          yield {
            type: 'RUN_FINISHED',
            threadId: 't',
            runId: ctx.runId,
            outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'approval' }] },
          };
        }
        ctx.seed([]);
      },
    });
    const limits = delegationTree({ maxCalls: 1, maxAgents: 1 });
    const refused = delegate(briefed, { town: 'x' }, { ...fixed(), limits });
    await collect(refused);
    expect((await refused.envelope).error?.code).toBe('brief_rejected');
    const aborted = delegate(briefed, { task: 'x' }, { ...fixed(), limits, abortSignal: AbortSignal.abort() });
    expect((await aborted.envelope).status).toBe('cancelled');
    expect(limits.used).toEqual({ calls: 0, running: 0, tokens: 0 });

    const waiting = await delegate(briefed, { task: 'x' }, { ...fixed(), limits }).envelope;
    expect([waiting.status, limits.used]).toEqual(['suspended', { calls: 1, running: 0, tokens: 0 }]);
    expect((await delegate(briefed, { task: 'x' }, { ...fixed(), limits }).envelope).error?.code).toBe(
      'max_agents_reached',
    );
    const state = JSON.parse(waiting.resume?.state as string);
    const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
    const resumed = delegate(briefed, undefined, { ...fixed(), limits, resume: { state, entries } });
    expect(await resumed.envelope).toMatchObject({ status: 'failed', error: { code: 'seed_not_used' } });
    expect(limits.used.calls).toBe(1);
  });

  test('a tree is shared by several delegations, and delegate_task has one for all its calls', async () => {
    const limits = delegationTree({ maxCalls: 2 });
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      codes.push((await delegate(quick, undefined, { ...fixed(), limits }).envelope).error?.code);
    }
    expect(codes).toEqual([undefined, undefined, 'max_calls_reached']);

    const tool = delegateTaskTool([quick], { delegation: { limits: { maxCalls: 1 }, subagentRunId: 's' } });
    const call = { subagent: 'quick', task: 'go' };
    expect(JSON.parse(await tool.execute(call))).toMatchObject({ task_summary: 'done' });
    expect(JSON.parse(await tool.execute(call))).toEqual({
      run_id: 's',
      subagent: 'quick',
      task_summary: null,
      final_result: null,
      status: 'failed',
      error:
        'max_calls_reached: the subagent was not started: 1 were started in all, and no more than 1 may be; go on with what you have',
    });
  });

  test('limits inside a tree hold as well as those around it', async () => {
    const inner = foreman([quick, quick, quick], { limits: { maxAgents: 2 } });
    const around = delegate(inner, undefined, { ...fixed(), limits: { maxCalls: 2 } });
    await collect(around);
    expect((await around.envelope).task_summary).toBe('completed max_calls_reached max_calls_reached');
    const inside = delegate(inner, undefined, { ...fixed(), limits: { maxCalls: 10 } });
    await collect(inside);
    expect((await inside.envelope).task_summary).toBe('completed completed max_agents_reached');
  });
});

describe('at once', () => {
  /** Counts how many of its children run at once. */
  function counted(ms = 1) {
    const seen = { now: 0, most: 0, runs: 0 };
    const agent = defineAgent({
      name: 'counted',
      description: 'd',
      run: async () => {
        seen.runs += 1;
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        await pause(ms);
        seen.now -= 1;
        return 'done';
      },
    });
    return { agent, seen };
  }

  test('no more than maxConcurrent run, in call order, and all get their turn', async () => {
    const { agent, seen } = counted();
    const limits = delegationTree({ maxConcurrent: 3 });
    const children = delegateAll(Array(10).fill({ agent }), { ...fixedAll(), limits });
    const events = await collectAll(children);
    expect(seen).toEqual({ now: 0, most: 3, runs: 10 });
    const ids = children.children.map(({ subagentRunId }) => subagentRunId);
    expect(events.flatMap((event) => (event.type === 'SUBAGENT_STARTED' ? event.subagentRunId : []))).toEqual(ids);
    expect(limits.used).toEqual({ calls: 10, running: 0, tokens: 0 });
  });

  test('a deep tree with one place does not wait for itself', async () => {
    const { agent, seen } = counted();
    const deep = foreman([foreman([agent, agent]), agent, foreman([agent])]);
    const limits = delegationTree({ maxConcurrent: 1 });
    const children = delegateAll([{ agent: deep }, { agent: deep }], { ...fixedAll(), limits });
    await soon(collectAll(children));
    expect((await children.envelopes).map(({ task_summary }) => task_summary)).toEqual(
      Array(2).fill('completed completed completed'),
    );
    expect(seen).toEqual({ now: 0, most: 1, runs: 8 });
    expect(limits.used.running).toBe(0);
  });

  test('the places are those of the whole tree', async () => {
    const { agent, seen } = counted(5);
    const calls = [1, 2, 3].map(() => ({ agent: foreman(Array(4).fill(agent)) }));
    const children = delegateAll(calls, { ...fixedAll(), limits: { maxConcurrent: 4 } });
    await soon(collectAll(children));
    expect(seen).toEqual({ now: 0, most: 4, runs: 12 });
  });

  test('a child that leaves its own children behind leaves them its place', async () => {
    const { agent, seen } = counted(10);
    const left: Promise<unknown>[] = [];
    const careless = defineAgent({
      name: 'careless',
      description: 'd',
      run: (ctx) => {
        left.push(delegate(agent, undefined, { parent: { ...ctx } }).envelope);
        return pause(2).then(() => 'gone');
      },
    });
    const limits = delegationTree({ maxConcurrent: 1 });
    const children = delegateAll([{ agent: careless }, { agent }], { ...fixedAll(), limits });
    await soon(collectAll(children));
    await Promise.all(left);
    expect(seen).toEqual({ now: 0, most: 1, runs: 2 });
    expect(limits.used.running).toBe(0);
  });

  test('a child that waits for its turn can be stopped, and those behind it get theirs', async () => {
    const { agent } = counted(10);
    const limits = delegationTree({ maxConcurrent: 1 });
    const first = delegate(agent, undefined, { limits });
    const second = delegate(agent, undefined, { limits });
    const third = delegate(agent, undefined, { limits });
    const all = Promise.all([first, second, third].map(({ envelope }) => envelope));
    await pause(1);
    second.abort();
    expect((await soon(second.envelope)).status).toBe('cancelled');
    expect((await soon(all)).map(({ status }) => status)).toEqual(['completed', 'cancelled', 'completed']);
    expect(limits.used).toEqual({ calls: 2, running: 0, tokens: 0 });
  });
});

describe('time', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('what runs when it is over is stopped, what waits is refused, and what comes later too', async () => {
    const limits = delegationTree({ timeoutMs: 20, maxConcurrent: 2 });
    const children = delegateAll([{ agent: deaf }, { agent: deaf }, { agent: quick }], { ...fixedAll(), limits });
    await soon(collectAll(children));
    const over = 'the time for all subagents, 20 ms, is over; go on with what you have';
    expect((await children.envelopes).map(({ status, error }) => [status, error?.code, error?.message])).toEqual([
      ['failed', 'timeout_reached', `the subagent was stopped: ${over}`],
      ['failed', 'timeout_reached', `the subagent was stopped: ${over}`],
      ['failed', 'timeout_reached', `the subagent was not started: ${over}`],
    ]);
    expect((await delegate(quick, undefined, { limits }).envelope).error?.code).toBe('timeout_reached');
    expect(limits.used.running).toBe(0);
  });

  test('in a sequence those that have not begun are refused, also when nobody reads', async () => {
    const children = delegateAll([{ agent: deaf }, { agent: quick }], { order: 'sequence', limits: { timeoutMs: 20 } });
    const events = children[Symbol.asyncIterator]();
    await events.next();
    expect((await soon(children.envelopes)).map(({ error }) => error?.code)).toEqual([
      'timeout_reached',
      'timeout_reached',
    ]);
  });

  test('nested children are stopped with the tree', async () => {
    const delegation = delegate(foreman([deaf, deaf]), undefined, { ...fixed(), limits: { timeoutMs: 20 } });
    await soon(collect(delegation));
    expect((await delegation.envelope).error?.code).toBe('timeout_reached');
  });

  test('a child that waits in another tree does not start when the time is over, and no timer is left', async () => {
    const outer = delegationTree({ timeoutMs: 30 });
    const inner = delegationTree({ maxConcurrent: 1 });
    const codes = async (ctx: AgentContext) => {
      const [first, second] = await delegateAll([{ agent: quick }, { agent: deaf }], { parent: ctx, limits: inner })
        .envelopes;
      return `${first.error?.code} ${second.error?.code}`;
    };
    // Its children outlive it: it returns, and is not there to be stopped.
    let left: Promise<string> | undefined;
    const leaver = defineAgent({
      name: 'leaver',
      description: 'does not wait for its children',
      run: (ctx) => {
        left = codes(ctx);
        return 'left';
      },
    });
    let done = () => {};
    const held = new Promise<string>((resolve) => {
      done = () => resolve('done');
    });
    const holder = defineAgent({ name: 'holder', description: 'has the one place', run: () => held });
    const holding = delegate(holder, undefined, { limits: inner }).envelope;
    await delegate(leaver, undefined, { limits: outer }).envelope;
    expect(await soon(left as Promise<string>)).toBe('timeout_reached timeout_reached');
    done();
    await holding;
    expect({ inner: inner.used, outer: outer.used }).toEqual({
      inner: { calls: 1, running: 0, tokens: 0 },
      outer: { calls: 1, running: 0, tokens: 0 },
    });
  });

  test('a child that gets its place after the time of another tree does not start', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1000);
    const outer = delegationTree({ timeoutMs: 60_000 });
    const inner = delegationTree({ maxConcurrent: 1 });
    let ran = false;
    const late = defineAgent({
      name: 'late',
      description: 'would run',
      run: () => {
        ran = true;
        return '';
      },
    });
    const first = defineAgent({
      name: 'first',
      description: 'is there when the time is over',
      run: () => {
        vi.spyOn(performance, 'now').mockReturnValue(1000 + 60_000);
        return 'done';
      },
    });
    const boss = defineAgent({
      name: 'boss',
      description: 'has two children',
      run: async (ctx) => {
        const children = delegateAll([{ agent: first }, { agent: late }], { parent: ctx, limits: inner });
        return (await children.envelopes).map(({ status, error }) => error?.code ?? status).join(' ');
      },
    });
    const { task_summary } = await soon(delegate(boss, undefined, { limits: outer }).envelope);
    expect([task_summary, ran]).toEqual(['completed timeout_reached', false]);
  });

  test('no timer is left behind, and a tree that is used again goes on from where it was', async () => {
    vi.useFakeTimers();
    const limits = delegationTree({ timeoutMs: 1000 });
    const first = delegate(quick, undefined, { limits }).envelope;
    await vi.advanceTimersByTimeAsync(1);
    expect((await first).status).toBe('completed');
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(900);
    const second = delegate(deaf, undefined, { limits }).envelope;
    await vi.advanceTimersByTimeAsync(98);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    expect((await second).error?.code).toBe('timeout_reached');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('tokens', () => {
  /** Calls its model so many times, each for a hundred tokens; the usage comes after each call, as hosts tell it. */
  function spender(turns: number, usage: TokenUsage = { inputTokens: 90, outputTokens: 10 }): SubcontractAgent {
    return defineAgent({
      name: 'spender',
      description: 'spends',
      run: async function* ({ runId }) {
        for (let turn = 1; turn <= turns; turn += 1) {
          await pause();
          yield { type: 'TOOL_CALL_START', toolCallId: `c${turn}`, toolCallName: 'search' };
          yield { type: 'TOOL_CALL_END', toolCallId: `c${turn}` };
          yield { type: 'RUN_FINISHED', threadId: 't', runId, usage: [usage] };
          yield { type: 'TOOL_CALL_RESULT', messageId: `r${turn}`, toolCallId: `c${turn}`, content: 'found' };
        }
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done' };
        yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
        yield { type: 'RUN_FINISHED', threadId: 't', runId, usage: [usage] };
      },
    }) as SubcontractAgent;
  }

  test('a child that has used them up does not call its model again', async () => {
    const limits = delegationTree({ maxTokens: 200 });
    const delegation = delegate(spender(5), undefined, { ...fixed(), limits });
    const events = await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      status: 'failed',
      error: {
        code: 'max_tokens_reached',
        message:
          'the subagent was stopped: 200 tokens were used by all subagents, and no more than 200 may be; go on with what you have',
      },
      usage: [{ inputTokens: 180, outputTokens: 20 }],
    });
    expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toHaveLength(2);
    expect(limits.used).toEqual({ calls: 1, running: 0, tokens: 200 });
    expect((await delegate(quick, undefined, { limits }).envelope).error?.code).toBe('max_tokens_reached');
  });

  test('one whose last call used them up has done its work', async () => {
    const delegation = delegate(spender(1), undefined, { ...fixed(), limits: { maxTokens: 150 } });
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({ status: 'completed', task_summary: 'done' });
  });

  test('siblings and nested children share them', async () => {
    const limits = delegationTree({ maxTokens: 500 });
    const children = delegateAll([{ agent: spender(50) }, { agent: foreman([spender(50)]) }], {
      ...fixedAll(),
      limits,
    });
    await collectAll(children);
    const [one, other] = await children.envelopes;
    expect(one?.error?.code).toBe('max_tokens_reached');
    expect([other?.task_summary, other?.error?.code]).toContain('max_tokens_reached');
    expect(limits.used.tokens).toBeLessThanOrEqual(600);
  });

  /** Reports its own tokens and, rolled up as `chatWithSubagents` does, those of the children that it delegates to. */
  const reporter = (own: number, children: readonly SubcontractAgent[], says = true) =>
    defineAgent({
      name: 'reporter',
      description: 'd',
      run: async function* (ctx) {
        const { envelopes } = delegateAll(
          children.map((agent) => ({ agent })),
          { parent: ctx },
        );
        const usages = (await envelopes).map(({ usage = [] }) => usage);
        const tokens = own + usages.flat().reduce((sum, { totalTokens = 0 }) => sum + totalTokens, 0);
        const theirs = usages.map((usage) => ({ subagentRunId: 'of no importance', usage: usage[0] }));
        yield {
          type: 'RUN_FINISHED',
          threadId: 't',
          runId: ctx.runId,
          usage: [{ totalTokens: tokens }],
          ...(says && { metadata: { subcontract: { usage: { children: theirs } } } }),
        };
      },
    }) as unknown as SubcontractAgent;

  test("a child's children count once where its report says which tokens are theirs, however deep the tree", async () => {
    const limits = delegationTree({ maxTokens: 1000 });
    const deep = reporter(1, [reporter(10, [reporter(100, []), reporter(200, [])]), reporter(20, [])]);
    const envelope = await delegate(deep, undefined, { limits }).envelope;
    expect(envelope.usage).toEqual([{ totalTokens: 331 }]);
    expect(limits.used.tokens).toBe(331);
  });

  test('what it says of children that no tree has counted counts as its own', async () => {
    const limits = delegationTree({ maxTokens: 1000 });
    const elsewhere = defineAgent({
      name: 'elsewhere',
      description: 'd',
      run: async function* ({ runId }) {
        const metadata = { subcontract: { usage: { children: [{ usage: { totalTokens: 70 } }, null, {}] } } };
        yield { type: 'RUN_FINISHED', threadId: 't', runId, usage: [{ totalTokens: 100 }], metadata };
      },
    });
    await delegate(elsewhere, undefined, { limits }).envelope;
    expect(limits.used.tokens).toBe(100);
    await delegate(reporter(1, [reporter(10, [])], false), undefined, { limits }).envelope;
    expect(limits.used.tokens).toBe(100 + 10 + 11);
  });

  test('a sum over models of which one tells no total is not taken for the whole', async () => {
    const limits = delegationTree({ maxTokens: 1000 });
    const mixed = defineAgent({
      name: 'mixed',
      description: 'd',
      run: async function* ({ runId }) {
        const usage = [{ inputTokens: 80, outputTokens: 30, totalTokens: 40 }, { totalTokens: 5 }];
        yield { type: 'CUSTOM', name: 'x', value: null };
        yield { type: 'RUN_FINISHED', threadId: 't', runId, usage };
      },
    });
    await delegate(mixed, undefined, { limits }).envelope;
    expect(limits.used.tokens).toBe(115);
  });

  test('a total that is reported counts as it is, and a child is not run again past the limit', async () => {
    let runs = 0;
    const stubborn = defineAgent({
      name: 'stubborn',
      description: 'd',
      outputSchema: { type: 'integer' },
      run: async function* ({ runId }) {
        runs += 1;
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '"no"' };
        yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
        yield { type: 'RUN_FINISHED', threadId: 't', runId, usage: [{ totalTokens: 100 }] };
      },
    });
    const delegation = delegate(stubborn, undefined, { ...fixed(), limits: { maxTokens: 100 } });
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      error: { code: 'max_tokens_reached' },
      attempts: [{ attempt: 1, outcome: 'rejected' }],
    });
    expect(runs).toBe(1);
  });
});

test('a parent that is none is misuse: its limits would be lost in silence', () => {
  for (const parent of [{}, null, { abortSignal: undefined }, { abortSignal: {} }]) {
    expect(() => delegate(quick, undefined, { parent: parent as never })).toThrow(
      new TypeError('parent must be the context that run was called with'),
    );
    expect(() => delegateAll([], { parent: parent as never })).toThrow(TypeError);
  }
});

test('limits that are none are misuse on every way to delegate', () => {
  const limits = { maxTokens: -1 };
  expect(() => delegate(quick, undefined, { limits })).toThrow(RangeError);
  expect(() => delegateAll([], { limits })).toThrow(RangeError);
  expect(() => delegateTaskTool([quick], { delegation: { limits } })).toThrow(RangeError);
});
