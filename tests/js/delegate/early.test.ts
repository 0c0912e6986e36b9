// Early abort: a return that cannot be mended is stopped where that is proved, and the child begins again from what it has.
import { type AgentContext, compileContract, defineAgent, delegate, type HistoryMessage } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { collect, fixed, shape } from './strict-client.js';

const schema = {
  title: 'Price',
  type: 'object',
  properties: { price: { type: 'number' }, notes: { type: 'string' } },
  required: ['price'],
  additionalProperties: false,
} as const;
const base = { name: 'a', description: 'b' };

/** Arguments in pieces of so many characters, as a provider sends them; `sent` hears of each that was taken. */
async function* calling(id: string, name: string, args: string, sent: (delta: string) => void = () => {}, size = 4) {
  yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name };
  for (let at = 0; at < args.length; at += size) {
    const delta = args.slice(at, at + size);
    sent(delta);
    yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta };
  }
  yield { type: 'TOOL_CALL_END', toolCallId: id };
}

async function* executed(ctx: AgentContext, id: string, args: string, sent?: (delta: string) => void) {
  const tool = ctx.returnTool;
  yield* calling(id, tool?.name ?? '', args, sent);
  const content = (await tool?.execute(undefined, { toolCallId: id })) ?? '';
  yield { type: 'TOOL_CALL_RESULT', messageId: `${id}-r`, toolCallId: id, content };
}

const LONG = `{"price":"ten","notes":"${'word '.repeat(200)}"}`;

/** A child that researches, returns badly, and then well; what it was started with and told is kept. */
function researcher(options: { earlyReject?: boolean; maxRetries?: number; seeds?: boolean; schema?: object } = {}) {
  const seen = { seeds: [] as HistoryMessage[][], signals: [] as AbortSignal[], sent: '', attempts: [] as number[] };
  const agent = defineAgent({
    ...base,
    outputSchema: (options.schema ?? schema) as object,
    ...(options.maxRetries !== undefined && { maxRetries: options.maxRetries }),
    ...(options.earlyReject !== undefined && { earlyReject: options.earlyReject }),
    run: async function* (ctx): AsyncGenerator<AGUIEvent> {
      void ctx.tools;
      if (options.seeds !== false) seen.seeds.push(ctx.seed([]) as HistoryMessage[]);
      seen.signals.push(ctx.abortSignal);
      seen.attempts.push(ctx.attempt);
      if (ctx.attempt === 1) {
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I look.' };
        yield* calling('s1', 'search', '{}') as AsyncGenerator<AGUIEvent>;
        yield { type: 'TOOL_CALL_RESULT', messageId: 's1-r', toolCallId: 's1', content: 'found' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'Here.' };
        const args = options.schema ? `{"result":${LONG}}` : LONG;
        yield* executed(ctx, 'c1', args, (delta) => {
          seen.sent += delta;
        }) as AsyncGenerator<AGUIEvent>;
      }
      yield* executed(ctx, 'c2', options.schema ? '{"result":[1]}' : '{"price":10}') as AsyncGenerator<AGUIEvent>;
    },
  });
  return { agent, seen };
}

test('the run is stopped within the piece that proves it wrong; the next one has the history, the feedback, and a signal of its own', async () => {
  const { agent, seen } = researcher();
  const delegation = delegate(agent, undefined, fixed());
  const events = await collect(delegation);
  expect(seen.sent).toBe('{"price":"te');
  expect(seen.attempts).toEqual([1, 2]);
  expect(seen.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(seen.seeds).toEqual([
    [],
    [
      { role: 'assistant', content: 'I look.', toolCalls: [expect.objectContaining({ id: 's1' })] },
      { role: 'tool', toolCallId: 's1', content: 'found' },
      // The cut call is gone; what was said beside it is not.
      { role: 'assistant', content: 'Here.' },
      { role: 'user', content: expect.stringMatching(/attempt 1 of 3[\s\S]*\/price: expected number, found string/) },
    ],
  ]);
  expect(await delegation.envelope).toMatchObject({
    status: 'completed',
    final_result: { price: 10 },
    attempts: [
      {
        attempt: 1,
        via: 'return_tool',
        outcome: 'rejected',
        code: 'schema_violation',
        early: true,
        issues: [{ instancePath: '/price', schemaPath: '/properties/price/type', keyword: 'type' }],
      },
      { attempt: 2, via: 'return_tool', outcome: 'accepted' },
    ],
    effort: { measured: { tool_calls: 1 } },
  });
  const calls = shape(events).filter((type) => !type.startsWith('TEXT'));
  const cut = calls.indexOf('CUSTOM subcontract.attempt');
  expect(calls.slice(cut - 5, cut + 2)).toEqual([
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'CUSTOM subcontract.attempt',
    'TOOL_CALL_START',
  ]);
});

test('the signal of a run that was cut is aborted while the delegation goes on', async () => {
  const { agent, seen } = researcher();
  const delegation = delegate(agent, undefined, fixed());
  for await (const _ of delegation) {
    const [first, second] = seen.signals;
    if (second) {
      expect(first?.aborted).toBe(true);
      expect(second.aborted).toBe(false);
      break;
    }
  }
  expect(seen.signals).toHaveLength(2);
});

test.each([
  ['the agent', { earlyReject: false }, {}],
  ['the call', {}, { earlyReject: false }],
])('earlyReject: false of %s lets the return come whole', async (_, definition, call) => {
  const { agent, seen } = researcher(definition);
  const delegation = delegate(agent, undefined, fixed(call));
  await collect(delegation);
  expect(seen.sent).toBe(LONG);
  expect(seen.attempts).toEqual([1]);
  expect((await delegation.envelope).attempts).toMatchObject([{ outcome: 'rejected' }, { outcome: 'accepted' }]);
  expect((await delegation.envelope).attempts[0]).not.toHaveProperty('early');
});

test('a child that does not begin from ctx.seed is not cut: it would lose what it has found', async () => {
  const { agent, seen } = researcher({ seeds: false });
  await collect(delegate(agent, undefined, fixed()));
  expect(seen.sent).toBe(LONG);
  expect(seen.attempts).toEqual([1]);
});

test('the last attempt is cut all the same, and exhausted', async () => {
  const { agent, seen } = researcher({ seeds: false, maxRetries: 0 });
  const delegation = delegate(agent, undefined, fixed());
  const events = await collect(delegation);
  expect(seen.sent).toBe('{"price":"te');
  expect(await delegation.envelope).toMatchObject({
    status: 'failed',
    final_result: null,
    attempts: [{ attempt: 1, outcome: 'rejected', early: true }],
    error: { code: 'contract_exhausted' },
  });
  const calls = shape(events).filter((type) => !type.startsWith('TEXT'));
  expect(calls.slice(-3)).toEqual(['TOOL_CALL_END', 'CUSTOM subcontract.attempt', 'SUBAGENT_ERROR']);
  expect(await delegation.toolResult).not.toContain('ten');
});

test('a wrapped return is followed through its wrapper', async () => {
  const list = { title: 'Prices', type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } };
  const { agent, seen } = researcher({ schema: list });
  const delegation = delegate(agent, undefined, fixed());
  await collect(delegation);
  expect(seen.sent).toBe('{"result":{"');
  expect(seen.seeds[1]?.at(-1)).toEqual({
    role: 'user',
    content: expect.stringMatching(/Call prices[\s\S]*\/result: expected array, found object/),
  });
  expect(await delegation.envelope).toMatchObject({
    final_result: [1],
    attempts: [
      { early: true, issues: [{ instancePath: '', schemaPath: '/type', keyword: 'type' }] },
      { outcome: 'accepted' },
    ],
  });
});

describe('beside other calls', () => {
  test('a return that holds is not lost to one that does not', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: schema,
      run: async function* (ctx): AsyncGenerator<AGUIEvent> {
        ctx.seed([]);
        const name = ctx.returnTool?.name ?? '';
        yield* calling('c1', name, '{"price":1}') as AsyncGenerator<AGUIEvent>;
        yield* calling('c2', name, LONG) as AsyncGenerator<AGUIEvent>;
        for (const id of ['c1', 'c2']) {
          const content = (await ctx.returnTool?.execute({}, { toolCallId: id })) ?? '';
          yield { type: 'TOOL_CALL_RESULT', messageId: `${id}-r`, toolCallId: id, content };
        }
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      final_result: { price: 1 },
      attempts: [{ attempt: 1, outcome: 'accepted' }],
    });
  });

  test('a call of another tool that has no answer yet is left to get it', async () => {
    let ran = 0;
    const agent = defineAgent({
      ...base,
      outputSchema: schema,
      run: async function* (ctx): AsyncGenerator<AGUIEvent> {
        ctx.seed([]);
        ran += 1;
        yield* calling('s1', 'send_mail', '{}') as AsyncGenerator<AGUIEvent>;
        yield* calling('c1', ctx.returnTool?.name ?? '', LONG) as AsyncGenerator<AGUIEvent>;
        yield { type: 'TOOL_CALL_RESULT', messageId: 's1-r', toolCallId: 's1', content: 'sent' };
        const content = (await ctx.returnTool?.execute({}, { toolCallId: 'c1' })) ?? '';
        yield { type: 'TOOL_CALL_RESULT', messageId: 'c1-r', toolCallId: 'c1', content };
        yield* executed(ctx, 'c2', '{"price":2}') as AsyncGenerator<AGUIEvent>;
      },
    });
    const { attempts } = await delegate(agent).envelope;
    expect(ran).toBe(1);
    expect(attempts.map(({ early = false }) => early)).toEqual([false, false]);
  });
});

test('what the end might mend is not held against a return', async () => {
  // A required member that is missing is no violation before the brace; a duplicate name is one at once.
  for (const [args, early] of [
    ['{"notes":"x"}', true],
    ['{"price":1,"price":2,"notes":"x"}', true],
    ['{"price":1,"notes":"x"}', false],
  ] as const) {
    const agent = defineAgent({
      ...base,
      outputSchema: schema,
      maxRetries: 0,
      run: async function* (ctx): AsyncGenerator<AGUIEvent> {
        void ctx.tools;
        yield* executed(ctx, 'c1', args) as AsyncGenerator<AGUIEvent>;
      },
    });
    const { attempts } = await delegate(agent).envelope;
    expect([args, attempts[0]?.early ?? false]).toEqual([args, early]);
  }
});

test('an id that the cut call had is free for the next one, and the contract of the agent stays alive', async () => {
  const contract = compileContract({ type: 'integer' });
  const agent = defineAgent({
    ...base,
    outputSchema: contract,
    run: async function* (ctx): AsyncGenerator<AGUIEvent> {
      ctx.seed([]);
      yield* executed(ctx, 'c1', ctx.attempt < 3 ? '{"result":"x"}' : '{"result":7}') as AsyncGenerator<AGUIEvent>;
    },
  });
  expect(await delegate(agent).envelope).toMatchObject({ final_result: 7, attempts: [{}, {}, {}] });
  expect(contract.isValid('7')).toBe(true);
});
