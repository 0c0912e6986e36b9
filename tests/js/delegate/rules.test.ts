// Rules of a delegation that stand apart: ids and times that are none, the answer in prose, the return tool's name, what is too much.
import { defineAgent, delegate, openResumeState } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { scriptedChild } from './scripted-child.js';
import { collect, fixed, shape, soon } from './strict-client.js';

const base = { name: 'a', description: 'b' };
const price = {
  title: 'Price',
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
} as const;
const plain = defineAgent({ ...base, run: () => 'x' });

describe('newId and now', () => {
  test.each([
    [7, '7'],
    ['', '""'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    [Promise.resolve('x'), 'an object'],
  ])('a newId that returns %s', async (id, shown) => {
    const message = `newId must return a text that is not empty, not ${shown}`;
    const newId = () => id as string;
    // Needed for the invocation's own id, before there is any envelope.
    expect(() => delegate(plain, undefined, { newId })).toThrow(message);
    const later = delegate(plain, undefined, { ...fixed(), newId });
    expect(await soon(later.envelope)).toMatchObject({ status: 'failed', error: { code: 'invalid_option', message } });
  });

  test.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['5', '"5"'],
    [undefined, 'undefined'],
    [new Date(0), 'an object'],
  ])('a now that returns %s', async (time, shown) => {
    const message = `now must return a finite number of milliseconds, not ${shown}`;
    const delegation = delegate(plain, undefined, { ...fixed(), now: () => time as number });
    expect(await soon(collect(delegation))).toEqual([]);
    expect(await delegation.envelope).toMatchObject({ status: 'failed', error: { code: 'invalid_option', message } });
    await expect(delegation.orThrow()).rejects.toThrow(message);
  });

  test('a clock that goes backwards gives no negative duration', async () => {
    let time = 1000;
    const now = () => {
      time -= 10;
      return time;
    };
    const { effort } = await delegate(plain, undefined, fixed({ now })).envelope;
    expect(effort.measured.duration_ms).toBe(0);
  });
});

describe('prose', () => {
  const search = { name: 'x', execute: () => 'y' };
  const calls = [{ id: 'c', name: 'x', args: '{}' }];
  test.each<[string, () => AsyncIterable<AGUIEvent>, string | null]>([
    [
      'the text after the last tool call',
      () => scriptedChild([{ text: 'I look.', calls }, { text: 'Twelve.' }], [search]),
      'Twelve.',
    ],
    ['not the text before it', () => scriptedChild([{ text: 'I look.', calls }, {}], [search]), null],
    [
      'not the text beside a call that nobody answered',
      async function* () {
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'I look.' };
        yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x', parentMessageId: 'm' };
      },
      null,
    ],
    [
      'of a message that goes on after a call, what came after it',
      async function* () {
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'I look. ' };
        yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' };
        yield { type: 'TOOL_CALL_END', toolCallId: 'c' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Twelve.' };
      },
      'Twelve.',
    ],
  ])('the summary is %s', async (_, run, summary) => {
    const envelope = await delegate(defineAgent({ ...base, run })).envelope;
    expect(envelope).toMatchObject({ status: 'completed', task_summary: summary, final_result: null });
  });
});

describe("the return tool's name", () => {
  const conflict = 'its tool "price" has the name of the return tool: rename it, or give the contract another title';

  test('is refused for a tool of the child at defineAgent', () => {
    const define = () =>
      defineAgent({
        ...base,
        outputSchema: price,
        tools: [{ name: 'search' }, { name: 'price' }],
        run: () => ({ price: 1 }),
      });
    expect(define).toThrow(`agent "a": ${conflict}`);
  });

  test('is refused for a final schema that would take it, before the child runs', async () => {
    const agent = defineAgent({ ...base, tools: [{ name: 'price' }], run: () => '' });
    const delegation = delegate(agent, undefined, fixed({ finalSchema: price }));
    expect(shape(await collect(delegation))).toEqual(['CUSTOM subcontract.not_started @parent']);
    expect((await delegation.envelope).error).toMatchObject({ code: 'return_tool_conflict', message: conflict });
  });

  test('is refused for a tool that only the run shows', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price as object,
      run: () =>
        scriptedChild([{ calls: [{ id: 'c', name: 'price', args: '{}' }] }], [{ name: 'price', execute: () => '5' }]),
    });
    const { attempts, error } = await delegate(agent).envelope;
    expect(attempts).toEqual([]);
    expect(error).toMatchObject({ code: 'return_tool_conflict', message: expect.stringContaining('"price"') });
  });
});

test('a child that was resumed with no attempt left is not run', async () => {
  let ran = 0;
  const definition = {
    ...base,
    outputSchema: price as object,
    earlyReject: false,
    run: async function* (ctx: Parameters<Parameters<typeof defineAgent>[0]['run']>[0]): AsyncGenerator<AGUIEvent> {
      ran += 1;
      ctx.seed([]);
      yield* scriptedChild([{ calls: [{ id: 'c', name: 'price', args: '{}' }] }], ctx.tools);
      const interrupts = [{ id: 'i', reason: 'r' }];
      yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
    },
  };
  const { resume } = await delegate(defineAgent(definition), undefined, fixed()).envelope;
  const state = openResumeState(resume?.state ?? '', {});
  const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
  const stricter = defineAgent({ ...definition, maxRetries: 0 });
  const envelope = await delegate(stricter, undefined, fixed({ resume: { state, entries } })).envelope;
  expect(envelope).toMatchObject({ status: 'failed', error: { code: 'contract_exhausted' } });
  expect(ran).toBe(1);
});

describe('too much', () => {
  test.each<[string, () => AsyncIterable<unknown>]>([
    [
      'text deltas',
      async function* () {
        for (;;) yield 'x'.repeat(1 << 20);
      },
    ],
    [
      "a tool call's arguments",
      async function* () {
        yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' };
        for (;;) yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: 'x'.repeat(1 << 20) };
      },
    ],
    [
      'calls without arguments',
      async function* () {
        for (let n = 0; ; n += 1)
          yield { type: 'TOOL_CALL_START', toolCallId: `c${n}`, toolCallName: 'x'.repeat(1 << 16) };
      },
    ],
  ])(
    '%s without end are stopped',
    async (_, run) => {
      const { status, error } = await delegate(defineAgent({ ...base, run: run as unknown as () => string })).envelope;
      expect(status).toBe('failed');
      expect(error).toEqual({ code: 'child_too_large', message: 'the child wrote more than 33554432 characters' });
    },
    30_000,
  );
});

test('judgements come one after the other, also of a call that its host refused itself', async () => {
  // The host answers one call while another is being judged: the two must not be the same attempt.
  const slow = { ...price };
  const agent = defineAgent({
    ...base,
    outputSchema: slow as object,
    maxRetries: 1,
    earlyReject: false,
    run: async function* (ctx): AsyncGenerator<AGUIEvent> {
      const tool = ctx.returnTool;
      for (const id of ['c1', 'c2', 'c3']) {
        yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'price' };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: '{"price":"no"}' };
        yield { type: 'TOOL_CALL_END', toolCallId: id };
      }
      void tool?.execute({}, { toolCallId: 'c1' });
      void tool?.execute({}, { toolCallId: 'c3' });
      yield { type: 'TOOL_CALL_RESULT', messageId: 'r2', toolCallId: 'c2', content: 'refused by the host' };
    },
  });
  const { attempts, error } = await delegate(agent).envelope;
  expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'rejected'],
    [2, 'rejected'],
  ]);
  expect(error?.code).toBe('contract_exhausted');
});

test('a host that runs the tool before its events were read has its own arguments judged', async () => {
  const agent = defineAgent({
    ...base,
    outputSchema: price as object,
    run: async function* (ctx): AsyncGenerator<AGUIEvent> {
      yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'price' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"pri' };
      await ctx.returnTool?.execute({ price: 12 }, { toolCallId: 'c1' });
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: 'ce":12}' };
    },
  });
  expect(await delegate(agent).envelope).toMatchObject({ status: 'completed', final_result: { price: 12 } });
});
