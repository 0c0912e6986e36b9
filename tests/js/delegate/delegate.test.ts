// delegate: every kind of run, its live events, and the envelope, whole.
import { defineAgent, delegate, parseEnvelope } from 'subcontract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scriptedChild } from './scripted-child.js';
import { collect, fixed, shape, soon } from './strict-client.js';

const price = z.object({ plan: z.string(), price: z.number() });

test('a child with tools returns through its return tool', async () => {
  const agent = defineAgent({
    name: 'researcher',
    description: 'finds prices',
    inputSchema: z.object({ task: z.string() }),
    outputSchema: price,
    run: (ctx) =>
      scriptedChild(
        [
          {
            text: 'Looking.',
            calls: [{ id: 'c1', name: 'search', args: '{"q":"team plan"}' }],
            usage: [{ model: 'm', inputTokens: 10, outputTokens: 2 }],
          },
          {
            text: 'Found it.',
            calls: [{ id: 'c2', name: ctx.returnTool?.name ?? '', args: '{"plan":"Team", "price": 12.50}' }],
            usage: [{ model: 'm', inputTokens: 20, outputTokens: 5 }],
          },
          { text: 'never said' },
        ],
        [{ name: 'search', execute: () => '12.50' }, ...ctx.tools],
      ),
  });
  const delegation = delegate(agent, '{ "task": "price of Team" }', fixed());
  const events = await collect(delegation);

  expect(shape(events)).toEqual([
    'SUBAGENT_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'CUSTOM subcontract.attempt',
    'TOOL_CALL_RESULT',
    'SUBAGENT_FINISHED',
  ]);
  expect(events[0]).toEqual({
    type: 'SUBAGENT_STARTED',
    subagentRunId: 'child-1',
    name: 'researcher',
    description: 'finds prices',
    parentToolCallId: 'call-1',
    timestamp: 1005,
  });
  expect(events.at(-3)).toEqual({
    type: 'CUSTOM',
    name: 'subcontract.attempt',
    value: {
      attempt: 1,
      via: 'return_tool',
      outcome: 'accepted',
      usage: [{ model: 'm', inputTokens: 30, outputTokens: 7 }],
      maxRetries: 2,
    },
    subagentRunId: 'child-1',
  });
  expect(events.at(-2)).toMatchObject({
    type: 'TOOL_CALL_RESULT',
    toolCallId: 'child-1:c2',
    content: expect.stringMatching(/accepted/),
  });

  const envelope = {
    run_id: 'child-1',
    subagent: 'researcher',
    task_summary: 'Found it.',
    final_result: { plan: 'Team', price: 12.5 },
    status: 'completed',
    attempts: [
      {
        attempt: 1,
        via: 'return_tool',
        outcome: 'accepted',
        usage: [{ model: 'm', inputTokens: 30, outputTokens: 7 }],
      },
    ],
    input: { task: 'price of Team' },
    tool_call_id: 'call-1',
    contract: { source: 'output_schema', digest: agent.outputContract?.digest },
    effort: { measured: { tool_calls: 1, duration_ms: 5, finish_reason: 'tool_calls' } },
    usage: [{ model: 'm', inputTokens: 30, outputTokens: 7 }],
    schema_version: 1,
  };
  expect(await delegation.envelope).toEqual(envelope);
  expect(await delegation.orThrow()).toEqual(envelope);
  // The number stands as the child wrote it.
  expect(await delegation.envelopeText).toContain('"final_result":{"plan":"Team", "price": 12.50}');
  expect(JSON.parse(await delegation.toolResult)).toEqual({
    run_id: 'child-1',
    subagent: 'researcher',
    task_summary: 'Found it.',
    final_result: { plan: 'Team', price: 12.5 },
  });
  const { input: _, ...shown } = envelope;
  expect(events.at(-1)).toEqual({
    type: 'SUBAGENT_FINISHED',
    subagentRunId: 'child-1',
    metadata: { subcontract: { usage: envelope.usage } },
    result: shown,
    outcome: { type: 'success' },
  });
});

const returned = '{"plan":"Team","price":12}';
const kinds = {
  'a text': () => returned,
  'a promise of text': async () => returned,
  'a value': () => ({ plan: 'Team', price: 12 }),
  'a promise of a value': async () => ({ plan: 'Team', price: 12 }),
  'text deltas': async function* () {
    yield '{"plan":"Te';
    yield '';
    yield 'am","price":12}';
  },
  'a promise of text deltas': async () =>
    (async function* () {
      yield returned;
    })(),
  'events that end in JSON text': () => scriptedChild([{ text: returned }]),
  'a promise of events': async () => scriptedChild([{ text: returned }]),
  'events with a result': async function* () {
    yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { plan: 'Team', price: 12 } };
  },
};

test.each(Object.entries(kinds))('run may return %s', async (kind, run) => {
  const agent = defineAgent({ name: 'a', description: 'b', outputSchema: price, run: run as () => string });
  const delegation = delegate(agent, undefined, fixed());
  const events = await collect(delegation as never);
  const via = kind.includes('value') || kind.includes('result') ? 'value' : 'text';
  expect(await delegation.envelope).toMatchObject({
    status: 'completed',
    task_summary: null,
    final_result: { plan: 'Team', price: 12 },
    attempts: [{ attempt: 1, via, outcome: 'accepted' }],
  });
  expect(events.at(-1)).toMatchObject({
    type: 'SUBAGENT_FINISHED',
    result: { final_result: { plan: 'Team', price: 12 } },
  });
  const text = events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event.delta : '')).join('');
  expect(text).toBe(via === 'text' ? returned : '');
});

const prose = {
  'a text': [() => 'Twelve.', 'Twelve.'],
  'a value': [() => ({ price: 12 }), '{"price":12}'],
  nothing: [() => undefined, null],
  'text deltas': [
    async function* () {
      yield 'Twe';
      yield 'lve.';
    },
    'Twelve.',
  ],
  'the last of several messages': [
    () => scriptedChild([{ text: 'Looking.', calls: [{ id: 'c', name: 'x', args: '{}' }] }, { text: 'Twelve.' }]),
    'Twelve.',
  ],
} as const;

test.each(Object.entries(prose))('without a contract the answer is the summary: %s', async (_, [run, summary]) => {
  const agent = defineAgent({ name: 'a', description: 'b', run: run as () => string });
  const delegation = delegate(agent, { any: 'thing' }, fixed());
  const events = await collect(delegation);
  const envelope = await delegation.envelope;
  expect(envelope).toEqual({
    run_id: 'child-1',
    subagent: 'a',
    task_summary: summary,
    final_result: null,
    status: 'completed',
    attempts: [],
    tool_call_id: 'call-1',
    contract: { source: 'none' },
    effort: expect.anything(),
    schema_version: 1,
  });
  expect(events.filter((event) => event.type === 'CUSTOM')).toEqual([]);
});

test('a long answer in prose is not cut', async () => {
  const answer = 'long '.repeat(500).trim();
  const agent = defineAgent({ name: 'a', description: 'b', run: () => answer });
  expect((await delegate(agent).envelope).task_summary).toBe(answer);
});

test('the context says who and where the child is', async () => {
  let seen: Record<string, unknown> = {};
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: (ctx) => {
      const { seed, abortSignal, ...rest } = ctx;
      seen = { ...rest, seeded: seed([{ role: 'user', content: 'x' }]), aborted: abortSignal.aborted };
      return 'ok';
    },
  });
  await delegate(agent, '{}', { ...fixed(), parentRunId: 'p', parentSubagentRunId: 's0', messages: [{ id: 'm' }] })
    .envelope;
  expect(seen).toEqual({
    input: undefined,
    messages: [{ id: 'm' }],
    earlier: [],
    threadId: 'thread',
    runId: 'child-run',
    parentRunId: 'p',
    subagentRunId: 'child-1',
    parentToolCallId: 'call-1',
    parentSubagentRunId: 's0',
    attempt: 1,
    tools: [],
    returnTool: undefined,
    seeded: [{ role: 'user', content: 'x' }],
    aborted: false,
  });
});

test('events come out live: the child is asked for one when the last was taken', async () => {
  const asked: number[] = [];
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: async function* () {
      for (let n = 1; n <= 3; n += 1) {
        asked.push(n);
        yield { type: 'CUSTOM', name: 'n', value: n };
      }
    },
  });
  const events = delegate(agent, undefined, fixed())[Symbol.asyncIterator]();
  await events.next();
  expect(asked).toEqual([]);
  expect((await events.next()).value).toMatchObject({ name: 'n', value: 1, subagentRunId: 'child-1' });
  expect(asked).toEqual([1]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(asked).toEqual([1]);
  await events.next();
  expect(asked).toEqual([1, 2]);
  await events.return?.();
});

test('nested subagents keep their own id and get the child as their parent', async () => {
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: async function* () {
      yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'deeper' };
      yield { type: 'TOOL_CALL_END', toolCallId: 'c1' };
      yield { type: 'SUBAGENT_STARTED', subagentRunId: 'grandchild', name: 'deeper', parentToolCallId: 'c1' };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'g1', subagentRunId: 'grandchild' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'g1', delta: 'deep', subagentRunId: 'grandchild' };
      yield { type: 'SUBAGENT_FINISHED', subagentRunId: 'grandchild', result: {} };
      yield { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: '{}' };
      yield { type: 'SUBAGENT_STARTED', subagentRunId: 'left-open', name: 'deeper', parentSubagentRunId: 'grandchild' };
    },
  });
  const delegation = delegate(agent, undefined, fixed());
  const events = await collect(delegation);
  expect(shape(events)).toEqual([
    'SUBAGENT_STARTED',
    'TOOL_CALL_START',
    'TOOL_CALL_END',
    'SUBAGENT_STARTED @grandchild',
    'TEXT_MESSAGE_START @grandchild',
    'TEXT_MESSAGE_CONTENT @grandchild',
    'TEXT_MESSAGE_END @grandchild',
    'SUBAGENT_FINISHED @grandchild',
    'TOOL_CALL_RESULT',
    'SUBAGENT_STARTED @left-open',
    'SUBAGENT_ERROR @left-open',
    'SUBAGENT_FINISHED',
  ]);
  expect(events[3]).toMatchObject({ parentSubagentRunId: 'child-1' });
  expect(events[9]).toMatchObject({ parentSubagentRunId: 'grandchild' });
  // A grandchild's words are not the child's answer.
  expect((await delegation.envelope).task_summary).toBeNull();
});

test("the child's own RUN_* and MESSAGES_SNAPSHOT stay behind; everything it left open is closed", async () => {
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: async function* () {
      yield { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
      yield { type: 'MESSAGES_SNAPSHOT', messages: [] };
      yield { type: 'STEP_STARTED', stepName: 's' };
      yield { type: 'REASONING_START', messageId: 'think' };
      yield { type: 'REASONING_MESSAGE_START', messageId: 'think', role: 'reasoning' };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half a sen' };
      yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x', parentMessageId: 'parents-own' };
    },
  });
  const delegation = delegate(agent, undefined, fixed({ messages: [{ id: 'parents-own' }, null, 'x'] }));
  const events = await collect(delegation);
  expect(shape(events)).toEqual([
    'SUBAGENT_STARTED',
    'STEP_STARTED',
    'REASONING_START',
    'REASONING_MESSAGE_START',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TOOL_CALL_START',
    'TOOL_CALL_END',
    'TEXT_MESSAGE_END',
    'REASONING_MESSAGE_END',
    'REASONING_END',
    'STEP_FINISHED',
    'SUBAGENT_FINISHED',
  ]);
  expect(events[6]).not.toHaveProperty('parentMessageId');
});

test('usage in both forms is summed per model', async () => {
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: async function* () {
      const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
      yield { ...finished, usage: [{ provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2 }] };
      yield {
        ...finished,
        model: 'n',
        usage: {
          promptTokens: 10,
          completionTokens: 20,
          totalTokens: 30,
          promptTokensDetails: { cachedTokens: 4 },
          completionTokensDetails: { reasoningTokens: 5 },
        },
      };
      yield { ...finished, usage: [{ provider: 'p', model: 'm', inputTokens: 3 }] };
      yield { ...finished, usage: null };
      yield { ...finished, usage: [{ inputTokens: Number.NaN }, 'x', null] };
    },
  });
  const delegation = delegate(agent);
  await collect(delegation);
  expect((await delegation.envelope).usage).toEqual([
    { provider: 'p', model: 'm', inputTokens: 4, outputTokens: 2 },
    { model: 'n', inputTokens: 10, outputTokens: 20, totalTokens: 30, reasoningTokens: 5, cachedInputTokens: 4 },
  ]);
});

test.each([
  [
    'tells its usage',
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', usage: [{ inputTokens: 7 }] },
    [{ inputTokens: 7 }],
  ],
  ['goes on', { type: 'TEXT_MESSAGE_START', messageId: 'm' }, undefined],
  ['yields garbage', null, undefined],
])('a host that %s once the accepted call has run', async (_, item, usage) => {
  let after = 0;
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    outputSchema: price,
    run: async function* (ctx) {
      yield { type: 'RUN_STARTED' };
      await ctx.returnTool?.execute({ plan: 'Team', price: 1 });
      yield item as never;
      after += 1;
      yield { type: 'RUN_FINISHED', usage: [{ inputTokens: 100 }] };
    },
  });
  const delegation = delegate(agent, undefined, fixed());
  expect(shape(await collect(delegation))).toEqual([
    'SUBAGENT_STARTED',
    'CUSTOM subcontract.attempt',
    'SUBAGENT_FINISHED',
  ]);
  const envelope = await delegation.envelope;
  expect(envelope.status).toBe('completed');
  expect(envelope.usage).toEqual(usage);
  expect(after).toBe(0);
});

test('awaiting the envelope alone drains the run; it is then not to be iterated', async () => {
  let ended = false;
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: async function* () {
      for (let n = 0; n < 100; n += 1) yield 'x';
      ended = true;
    },
  });
  const delegation = delegate(agent);
  expect((await soon(delegation.envelope)).task_summary).toBe('x'.repeat(100));
  expect(ended).toBe(true);
  expect(() => delegation[Symbol.asyncIterator]()).toThrow(
    'a delegation can be iterated once: its envelope was asked for first, which drains it',
  );
});

test('asking for the envelope and iterating at once iterates; iterating twice is an error', async () => {
  const agent = defineAgent({ name: 'a', description: 'b', run: () => 'x' });
  const delegation = delegate(agent, undefined, fixed());
  const { envelope } = delegation;
  expect(await collect(delegation)).toHaveLength(5);
  expect((await envelope).status).toBe('completed');
  expect(() => delegation[Symbol.asyncIterator]()).toThrow('a delegation can be iterated once: it was iterated before');
});

test('a refused brief starts no child, sends no SUBAGENT event, and tells the parent why', async () => {
  let ran = 0;
  const agent = defineAgent({
    name: 'researcher',
    description: 'b',
    inputSchema: z.object({ task: z.string().min(3) }).refine(({ task }) => task !== 'nothing', 'ask for something'),
    outputSchema: price,
    run: () => {
      ran += 1;
      return returned;
    },
  });
  const cases: [brief: unknown, issues: unknown[]][] = [
    ['{"task":"x","task":"y"}', [{ instancePath: '/task' }]],
    ['{"task"', [{ instancePath: '/task' }]],
    ['', [{ keyword: 'required' }]],
    [{ task: 'x' }, [{ instancePath: '/task', keyword: 'minLength' }]],
    [{ task: 'nothing' }, [{ keyword: 'refinement', message: 'ask for something' }]],
  ];
  for (const [brief, issues] of cases) {
    const delegation = delegate(agent, brief, fixed());
    const events = await collect(delegation);
    const envelope = await delegation.envelope;
    expect(envelope).toMatchObject({
      status: 'failed',
      final_result: null,
      task_summary: null,
      attempts: [],
      contract: { source: 'output_schema' },
      effort: { measured: { tool_calls: 0 } },
      error: { code: 'brief_rejected', issues },
    });
    expect(envelope).not.toHaveProperty('input');
    expect(events).toEqual([
      {
        type: 'CUSTOM',
        name: 'subcontract.brief_rejected',
        value: {
          subagentRunId: 'child-1',
          name: 'researcher',
          parentToolCallId: 'call-1',
          code: 'brief_rejected',
          message: envelope.error?.message,
          issues: envelope.error?.issues,
        },
      },
    ]);
    expect(await delegation.toolResult).toMatch(/researcher/);
    await expect(delegation.orThrow()).rejects.toMatchObject({ name: 'BriefError', code: 'brief_rejected', issues });
  }
  expect(ran).toBe(0);
});

test('a brief that JSON cannot write is refused too', async () => {
  const agent = defineAgent({ name: 'a', description: 'b', inputSchema: {}, run: () => '' });
  const cycle: Record<string, unknown> = {};
  cycle.cycle = cycle;
  const cases: [brief: unknown, instancePath: string][] = [
    [cycle, '/cycle'],
    [{ big: 1n }, '/big'],
    [{ amount: Number.NaN }, '/amount'],
    [{ at: new Date(0) }, '/at'],
    [new Map([['task', 'x']]), ''],
    [() => 'x', ''],
  ];
  for (const [brief, instancePath] of cases) {
    const delegation = delegate(agent, brief);
    await expect(delegation.orThrow()).rejects.toMatchObject({
      name: 'BriefError',
      code: 'brief_rejected',
      issues: [{ instancePath, keyword: 'invalid_json' }],
    });
    expect(await delegation.toolResult).toMatch(/^The brief for "a" was not accepted/);
  }
});

test('transforms and defaults of the brief reach ctx.input; the envelope keeps the text', async () => {
  let input: unknown;
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    inputSchema: z.object({ task: z.string().trim(), limit: z.number().default(3) }),
    run: (ctx) => {
      input = ctx.input;
      return '';
    },
  });
  const text = await delegate(agent, '{"task": " x "}').envelopeText;
  expect(input).toEqual({ task: 'x', limit: 3 });
  expect(text).toContain('"input":{"task": " x "}');
  expect(parseEnvelope(text).input).toEqual({ task: ' x ' });
});

test.each([
  ['null', null, 'invalid_schema'],
  ['a string that is no JSON', 'price', 'invalid_json'],
  ['an unknown type', { type: 'float' }, 'invalid_schema'],
  ['an unknown keyword', { type: 'object', requried: ['price'] }, 'unknown_keyword'],
  ['a remote reference', { $ref: 'https://example.com/price.json' }, 'unresolved_ref'],
])('a final schema that does not hold up is refused before the child runs: %s', async (_, finalSchema, code) => {
  let ran = 0;
  const agent = defineAgent({
    name: 'a',
    description: 'b',
    run: () => {
      ran += 1;
      return '';
    },
  });
  const delegation = delegate(agent, undefined, fixed({ finalSchema }));
  expect(await collect(delegation)).toMatchObject([
    { type: 'CUSTOM', name: 'subcontract.not_started', value: { subagentRunId: 'child-1', name: 'a', code } },
  ]);
  expect(await delegation.envelope).toMatchObject({ status: 'failed', error: { code } });
  await expect(delegation.orThrow()).rejects.toMatchObject({ name: 'SchemaError', code });
  expect(ran).toBe(0);
});
