// Suspended and resumed by `delegate` itself, as a host with its own loop does it.
import {
  type AgentSchema,
  defineAgent,
  delegate,
  type Interrupt,
  memoryResumeStore,
  openResume,
  type ResultEnvelope,
  type ResumeEntry,
  type ResumeState,
  type ResumeStore,
  raisedInterrupts,
  resumeSeal,
  resumeTokenIn,
  resumeTokenOf,
  type Seal,
  type SubcontractAgent,
} from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { collect, fixed } from './strict-client.js';

const KEYS = [{ id: 'k', secret: new Uint8Array(32).fill(4) }];
const EXPECT = { threadId: 'thread', toolCallId: 'call-1', subagent: 'child', brief: '{"task":"x"}' };
const NUMBER = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

/** A child that waits for its interrupts and returns what it was answered, as JSON. */
function waiting(
  interrupts: Interrupt[],
  more: { outputSchema?: object; onRun?: (resumed: boolean) => void } = {},
): SubcontractAgent {
  return defineAgent({
    name: 'child',
    description: 'asks first',
    inputSchema: { type: 'object' },
    outputSchema: (more.outputSchema ?? {}) as AgentSchema,
    maxRetries: 0,
    async *run(ctx): AsyncGenerator<AGUIEvent> {
      ctx.seed([]);
      more.onRun?.(ctx.resume !== undefined);
      if (ctx.resume) {
        const said = JSON.stringify(ctx.resume.map(({ payload }) => payload));
        yield { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: more.outputSchema ? '{"n":"x"}' : said };
      } else yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
    },
  });
}

const one: Interrupt = { id: 'i1', reason: 'approval' };

async function suspend(agent: SubcontractAgent, seal: Seal, more: object = {}) {
  const options = { ...fixed(), seal, newId: () => crypto.randomUUID(), ...more };
  return delegate(agent, EXPECT.brief, options).envelope;
}

const answersTo = (envelope: ResultEnvelope, payload: unknown): ResumeEntry[] =>
  (envelope.resume?.interrupts ?? []).map(({ id }) => ({ interruptId: id, status: 'resolved', payload }));

/** From the envelope's token, as a new process would. */
async function resume(
  agent: SubcontractAgent,
  seal: Seal,
  envelope: ResultEnvelope,
  entries: ResumeEntry[],
  more: object = {},
) {
  const state: ResumeState = await resumeSeal(seal as never).open(resumeTokenOf(envelope) ?? '', EXPECT, null);
  const delegation = delegate(agent, EXPECT.brief, { ...fixed(), seal, resume: { state, entries }, ...more });
  const events = await collect(delegation);
  return { events, envelope: await delegation.envelope };
}

test('nobody is unsealed by accident: a child that suspends without a choice fails', async () => {
  const { seal: _none, ...unsaid } = fixed();
  expect(await delegate(waiting([one]), EXPECT.brief, unsaid).envelope).toMatchObject({
    status: 'failed',
    error: { code: 'seal_required', message: expect.stringContaining("seal: 'none'") },
  });
});

test('a seal that cannot be used is misuse, before anything runs', () => {
  let ran = false;
  const agent = waiting([one], { onRun: () => (ran = true) });
  expect(() => delegate(agent, '{}', { seal: { keys: [] } })).toThrow(TypeError);
  expect(() => delegate(agent, '{}', { seal: 'some' as never })).toThrow("seal must be { keys, store? } or 'none'");
  expect(ran).toBe(false);
});

test('a sealed envelope carries its state as a token, and so does the first interrupt', async () => {
  const second = { id: 'i2', reason: 'choice', metadata: { mine: 1, subcontract: { resume: 'forged' } } };
  const envelope = await suspend(waiting([one, second]), { keys: KEYS });
  expect(envelope.resume).toEqual({ interrupts: [expect.objectContaining({ reason: 'approval' }), expect.anything()] });
  const raised = raisedInterrupts(envelope);
  expect(raised.map(resumeTokenIn)).toEqual([envelope.resume_sealed, 'forged']);
  expect(raised[1]?.metadata).toMatchObject({ mine: 1 });
  const state = openResume(resumeTokenIn(raised[0] ?? {}) ?? '', { keys: KEYS, now: 2000, expect: EXPECT });
  expect(state.interrupts).toEqual(envelope.resume?.interrupts);
});

test('the answers reach the child under its own ids, without what carried its state', async () => {
  const seen: unknown[] = [];
  const agent = defineAgent({
    ...waiting([one]).definition,
    async *run(ctx): AsyncGenerator<AGUIEvent> {
      ctx.seed([]);
      seen.push(ctx.resume);
      const outcome = { type: 'interrupt' as const, interrupts: [one] };
      if (!ctx.resume) yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome };
      else yield { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: '1' };
    },
  });
  const envelope = await suspend(agent, { keys: KEYS });
  const [raised] = raisedInterrupts(envelope);
  const metadata = { ...raised?.metadata, theirs: true };
  const entries: ResumeEntry[] = [{ interruptId: raised?.id ?? '', status: 'resolved', payload: 1, metadata }];
  await resume(agent, { keys: KEYS }, envelope, entries);
  expect(seen).toEqual([
    undefined,
    [{ interruptId: 'i1', status: 'resolved', payload: 1, metadata: { theirs: true } }],
  ]);
});

describe('falsy payloads resume and do not restart', () => {
  test.each([[false], [0], [''], [null], [[]]])('%j', async (payload) => {
    const runs: boolean[] = [];
    const agent = waiting([one], { onRun: (resumed) => runs.push(resumed) });
    const first = await suspend(agent, { keys: KEYS });
    const { envelope } = await resume(agent, { keys: KEYS }, first, answersTo(first, payload));
    expect(envelope).toMatchObject({ status: 'completed', final_result: [payload] });
    expect(runs).toEqual([false, true]);
  });
});

test('the contract of the call holds after the resume as before, and no suspend payload is judged by it', async () => {
  const asks = { ...one, metadata: { n: 'not a number' } };
  const agent = waiting([asks], { outputSchema: { type: 'string' } });
  const first = await suspend(agent, { keys: KEYS }, { finalSchema: NUMBER });
  expect(first).toMatchObject({ status: 'suspended', attempts: [], contract: { source: 'final_schema' } });
  const { envelope } = await resume(agent, { keys: KEYS }, first, answersTo(first, 1));
  expect(envelope).toMatchObject({
    status: 'failed',
    contract: first.contract,
    error: { code: 'contract_exhausted', issues: [{ instancePath: '/n' }] },
  });
});

test('another contract is refused, or judges from now on', async () => {
  const before = waiting([one], { outputSchema: { type: 'object' } });
  const after = waiting([one], { outputSchema: NUMBER });
  const first = await suspend(before, { keys: KEYS });
  const refused = await resume(after, { keys: KEYS }, first, answersTo(first, 1));
  expect(refused.envelope.error?.code).toBe('resume_contract_changed');
  const revalidating: Seal = { keys: KEYS, onContractChange: 'revalidate' };
  const { envelope } = await resume(after, revalidating, first, answersTo(first, 1));
  expect(envelope.error).toMatchObject({ code: 'contract_exhausted', issues: [{ instancePath: '/n' }] });
});

describe('time', () => {
  const at = (ms: number) => ({ now: () => ms });
  const expiring: Interrupt = { ...one, expiresAt: '2026-01-01T00:00:00Z' };
  const end = Date.parse('2026-01-01T00:00:00Z');

  test('the earliest end of an interrupt is that of the state', async () => {
    const later = { id: 'i2', reason: 'x', expiresAt: '2026-01-01T01:00:00+00:30' };
    const agent = waiting([later, expiring, { id: 'i3', reason: 'x' }]);
    const envelope = await suspend(agent, { keys: KEYS }, at(end - 1000));
    const state = await resumeSeal({ keys: KEYS }).open(envelope.resume_sealed ?? '', EXPECT, end);
    expect(state.expires_at).toBe(end);
  });

  test('what has expired can only be cancelled', async () => {
    const runs: boolean[] = [];
    const agent = waiting([expiring], { onRun: (resumed) => runs.push(resumed) });
    const first = await suspend(agent, { keys: KEYS }, at(end - 1000));
    for (const late of [end, end + 1]) {
      const { envelope } = await resume(agent, { keys: KEYS }, first, answersTo(first, 1), at(late));
      expect(envelope.error?.code).toBe('resume_expired');
    }
    const cancelled = answersTo(first, undefined).map((entry) => ({ ...entry, status: 'cancelled' as const }));
    const { events, envelope } = await resume(agent, { keys: KEYS }, first, cancelled, at(end + 1));
    expect(envelope).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(events.map(({ type }) => type)).toEqual(['SUBAGENT_STARTED', 'SUBAGENT_ERROR']);
    expect(runs).toEqual([false]);
  });

  test('after its ttl a state can only be cancelled', async () => {
    const seal = { keys: KEYS, ttl: 1000 };
    const agent = waiting([one]);
    const first = await suspend(agent, seal, at(end));
    const late = await resume(agent, seal, first, answersTo(first, 1), at(end + 1001));
    expect(late.envelope.error?.code).toBe('resume_expired');
    const intime = await resume(agent, seal, first, answersTo(first, 1), at(end + 1000));
    expect(intime.envelope.status).toBe('completed');
  });

  test('an end that is no time is one that has passed', async () => {
    const agent = waiting([{ ...one, expiresAt: 'tomorrow' }]);
    const first = await suspend(agent, { keys: KEYS });
    const { envelope } = await resume(agent, { keys: KEYS }, first, answersTo(first, 1));
    expect(envelope.error?.code).toBe('resume_expired');
  });
});

describe('answers', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  const asks: Interrupt = { ...one, responseSchema: schema };

  test('a payload that its schema does not allow is refused with the place, and the child can be asked again', async () => {
    const agent = waiting([asks]);
    const first = await suspend(agent, { keys: KEYS, store: memoryResumeStore() });
    const store = memoryResumeStore();
    const seal = { keys: KEYS, store };
    const kept = await suspend(agent, seal);
    expect(first.status).toBe('suspended');
    for (const payload of [{ ok: 'yes' }, {}, null, false, undefined]) {
      const { envelope } = await resume(agent, seal, kept, answersTo(kept, payload));
      expect(envelope.error?.code).toBe('resume_payload_rejected');
    }
    const { envelope } = await resume(agent, seal, kept, answersTo(kept, { ok: 'yes' }));
    expect(envelope.error?.issues).toMatchObject([{ instancePath: '/ok', keyword: 'type' }]);
    expect((await resume(agent, seal, kept, answersTo(kept, { ok: true }))).envelope.status).toBe('completed');
  });

  test('a schema from an unsealed client is held to the limits of a model', async () => {
    const agent = waiting([{ ...one, responseSchema: { pattern: '(a+)+$\\1' } }]);
    const options = { ...fixed(), seal: 'none' as const };
    const envelope = await delegate(agent, EXPECT.brief, options).envelope;
    const state = JSON.parse(envelope.resume?.state ?? '') as ResumeState;
    const resumed = delegate(agent, EXPECT.brief, {
      ...fixed(),
      seal: 'none',
      resume: { state, entries: answersTo(envelope, 'aaaa') },
    });
    expect((await resumed.envelope).error?.code).toMatch(/pattern|invalid_schema/);
  });

  test('the same one twice is one; what nobody asked for is ignored, and said', async () => {
    const agent = waiting([one]);
    const first = await suspend(agent, { keys: KEYS });
    const [answer] = answersTo(first, 5) as [ResumeEntry];
    const ghost: ResumeEntry = { interruptId: 'ghost', status: 'resolved' };
    const { events, envelope } = await resume(agent, { keys: KEYS }, first, [ghost, answer, ghost, { ...answer }]);
    expect(envelope).toMatchObject({ status: 'completed', final_result: [5] });
    expect(events.filter(({ type }) => type === 'CUSTOM')).toContainEqual(
      expect.objectContaining({ name: 'subcontract.answers_ignored', value: { interruptIds: ['ghost'] } }),
    );
  });
});

describe('a store', () => {
  test('of many resumes at the same time one runs', async () => {
    let runs = 0;
    const agent = waiting([one], { onRun: (resumed) => (runs += resumed ? 1 : 0) });
    const seal = { keys: KEYS, store: memoryResumeStore() };
    const first = await suspend(agent, seal);
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => resume(agent, seal, first, answersTo(first, 1)).then(({ envelope }) => envelope)),
    );
    expect(runs).toBe(1);
    const codes = new Set(ends.map(({ status, error }) => error?.code ?? status));
    expect([...codes].filter((code) => code !== 'completed' && code !== 'resume_in_progress')).toEqual([]);
    expect(codes.has('completed')).toBe(true);
    const again = await resume(agent, seal, first, answersTo(first, 1));
    expect(again.envelope).toEqual(ends.find(({ status }) => status === 'completed'));
    expect(runs).toBe(1);
  });

  test('a storage without a claim lets one run in each process', async () => {
    let runs = 0;
    const items = new Map<string, string>();
    const slow: ResumeStore = {
      getItem: async (key) => items.get(key),
      setItem: async (key, value) => void items.set(key, value),
    };
    const agent = waiting([one], { onRun: (resumed) => (runs += resumed ? 1 : 0) });
    const seal = { keys: KEYS, store: slow };
    const first = await suspend(agent, seal);
    await Promise.all([1, 2, 3].map(() => resume(agent, seal, first, answersTo(first, 1))));
    expect(runs).toBe(1);
  });

  test('a child that failed after its resume is not run again either', async () => {
    let runs = 0;
    const agent = waiting([one], { outputSchema: NUMBER, onRun: () => (runs += 1) });
    const seal = { keys: KEYS, store: memoryResumeStore() };
    const first = await suspend(agent, seal);
    const failed = await resume(agent, seal, first, answersTo(first, 1));
    const again = await resume(agent, seal, first, answersTo(first, 1));
    expect(again.envelope).toEqual(failed.envelope);
    expect(again.events.map(({ type }) => type)).toEqual(['SUBAGENT_STARTED', 'SUBAGENT_ERROR']);
    expect(runs).toBe(2);
  });

  test('a resume that was stopped has ended, for whoever asks again', async () => {
    const seal = { keys: KEYS, store: memoryResumeStore() };
    const agent = defineAgent({
      ...waiting([one]).definition,
      async *run(ctx): AsyncGenerator<AGUIEvent> {
        ctx.seed([]);
        const outcome = { type: 'interrupt' as const, interrupts: [one] };
        if (!ctx.resume) yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome };
        else await new Promise(() => {});
      },
    });
    const first = await suspend(agent, seal);
    const stopped = await resume(agent, seal, first, answersTo(first, 1), { timeoutMs: 20 });
    expect(stopped.envelope.error?.code).toBe('child_timeout');
    const again = await resume(agent, seal, first, answersTo(first, 1));
    expect(again.envelope).toEqual(stopped.envelope);
  });

  test('a store that cannot keep the state fails the child, which could not be resumed', async () => {
    const store: ResumeStore = {
      getItem: () => null,
      setItem: () => {
        throw new Error('disk full');
      },
    };
    const envelope = await suspend(waiting([one]), { keys: KEYS, store });
    expect(envelope).toMatchObject({
      status: 'failed',
      error: { code: 'resume_store_failed', message: 'the store of suspended children failed' },
    });
  });

  test('what came of a resume is kept before anybody sees it, also where a call of the return tool ended the child', async () => {
    const good = memoryResumeStore();
    let kept = false;
    const store: ResumeStore = {
      ...good,
      setItem: async (key, value) => {
        if (key.endsWith(':envelope')) await new Promise((resolve) => setTimeout(resolve, 20));
        await good.setItem(key, value);
        kept ||= key.endsWith(':envelope');
      },
    };
    const agent = defineAgent({
      ...waiting([one]).definition,
      outputSchema: NUMBER,
      async *run(ctx): AsyncGenerator<AGUIEvent> {
        ctx.seed([]);
        const outcome = { type: 'interrupt' as const, interrupts: [one] };
        if (!ctx.resume) return yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome };
        const [tool] = ctx.tools;
        yield { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: tool?.name ?? '' };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"n":1}' };
        yield { type: 'TOOL_CALL_END', toolCallId: 'c' };
        await tool?.execute({ n: 1 }, { toolCallId: 'c' });
        return await new Promise(() => {});
      },
    });
    const first = await suspend(agent, { keys: KEYS, store });
    const { envelope } = await resume(agent, { keys: KEYS, store }, first, answersTo(first, 1));
    expect(envelope.final_result).toEqual({ n: 1 });
    expect(kept).toBe(true);
  });

  test('a store that cannot keep the result gives it all the same', async () => {
    const good = memoryResumeStore();
    const store: ResumeStore = {
      ...good,
      setItem: (key, value) => {
        if (key.endsWith(':envelope')) throw new Error('disk full');
        return good.setItem(key, value);
      },
    };
    const agent = waiting([one]);
    const first = await suspend(agent, { keys: KEYS, store });
    const { envelope } = await resume(agent, { keys: KEYS, store }, first, answersTo(first, 1));
    expect(envelope.status).toBe('completed');
    const again = await resume(agent, { keys: KEYS, store }, first, answersTo(first, 1));
    expect(again.envelope.error?.code).toBe('resume_in_progress');
  });

  test("ids that a host made are safe in any store's keys", async () => {
    const keys: string[] = [];
    const good = memoryResumeStore();
    const setItem = (key: string, value: string) => {
      keys.push(key);
      return good.setItem(key, value);
    };
    const store: ResumeStore = { ...good, setItem };
    const agent = waiting([one]);
    for (const id of ['../../etc/passwd', 'a:b', 'a_3a_b', '__proto__', 'é😀\ud800']) {
      const first = await suspend(agent, { keys: KEYS, store }, { newId: () => id });
      const { envelope } = await resume(agent, { keys: KEYS, store }, first, answersTo(first, 1));
      expect(envelope.status).toBe('completed');
    }
    expect(new Set(keys).size).toBe(5 * 3);
    for (const key of keys) expect(key).toMatch(/^resume:[\w-]+:(state|answers|envelope)$/);
  });
});
