// onEvent: what a host hears of a delegation, and that nothing it does with it harms the run.
import { type DelegationEvent, type DelegationObserver, defineAgent, delegate, openResumeState } from 'subcontract';
import { expect, test } from 'vitest';
import { scriptedChild } from './scripted-child.js';
import { collect, fixed, soon } from './strict-client.js';

const base = { name: 'a', description: 'b' };
const price = {
  title: 'Price',
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
} as const;
const whose = { subagentRunId: 'child-1', subagent: 'a', threadId: 'thread', parentToolCallId: 'call-1' };

function heard() {
  const events: DelegationEvent[] = [];
  const onEvent: DelegationObserver = (event) => {
    events.push(event);
  };
  return { events, onEvent, types: () => events.map(({ type }) => type) };
}

const call = (id: string, args: string) => ({ calls: [{ id, name: 'price', args }] });
const usage = [{ model: 'm', inputTokens: 3 }];

test('a mended return: started, each attempt with what it used, accepted; nothing of brief or return', async () => {
  const agent = defineAgent({
    ...base,
    inputSchema: { type: 'object' },
    outputSchema: price,
    earlyReject: false,
    run: (ctx) =>
      scriptedChild(
        [
          { text: 'SECRET', calls: [{ id: 's', name: 'look', args: '{"q":"SECRET"}' }], usage },
          { ...call('c1', '{"price":"SECRET","note":"SECRET"}'), usage },
          { ...call('c2', '{"price":1}'), usage },
        ],
        [{ name: 'look', execute: () => 'SECRET' }, ...ctx.tools],
      ),
  });
  const { events, onEvent } = heard();
  const delegation = delegate(agent, { task: 'SECRET' }, fixed({ onEvent, parentRunId: 'p', now: () => 5 }));
  await collect(delegation);
  const about = { ...whose, parentRunId: 'p', timestamp: 5 };
  const digest = agent.outputContract?.digest;
  expect(events).toEqual([
    { ...about, type: 'started', contract: { source: 'output_schema', digest } },
    {
      ...about,
      type: 'attempt',
      attempt: 1,
      maxRetries: 2,
      outcome: 'rejected',
      via: 'return_tool',
      code: 'schema_violation',
      issues: 1,
      keywords: ['type'],
      early: false,
    },
    {
      ...about,
      type: 'attempt',
      attempt: 2,
      maxRetries: 2,
      outcome: 'accepted',
      via: 'return_tool',
      issues: 0,
      keywords: [],
      early: false,
    },
    {
      ...about,
      type: 'accepted',
      attempts: 2,
      effort: { tool_calls: 1, duration_ms: 0, finish_reason: 'stop' },
      usage: [{ model: 'm', inputTokens: 9 }],
    },
  ]);
  expect(JSON.stringify(events)).not.toContain('SECRET');
  expect((await delegation.envelope).attempts.map((attempt) => attempt.usage)).toEqual([
    // Two calls of the model led to the first return.
    [{ model: 'm', inputTokens: 6 }],
    usage,
  ]);
});

const waits = defineAgent({
  ...base,
  outputSchema: price,
  run: async function* (ctx) {
    ctx.seed([]);
    const interrupts = [{ id: 'i', reason: 'r' }];
    if (!ctx.resume) yield { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } };
    else yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '{"price":1}' };
  },
});

test('a suspended child, and the same one resumed', async () => {
  const { events, types, onEvent } = heard();
  const { resume } = await delegate(waits, undefined, fixed({ onEvent })).envelope;
  const state = openResumeState(resume?.state ?? '', {});
  const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
  await delegate(waits, undefined, fixed({ onEvent, resume: { state, entries } })).orThrow();
  expect(types()).toEqual(['started', 'suspended', 'resumed', 'attempt', 'accepted']);
  expect(events[1]).toMatchObject({ ...whose, interrupts: 1, attempts: 0 });
  expect(events[2]).toMatchObject({ ...whose, attempts: 0, contract: { source: 'output_schema' } });
});

test('each delegation has one beginning and one end', async () => {
  const abort = new AbortController();
  const never = () => new Promise<string>(() => {});
  const ends: Record<string, [() => Promise<unknown>, string[], string | undefined]> = {};
  const { events, types, onEvent } = heard();
  const of = (definition: object, brief?: unknown, options: object = {}) =>
    delegate(defineAgent({ ...base, run: () => 'x', ...definition }), brief, fixed({ onEvent, ...options }));
  const schema = { type: 'object', required: ['n'] };
  ends.prose = [() => of({}).envelope, ['started', 'answered'], undefined];
  ends.exhausted = [
    () => of({ outputSchema: schema, maxRetries: 0 }).envelope,
    ['started', 'attempt', 'exhausted'],
    'contract_exhausted',
  ];
  ends.failed = [
    () =>
      of({
        run: () => {
          throw new Error('SECRET');
        },
      }).envelope,
    ['started', 'failed'],
    'child_error',
  ];
  ends.brief = [() => of({ inputSchema: schema }, {}).envelope, ['refused'], 'brief_rejected'];
  ends.schema = [() => of({}, {}, { finalSchema: { type: 'float' } }).envelope, ['refused'], 'invalid_schema'];
  ends.timeout = [() => of({ run: never }, {}, { timeoutMs: 5 }).envelope, ['started', 'failed'], 'child_timeout'];
  ends.cancelled = [
    () => {
      const delegation = of({ run: never });
      void delegation.envelope;
      setTimeout(() => delegation.abort(), 5);
      return delegation.envelope;
    },
    ['started', 'cancelled'],
    'aborted',
  ];
  abort.abort();
  ends['before its start'] = [() => of({}, {}, { abortSignal: abort.signal }).envelope, ['cancelled'], 'aborted'];
  for (const [name, [run, expected, code]] of Object.entries(ends)) {
    events.length = 0;
    await soon(run());
    expect([name, types()]).toEqual([name, expected]);
    expect([name, (events.at(-1) as { code?: string }).code]).toEqual([name, code]);
    expect(JSON.stringify(events)).not.toContain('SECRET');
  }
});

test.each<[string, DelegationObserver]>([
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  ['rejects', (async () => Promise.reject(new Error('mine'))) as DelegationObserver],
  ['never ends', (() => new Promise(() => {})) as DelegationObserver],
  [
    'changes what it hears',
    (event) => {
      for (const key of Object.keys(event)) delete (event as unknown as Record<string, unknown>)[key];
    },
  ],
  [
    'gives what cannot be awaited',
    (() =>
      Object.defineProperty({}, 'then', {
        get() {
          throw new Error('mine');
        },
      })) as unknown as DelegationObserver,
  ],
])('an observer that %s is left alone', async (_, onEvent) => {
  const agent = defineAgent({
    ...base,
    outputSchema: price,
    run: ({ attempt }) => (attempt === 1 ? ('{}' as never) : ('{"price":1}' as never)),
  });
  const envelope = await soon(delegate(agent, undefined, fixed({ onEvent })).envelope);
  expect(envelope).toMatchObject({
    status: 'completed',
    final_result: { price: 1 },
    attempts: [{ outcome: 'rejected' }, { outcome: 'accepted' }],
  });
});

test('a clock that fails leaves the time out', async () => {
  const { events, onEvent } = heard();
  let calls = 0;
  const now = () => {
    calls += 1;
    if (calls > 1) throw new Error('broken');
    return 5;
  };
  await delegate(defineAgent({ ...base, run: () => 'x' }), undefined, fixed({ onEvent, now })).orThrow();
  expect(events.map((event) => 'timestamp' in event)).toEqual([false, false]);
});
