// Stopping: abort, timeouts, readers who leave, and children who do not listen. Nothing hangs.
import { defineAgent, delegate } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collect, fixed, shape, soon, verified } from './strict-client.js';

const base = { name: 'a', description: 'b' };
const never = () => new Promise<never>(() => {});

const deaf = {
  'run never resolves': () => never(),
  'the stream never yields': async function* () {
    await never();
    yield '';
  },
  'the stream stops yielding and its return hangs': async function* () {
    try {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
      await never();
    } finally {
      await never();
    }
  },
  'a bare iterator without return': () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
};

describe.each(Object.entries(deaf))('a child that ignores its signal: %s', (_, run) => {
  const agent = defineAgent({ ...base, run: run as () => Promise<string> });

  test('an abort ends it', async () => {
    const controller = new AbortController();
    const delegation = delegate(agent, undefined, fixed({ abortSignal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 5);
    const events = await soon(collect(delegation));
    expect(events.at(-1)).toEqual({
      type: 'SUBAGENT_ERROR',
      subagentRunId: 'child-1',
      message: 'the delegation was stopped',
      code: 'aborted',
    });
    expect(await delegation.envelope).toMatchObject({
      status: 'cancelled',
      final_result: null,
      error: { code: 'aborted' },
    });
    await expect(delegation.orThrow()).rejects.toMatchObject({
      name: 'SubagentContractError',
      code: 'aborted',
      cause: new Error('enough'),
    });
  });

  test('a timeout ends it', async () => {
    const delegation = delegate(agent, undefined, fixed({ timeoutMs: 5 }));
    const events = await soon(collect(delegation));
    expect(events.at(-1)).toEqual({
      type: 'SUBAGENT_ERROR',
      subagentRunId: 'child-1',
      message: 'the child did not end within 5 ms',
      code: 'child_timeout',
    });
    expect(await delegation.envelope).toMatchObject({ status: 'failed', error: { code: 'child_timeout' } });
  });

  test('its own abort() ends it, and a reader who leaves', async () => {
    const delegation = delegate(agent);
    const { envelope } = delegation;
    setTimeout(() => delegation.abort('bored'), 5);
    expect((await soon(envelope)).status).toBe('cancelled');

    const left = delegate(agent);
    const events = left[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'SUBAGENT_STARTED' });
    void events.next();
    expect(await soon(events.return?.() ?? never())).toEqual({ done: true, value: undefined });
    expect((await soon(left.envelope)).status).toBe('cancelled');
  });
});

test('a child stopped between two events is ended there, and asked for no more: it may only listen for its abort', async () => {
  const told: string[] = [];
  const agent = defineAgent({
    ...base,
    async *run({ abortSignal }) {
      try {
        yield 'one';
        told.push('asked again');
        await new Promise<void>((resolve) => abortSignal.addEventListener('abort', () => resolve()));
      } finally {
        told.push('ended');
      }
    },
  });
  const controller = new AbortController();
  const delegation = delegate(agent, undefined, fixed({ abortSignal: controller.signal }));
  for await (const { type } of delegation) {
    if (type === 'TEXT_MESSAGE_CONTENT') controller.abort();
  }
  expect((await soon(delegation.envelope)).status).toBe('cancelled');
  expect(told).toEqual(['ended']);
});

test('a reader who leaves the loop stops the child', async () => {
  let signal: AbortSignal | undefined;
  let ended = false;
  const agent = defineAgent({
    ...base,
    run: async function* (ctx) {
      signal = ctx.abortSignal;
      try {
        for (;;) yield 'x';
      } finally {
        ended = true;
      }
    },
  });
  const delegation = delegate(agent, undefined, fixed());
  const seen: AGUIEvent[] = [];
  for await (const event of delegation) {
    seen.push(event);
    if (seen.length === 4) break;
  }
  expect(shape(seen)).toEqual([
    'SUBAGENT_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_CONTENT',
  ]);
  expect(await soon(delegation.envelope)).toMatchObject({ status: 'cancelled', error: { code: 'aborted' } });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect({ aborted: signal?.aborted, ended }).toEqual({ aborted: true, ended: true });
});

test('a child that came to its own end is not told to stop', async () => {
  let signal: AbortSignal | undefined;
  const agent = defineAgent({
    ...base,
    run: (ctx) => {
      signal = ctx.abortSignal;
      return 'done';
    },
  });
  await collect(delegate(agent, undefined, fixed()));
  expect(signal?.aborted).toBe(false);
});

test('misuse throws at once', () => {
  const agent = defineAgent({ ...base, run: () => '' });
  for (const timeoutMs of [0, -1, Number.NaN]) {
    expect(() => delegate(agent, undefined, { timeoutMs })).toThrow(RangeError);
  }
  expect(() => delegate({ ...base, run: () => '' } as never)).toThrow('delegate needs an agent made by defineAgent');
});

test('a timeout beyond the longest timer is none', async () => {
  const agent = defineAgent({ ...base, run: () => new Promise<string>((yes) => setTimeout(() => yes('done'), 5)) });
  for (const timeoutMs of [2 ** 40, Number.POSITIVE_INFINITY]) {
    expect((await soon(delegate(agent, undefined, { timeoutMs }).envelope)).status).toBe('completed');
  }
});

test('a reader who leaves before the first event starts nothing', async () => {
  let ran = false;
  const agent = defineAgent({
    ...base,
    run: () => {
      ran = true;
      return '';
    },
  });
  const delegation = delegate(agent);
  await delegation[Symbol.asyncIterator]().return?.();
  expect((await soon(delegation.envelope)).status).toBe('cancelled');
  expect(ran).toBe(false);
});

test('stopped before it starts: no event, no run, a cancelled envelope', async () => {
  let ran = false;
  const agent = defineAgent({
    ...base,
    run: () => {
      ran = true;
      return '';
    },
  });
  const aborted = delegate(agent, undefined, { abortSignal: AbortSignal.abort() });
  const called = delegate(agent);
  called.abort();
  for (const delegation of [aborted, called]) {
    expect(await soon(collect(delegation))).toEqual([]);
    expect(await delegation.envelope).toMatchObject({ status: 'cancelled', error: { code: 'aborted' } });
  }
  expect(ran).toBe(false);
});

test('an abort in the middle closes what is open', async () => {
  const controller = new AbortController();
  const agent = defineAgent({
    ...base,
    run: async function* () {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
      yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' };
      controller.abort();
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' };
    },
  });
  const events = await collect(delegate(agent, undefined, fixed({ abortSignal: controller.signal })));
  expect(shape(events)).toEqual([
    'SUBAGENT_STARTED',
    'TEXT_MESSAGE_START',
    'TOOL_CALL_START',
    'TOOL_CALL_END',
    'TEXT_MESSAGE_END',
    'SUBAGENT_ERROR',
  ]);
});

test('a brief or a refinement whose own validation never ends is stopped too', async () => {
  const endless = z.object({}).refine(() => never());
  const briefed = defineAgent({ ...base, inputSchema: endless, run: () => '' });
  expect(await soon(delegate(briefed, {}, { timeoutMs: 5 }).envelope)).toMatchObject({
    status: 'failed',
    error: { code: 'child_timeout' },
  });
  const returning = defineAgent({ ...base, outputSchema: endless, run: () => '{}' });
  expect(await soon(delegate(returning, {}, { timeoutMs: 5 }).envelope)).toMatchObject({
    status: 'failed',
    error: { code: 'child_timeout' },
  });
});

test('what a child does after it was stopped changes nothing and is no unhandled rejection', async () => {
  let reject: (reason: Error) => void = () => {};
  const agent = defineAgent({ ...base, run: () => new Promise<string>((_, no) => (reject = no)) });
  const delegation = delegate(agent, undefined, { timeoutMs: 5 });
  const text = await soon(delegation.envelopeText);
  reject(new Error('late'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await delegation.envelopeText).toBe(text);
});

test('the listener on a long-lived signal is removed', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = ((...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  }) as typeof signal.addEventListener;
  signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  }) as typeof signal.removeEventListener;
  const agent = defineAgent({ ...base, run: () => 'x' });
  await verified(await collect(delegate(agent, undefined, fixed({ abortSignal: signal }))));
  expect(listeners).toBe(0);
});

test('a child that never waits is stopped by its timeout, also after its return', async () => {
  async function* endless(): AsyncGenerator<never> {
    for (;;) yield { type: 'CUSTOM', name: 'x', value: 1 } as never;
  }
  const agent = defineAgent({ name: 'a', description: 'b', run: endless });
  const { error } = await delegate(agent, undefined, { timeoutMs: 50 }).envelope;
  expect(error?.code).toBe('child_timeout');
  const returned = defineAgent({
    name: 'a',
    description: 'b',
    outputSchema: { type: 'object' },
    async *run(ctx) {
      await ctx.returnTool?.execute({});
      yield* endless();
    },
  });
  expect((await delegate(returned).envelope).status).toBe('completed');
});

test('a child whose reader has left is not started, neither at first nor again', async () => {
  let runs = 0;
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    outputSchema: { type: 'integer' },
    run: () => {
      runs += 1;
      return '"bad"';
    },
  });
  for (const [last, started] of [
    ['SUBAGENT_STARTED', 0],
    ['CUSTOM', 1],
  ] as const) {
    runs = 0;
    const delegation = delegate(agent, undefined, fixed());
    for await (const { type } of delegation) if (type === last) break;
    expect(await delegation.envelope).toMatchObject({ status: 'cancelled', error: { code: 'aborted' } });
    expect(runs).toBe(started);
  }
});
