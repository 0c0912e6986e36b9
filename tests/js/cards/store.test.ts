// The card store without a page: what events make of cards.
import { compileContract, type Issue, strictResearchResult } from 'subcontract';
import { type Card, type CardStore, type CardStoreOptions, createCardStore } from 'subcontract/cards';
import { describe, expect, it, vi } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { AGENTS, BRIEF, Child, pieces, RECORD } from './child-events.js';

const { digest } = compileContract(strictResearchResult);
const CONTRACT = { source: 'output_schema', digest };
const child = new Child();

function storeOf(events: readonly AGUIEvent[], options: CardStoreOptions = {}): CardStore {
  const store = createCardStore({ agents: AGENTS, now: () => 1000, ...options });
  for (const event of events) store.push(event);
  return store;
}

function cardOf(store: CardStore, id = child.id): Card {
  const card = store.snapshot().byId.get(id);
  if (card === undefined) throw new Error(`there is no card ${id}`);
  return card;
}

const START = [child.run(), ...child.called(), child.started()];

describe('a child that returns', () => {
  it('is a card with its brief from the start on', () => {
    expect(
      storeOf([child.run(), ...child.called(), child.started({ description: 'Finds out' })]).snapshot().cards,
    ).toEqual([
      {
        id: 'c1',
        agent: 'researcher',
        description: 'Finds out',
        parentToolCallId: 'call-1',
        children: [],
        status: 'running',
        connected: true,
        startedAt: 1000,
        workingSince: 1000,
        workedMs: 0,
        brief: { text: JSON.stringify(BRIEF), value: BRIEF },
        attempts: [],
        attempt: 1,
        maxAttempts: 3,
        toolCalls: [],
        omittedToolCalls: 0,
        degraded: [],
        amendments: [],
        flags: [],
        usage: [],
        interrupts: [],
        transcriptRef: 'c1',
      },
    ]);
  });

  it('shows its return as it streams, judged in the page', () => {
    const store = storeOf(START);
    const events = child.returns(JSON.stringify(RECORD));
    const seen: unknown[] = [];
    for (const event of events) {
      store.push(event);
      const { value, status, source, issues } = cardOf(store).return ?? {};
      expect([source, status === 'incomplete' || status === 'complete', issues]).toEqual(['stream', true, []]);
      seen.push(value);
    }
    expect(seen.at(-1)).toEqual(RECORD);
    expect(cardOf(store).return?.status).toBe('complete');
    expect(cardOf(store).return?.schema).toEqual(compileContract(strictResearchResult).jsonSchema);
    // What was shown once stays as it was shown.
    const partial = JSON.stringify(seen[30]);
    expect(JSON.stringify(seen.at(-1)).startsWith(partial.replace(/["}\]]+$/, ''))).toBe(true);
  });

  it('keeps what did not change, to the object', () => {
    const store = storeOf(START);
    const findings: (readonly unknown[])[] = [];
    for (const event of child.returns(JSON.stringify(RECORD))) {
      store.push(event);
      const record = cardOf(store).return?.value as { findings?: readonly unknown[] } | undefined;
      if (record?.findings) findings.push(record.findings);
    }
    const last = findings.at(-1) as readonly object[];
    // Once the third finding has begun, the first one is the same object for good.
    const third = findings.filter((list) => list.length === 3);
    expect(third.length).toBeGreaterThan(5);
    expect(new Set(third.map(([first]) => first)).size).toBe(1);
    store.push(child.finished({ final_result: structuredClone(RECORD), contract: CONTRACT }));
    const value = cardOf(store).return?.value as typeof RECORD;
    expect(value.findings).toBe(last);
  });

  it('is finished with the verdict of the page, and the host’s figures', () => {
    const usage = { inputTokens: 100, outputTokens: 20 };
    const store = storeOf([
      ...START,
      ...child.returns(JSON.stringify(RECORD)),
      child.attempt({ attempt: 1, via: 'return_tool', outcome: 'accepted', maxRetries: 2 }),
      child.finished(
        {
          attempts: [{ attempt: 1, via: 'return_tool', outcome: 'accepted' }],
          final_result: RECORD,
          contract: CONTRACT,
          task_summary: 'Done.',
          transcript_ref: 'ref-1',
          flags: ['fenced'],
        },
        usage,
      ),
    ]);
    expect(cardOf(store)).toMatchObject({
      status: 'finished',
      attempt: 1,
      attempts: [{ attempt: 1, outcome: 'accepted', via: 'return_tool', issues: [], early: false }],
      durationMs: 4200,
      summary: 'Done.',
      transcriptRef: 'ref-1',
      flags: ['fenced'],
      usage: [usage],
      contract: CONTRACT,
      check: { verdict: 'valid', streamed: 'same' },
      return: { source: 'envelope', status: 'complete', value: RECORD },
    });
  });

  it.each([
    ['nothing streamed', [], RECORD, {}, { verdict: 'valid', streamed: 'unseen' }],
    [
      'the envelope says what it changed',
      child.returns(JSON.stringify(RECORD)),
      { ...RECORD, assumptions: [] },
      { amendments: [{ pointer: '/assumptions', by: 'g' }] },
      { verdict: 'valid', streamed: 'amended' },
    ],
    [
      'something on the way changed it',
      child.returns(JSON.stringify(RECORD)),
      { ...RECORD, assumptions: [] },
      {},
      { verdict: 'valid', streamed: 'different' },
    ],
    [
      'the host put its own transcript handle in',
      child.returns(JSON.stringify(RECORD)),
      { ...RECORD, transcript_ref: 'ours' },
      {},
      { verdict: 'valid', streamed: 'same' },
    ],
    [
      'another contract held',
      [],
      RECORD,
      { contract: { source: 'output_schema', digest: 'sha256-other' } },
      { verdict: 'unchecked', reason: 'other_contract' },
    ],
    ['no contract held', [], RECORD, { contract: { source: 'none' } }, { verdict: 'unchecked', reason: 'no_contract' }],
  ])('compares the result with what streamed: %s', (_name, streamed, final_result, more, check) => {
    const store = storeOf([...START, ...streamed, child.finished({ final_result, contract: CONTRACT, ...more })]);
    expect(cardOf(store).check).toEqual(check);
  });

  it('does not believe an envelope whose result breaks the contract', () => {
    const broken = { ...RECORD, findings: [{ claim: 'x', provenance: [], confidence: 'sure' }] };
    const store = storeOf([...START, child.finished({ final_result: broken, contract: CONTRACT })]);
    expect(cardOf(store).check).toMatchObject({ verdict: 'invalid', code: 'schema_violation' });
    expect(cardOf(store).return).toMatchObject({
      status: 'rejected',
      issues: [{ instancePath: '/findings/0/confidence' }],
    });
  });

  it('of an agent that the page does not know is shown and not judged', () => {
    const stranger = new Child('c1', 'stranger');
    const store = storeOf([...START.slice(0, -1), stranger.started(), stranger.finished({ final_result: { any: 1 } })]);
    expect(cardOf(store).check).toEqual({ verdict: 'unchecked', reason: 'unknown_agent' });
    expect(cardOf(store).return).toMatchObject({ value: { any: 1 }, status: 'unread' });
    expect(cardOf(store).maxAttempts).toBeUndefined();
  });
});

describe('attempts', () => {
  const issue: Issue = {
    instancePath: '/findings/0/confidence',
    schemaPath: '/properties/findings/items/properties/confidence/enum',
    keyword: 'enum',
    params: {},
    message: 'must be one of "verified", "inferred", "reported"',
  };
  const refused = child.attempt({
    attempt: 1,
    via: 'return_tool',
    outcome: 'rejected',
    code: 'schema_violation',
    early: true,
    issues: [issue],
    maxRetries: 4,
  });

  it('are counted, with what the earlier ones were refused for', () => {
    const store = storeOf([...START, refused]);
    expect(cardOf(store)).toMatchObject({
      attempt: 2,
      maxAttempts: 5,
      attempts: [{ attempt: 1, outcome: 'rejected', code: 'schema_violation', early: true, issues: [issue] }],
    });
  });

  it('the page sees a violation at the character that proves it, before the host says so', () => {
    const events = child.returns('{"findings":[{"claim":"x","provenance":[],"confidence":"sure"}]}');
    const store = storeOf(START);
    const at = events.findIndex((event) => {
      store.push(event);
      return cardOf(store).return?.status === 'rejected';
    });
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(events.length - 1);
    expect(cardOf(store).return?.issues).toEqual([
      expect.objectContaining({ instancePath: '/findings/0/confidence', keyword: 'enum' }),
    ]);
  });

  it('the next return takes the place of a refused one', () => {
    const store = storeOf([
      ...START,
      ...child.returns('{"findings":1'),
      refused,
      ...child.returns('{"findings":[]', 'r2'),
    ]);
    expect(cardOf(store).return).toMatchObject({ value: { findings: [] }, status: 'rejected' });
    expect(cardOf(store).return?.issues).toMatchObject([{ keyword: 'truncated' }]);
  });

  it('that are exhausted fail the child', () => {
    const store = storeOf([...START, child.failed('contract_exhausted', 'no return satisfied the contract')]);
    expect(cardOf(store)).toMatchObject({
      status: 'failed',
      error: { code: 'contract_exhausted', message: 'no return satisfied the contract', issues: [] },
    });
  });
});

describe('contracts of all kinds', () => {
  it('a root that is no object streams out of its wrapper', () => {
    const counts = new Child('c1', 'counter');
    const agents = [{ name: 'counter', outputSchema: { title: 'counts', type: 'array', items: { type: 'integer' } } }];
    const start = [counts.run(), ...counts.called(), counts.started()];
    const store = storeOf([...start, ...counts.call('counts', '{"result":[1,2,')], { agents });
    expect(cardOf(store).return).toMatchObject({ value: [1, 2] });
    const bad = storeOf([...start, ...counts.call('counts', '{"result":[1,"two"')], { agents });
    expect(cardOf(bad).return).toMatchObject({
      status: 'rejected',
      issues: [{ instancePath: '/1', schemaPath: '/items/type' }],
    });
  });

  it('a return that comes as text is shown as a return, and not as words', () => {
    const text = (delta: string): AGUIEvent => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta,
      subagentRunId: 'c1',
    });
    const open: AGUIEvent = { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 'c1' };
    const store = storeOf([...START, open, text('Here it is:\n```json\n')]);
    expect(cardOf(store)).toMatchObject({ words: { text: 'Here it is:\n```json\n', omitted: 0 } });
    expect(cardOf(store).return).toBeUndefined();
    for (const piece of pieces(JSON.stringify(RECORD))) store.push(text(piece));
    store.push(text('\n```'));
    store.push({ type: 'TEXT_MESSAGE_END', messageId: 'm', subagentRunId: 'c1' });
    expect(cardOf(store).return).toMatchObject({ value: RECORD, status: 'complete' });
    expect(cardOf(store).words).toBeUndefined();
  });

  it('a call of delegate_task names its agent, its brief and its own contract', () => {
    const price = { title: 'price', type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    const args = JSON.stringify({ subagent: 'researcher', input: { q: 1 }, final_schema: price });
    const store = storeOf([
      child.run(),
      ...child.called(args, 'delegate_task'),
      child.started(),
      ...child.call('price', '{"price":"ten"'),
    ]);
    expect(cardOf(store).brief).toEqual({ text: '{"q":1}', value: { q: 1 } });
    expect(cardOf(store).return).toMatchObject({ status: 'rejected', schema: price });
    const ref = { source: 'final_schema', digest: compileContract(price).digest };
    store.push(child.finished({ final_result: { price: 10 }, contract: ref }));
    expect(cardOf(store).check).toEqual({ verdict: 'valid', streamed: 'different' });
  });

  it('an agent’s own tool takes a contract when the page knows that it does', () => {
    const args = '{"task":"x","final_schema":{"type":"object"}}';
    const agents = [{ ...AGENTS[0], name: 'researcher', allowFinalSchema: true }];
    const events = [child.run(), ...child.called(args), child.started()];
    expect(cardOf(storeOf(events, { agents })).brief?.value).toEqual({ task: 'x' });
    expect(cardOf(storeOf(events)).brief?.value).toEqual(JSON.parse(args));
  });

  it('a contract that does not compile is the page’s mistake', () => {
    const agents = [{ name: 'a', outputSchema: { type: 'nonsense' } }];
    expect(() => createCardStore({ agents })).toThrow(expect.objectContaining({ name: 'SchemaError' }));
  });

  it('a child without a contract answers in words', () => {
    const writer = new Child('c1', 'writer');
    const store = storeOf([
      ...[writer.run(), ...writer.called(), writer.started()],
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'It co', subagentRunId: 'c1' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'sts 10.', subagentRunId: 'c1' },
      writer.finished({ task_summary: 'It costs 10.', contract: { source: 'none' } }),
    ]);
    expect(cardOf(store)).toMatchObject({
      words: { text: 'It costs 10.' },
      summary: 'It costs 10.',
      status: 'finished',
    });
    expect(cardOf(store).check).toBeUndefined();
  });
});

describe('tool calls', () => {
  it('are shown as they happen, the return tool’s excepted', () => {
    const store = storeOf(START);
    const at = () =>
      cardOf(store).toolCalls.map(({ name, status, args, result }) => [name, status, args.text, result?.text]);
    const [open, ...rest] = child.call('search', '{"q":"v2 changes"}');
    store.push(open as AGUIEvent);
    expect(at()).toEqual([['search', 'writing', '', undefined]]);
    for (const event of rest) store.push(event);
    expect(at()).toEqual([['search', 'running', '{"q":"v2 changes"}', undefined]]);
    store.push(child.result('3 hits', 'search'));
    for (const event of child.returns('{}')) store.push(event);
    expect(at()).toEqual([['search', 'done', '{"q":"v2 changes"}', '3 hits']]);
  });

  it('come in chunks as well', () => {
    const own = { subagentRunId: 'c1' };
    const store = storeOf([
      ...START,
      { type: 'TOOL_CALL_CHUNK', toolCallId: 't', toolCallName: 'search', delta: '{"q"', ...own },
      { type: 'TOOL_CALL_CHUNK', delta: ':1}', ...own },
      {
        type: 'TOOL_CALL_RESULT',
        toolCallId: 't',
        messageId: 'm',
        content: [
          { type: 'text', text: 'hit' },
          { type: 'image', source: { type: 'url', value: 'x' } },
        ],
        ...own,
      },
    ]);
    expect(cardOf(store).toolCalls).toEqual([
      {
        id: 't',
        name: 'search',
        status: 'done',
        args: { text: '{"q":1}', omitted: 0 },
        result: { text: 'hit\n[image]', omitted: 0 },
      },
    ]);
  });

  it('are kept up to a limit, and so is what they say', () => {
    const limits = { toolCalls: 3, text: 10 };
    const calls = [1, 2, 3, 4, 5].flatMap((id) => [
      ...child.call('search', `{"q":"${id}".........}`, `s${id}`),
      child.result('a long result 🙂', `s${id}`),
    ]);
    const card = cardOf(storeOf([...START, ...calls], { limits }));
    expect(card.omittedToolCalls).toBe(2);
    expect(card.toolCalls.map(({ id }) => id)).toEqual(['c1:s3', 'c1:s4', 'c1:s5']);
    expect(card.toolCalls[0]).toMatchObject({
      args: { text: '{"q":"3"..', omitted: 8 },
      result: { text: 'a long res', omitted: 6 },
    });
  });

  it('a cut never parts a pair of surrogates', () => {
    const limits = { text: 3 };
    const words = (delta: string): AGUIEvent => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta,
      subagentRunId: 'c1',
    });
    const card = cardOf(storeOf([...START, ...child.call('t', 'ab🙂'), words('🙂🙂🙂🙂')], { limits }));
    expect(card.toolCalls[0]?.args).toEqual({ text: 'ab', omitted: 2 });
    expect(card.words?.text).toMatch(/^🙂+$/u);
    expect((card.words?.text.length ?? 0) + (card.words?.omitted ?? 0)).toBe(8);
  });
});

describe('interrupts', () => {
  const SUSPENDED = [...START, ...child.call('query', '{"id":"M-9"}'), child.suspended(), child.interrupted()];
  const { id } = child.approval();
  const yes = { interruptId: id, status: 'resolved', payload: { approved: true } } as const;

  it('suspend a card, and the call they are about waits', () => {
    const card = cardOf(storeOf(SUSPENDED));
    expect(card).toMatchObject({ status: 'suspended', interrupts: [{ interrupt: child.approval() }], workedMs: 0 });
    expect(card.toolCalls).toMatchObject([{ id: 'c1:query', status: 'waiting' }]);
  });

  it('may be told before the run pauses: the card waits at once, and asks when it can be answered', () => {
    const waiting = { type: 'CUSTOM', name: 'subcontract.waiting', value: {}, subagentRunId: child.id } as const;
    expect(cardOf(storeOf([...START, waiting]))).toMatchObject({ status: 'suspended', interrupts: [] });
    expect(cardOf(storeOf([...START, waiting, child.suspended(), child.interrupted()]))).toMatchObject({
      status: 'suspended',
      interrupts: [{ interrupt: child.approval() }],
    });
    const stopped = { type: 'SUBAGENT_ERROR', subagentRunId: child.id, code: 'aborted', message: 'stopped' } as const;
    expect(cardOf(storeOf([...START, waiting, stopped]))).toMatchObject({ status: 'cancelled' });
    // Of one that is over it says nothing.
    expect(cardOf(storeOf([...START, stopped, waiting]))).toMatchObject({ status: 'cancelled' });
  });

  it('are answered all at once, over all cards', () => {
    const other = new Child('c2', 'researcher', 'call-2');
    const both = [child.approval(), other.approval()];
    const store = storeOf([...START, other.started(), child.suspended(), other.suspended(), child.interrupted(both)]);
    expect(store.answer(yes)).toBeUndefined();
    expect(cardOf(store).interrupts).toEqual([{ interrupt: child.approval(), answer: yes }]);
    const no = { interruptId: other.approval().id, status: 'resolved', payload: { approved: false } } as const;
    expect(store.answer(no)).toEqual([yes, no]);
    store.withdraw(id);
    expect(cardOf(store).interrupts).toEqual([{ interrupt: child.approval() }]);
    expect(store.answer({ interruptId: id, status: 'cancelled' })).toEqual([
      { interruptId: id, status: 'cancelled' },
      no,
    ]);
  });

  it('an answer to what no card asks is a mistake', () => {
    expect(() => storeOf(SUSPENDED).answer({ ...yes, interruptId: 'x' })).toThrow('no card has an interrupt "x"');
  });

  it('are over when the child goes on, under the same id', () => {
    let now = 1000;
    const store = storeOf(SUSPENDED, { now: () => now });
    now = 61_000;
    for (const event of [child.run('run-2'), child.started()]) store.push(event);
    expect(cardOf(store)).toMatchObject({
      status: 'running',
      interrupts: [],
      startedAt: 1000,
      workingSince: 61_000,
      workedMs: 0,
    });
    expect(cardOf(store).brief?.value).toEqual(BRIEF);
    store.push(child.result('M-9 uses v2', 'query'));
    expect(cardOf(store).toolCalls).toMatchObject([{ status: 'done', result: { text: 'M-9 uses v2' } }]);
    now = 62_500;
    store.push(child.failed('child_error', 'the model failed'));
    expect(cardOf(store)).toMatchObject({ status: 'failed', workedMs: 1500, interrupts: [] });
  });

  it('of a child that the page has not seen can be answered all the same', () => {
    const store = storeOf([child.run(), child.interrupted()]);
    expect(cardOf(store)).toMatchObject({
      agent: 'subagent',
      status: 'suspended',
      interrupts: [{ interrupt: { id } }],
    });
    expect(store.answer(yes)).toEqual([yes]);
  });
});

describe('a run that ends before its children', () => {
  it.each([
    [{ type: 'RUN_ERROR', message: 'out of tokens' } as const, 'failed', 'the run failed: out of tokens'],
    [
      { type: 'RUN_FINISHED', threadId: 't', runId: 'run-1', outcome: { type: 'cancelled' } } as const,
      'cancelled',
      'the run was cancelled',
    ],
    [child.over(), 'cancelled', 'the run ended without it'],
  ])('ends them: %j', (event, status, message) => {
    expect(cardOf(storeOf([...START, event]))).toMatchObject({ status, error: { message } });
  });

  it('ends those that wait as well, because nobody was asked; and not those that wait since an earlier run', () => {
    const cancelled = { type: 'RUN_FINISHED', threadId: 't', runId: 'run-1', outcome: { type: 'cancelled' } } as const;
    expect(cardOf(storeOf([...START, child.suspended(), cancelled]))).toMatchObject({
      status: 'cancelled',
      error: { message: 'the run was cancelled' },
      interrupts: [],
    });
    const refused = [child.run('run-2'), { type: 'RUN_ERROR', message: 'refused' } as const];
    expect(cardOf(storeOf([...START, child.suspended(), child.interrupted(), ...refused]))).toMatchObject({
      status: 'suspended',
      interrupts: [{ interrupt: child.approval() }],
    });
  });

  it('a stopped child is cancelled, and its calls with it', () => {
    const calls = [...child.call('query', '{}', 'q1'), child.result('1', 'q1'), ...child.call('query', '{}', 'q2')];
    const card = cardOf(storeOf([...START, ...calls, child.failed('aborted', 'the delegation was stopped')]));
    expect(card.status).toBe('cancelled');
    expect(card.toolCalls.map(({ status }) => status)).toEqual(['done', 'unfinished']);
  });

  it('a lost connection is said, until the next event', () => {
    const store = storeOf(START);
    store.disconnect();
    expect(cardOf(store)).toMatchObject({ status: 'running', connected: false });
    for (const event of child.call('search', '{}')) store.push(event);
    expect(cardOf(store).connected).toBe(true);
  });

  it('a brief that was refused is a card, although no child started', () => {
    const issues = [{ instancePath: '/task', keyword: 'minLength', message: 'must not be empty' }];
    const value = {
      subagentRunId: 'c1',
      name: 'researcher',
      parentToolCallId: 'call-1',
      code: 'brief_rejected',
      message: 'no',
      issues,
    };
    const store = storeOf([
      child.run(),
      ...child.called('{"task":""}'),
      { type: 'CUSTOM', name: 'subcontract.brief_rejected', value },
    ]);
    expect(cardOf(store)).toMatchObject({
      status: 'failed',
      brief: { value: { task: '' } },
      parentToolCallId: 'call-1',
      error: { code: 'brief_rejected', message: 'no', issues },
    });
  });
});

describe('nested children', () => {
  const inner = new Child('c2', 'researcher', 'c1:ask');
  const NESTED = [
    ...START,
    ...child.call('researcher', '{"task":"inner"}', 'ask'),
    inner.started({ parentSubagentRunId: 'c1' }),
  ];

  it('are listed in the card of who delegated to them, with their brief', () => {
    const store = storeOf(NESTED);
    expect(cardOf(store).children).toEqual(['c2']);
    expect(cardOf(store, 'c2')).toMatchObject({ parentId: 'c1', brief: { value: { task: 'inner' } } });
  });

  it('a change of one leaves the others as they are', () => {
    const store = storeOf(NESTED);
    const before = store.snapshot();
    for (const event of inner.call('search', '{}')) store.push(event);
    const after = store.snapshot();
    expect(after.version).toBe(before.version + 1);
    expect(after.byId.get('c1')).toBe(before.byId.get('c1'));
    expect(after.byId.get('c2')).not.toBe(before.byId.get('c2'));
  });
});

describe('listeners', () => {
  function scheduled() {
    let due: (() => void) | undefined;
    const schedule = vi.fn((notify: () => void) => {
      due = notify;
      return () => {
        due = undefined;
      };
    });
    return { schedule, frame: () => due?.() };
  }

  it('are told once a frame, however many events come', () => {
    const { schedule, frame } = scheduled();
    const store = storeOf([], { schedule });
    const listener = vi.fn();
    const end = store.subscribe(listener);
    for (const event of [...START, ...child.returns(JSON.stringify(RECORD))]) store.push(event);
    expect(schedule).toHaveBeenCalledTimes(1);
    expect(store.snapshot().cards).toEqual([]);
    frame();
    expect(listener).toHaveBeenCalledTimes(1);
    expect(store.snapshot().cards).toHaveLength(1);
    expect(store.snapshot()).toBe(store.snapshot());
    store.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'parent', delta: 'the parent talks' });
    expect(schedule).toHaveBeenCalledTimes(1);
    store.push(child.finished());
    end();
    frame();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('flush tells them now, and not again', () => {
    const { schedule, frame } = scheduled();
    const store = storeOf([], { schedule });
    const listener = vi.fn();
    store.subscribe(listener);
    store.push(child.started());
    store.flush();
    frame();
    store.flush();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('by default wait for a timer where there are no frames', async () => {
    const store = storeOf([]);
    const told = new Promise<void>((resolve) => store.subscribe(resolve));
    store.push(child.started());
    await told;
    expect(store.snapshot().cards).toHaveLength(1);
  });
});

describe('memory', () => {
  it('the oldest cards that have ended go first, with their children', () => {
    const events: AGUIEvent[] = [];
    for (const at of [1, 2, 3, 4]) {
      const one = new Child(`c${at}`, 'researcher', `call-${at}`);
      events.push(one.started());
      if (at === 1)
        events.push(new Child('c1a').started({ parentSubagentRunId: 'c1' }), new Child('c1a').failed('x', 'y'));
      if (at !== 2) events.push(one.failed('child_error', 'no'));
    }
    const store = storeOf(events, { limits: { cards: 3 } });
    expect(store.snapshot().cards.map(({ id }) => id)).toEqual(['c2', 'c3', 'c4']);
  });

  it('clear drops everything', () => {
    const store = storeOf([...START, ...child.returns('{"findings":[')]);
    store.clear();
    expect(store.snapshot().cards).toEqual([]);
    store.push(child.failed('x', 'y'));
    expect(store.snapshot().cards).toEqual([]);
  });

  it('a return that is too long to be followed comes with the envelope', () => {
    const store = storeOf(START);
    const own = { toolCallId: 'c1:r', subagentRunId: 'c1' };
    store.push({ type: 'TOOL_CALL_START', toolCallName: 'research_result', ...own });
    store.push({ type: 'TOOL_CALL_ARGS', delta: '{"findings":[{"claim":"', ...own });
    for (let at = 0; at < 5; at += 1) store.push({ type: 'TOOL_CALL_ARGS', delta: 'x'.repeat(1 << 20), ...own });
    expect(cardOf(store).return?.status).toBe('unread');
    store.push(child.finished({ final_result: RECORD, contract: CONTRACT }));
    expect(cardOf(store).return).toMatchObject({ status: 'complete', value: RECORD });
  });
});

describe('what is wrong on the wire', () => {
  it.each<[string, AGUIEvent[]]>([
    ['events of a child that never started', [child.result('x', 'y'), child.finished(), ...child.call('t', '{}')]],
    [
      'an attempt without a value',
      [...START, { type: 'CUSTOM', name: 'subcontract.attempt', value: null, subagentRunId: 'c1' }],
    ],
    ['a refusal without a name', [{ type: 'CUSTOM', name: 'subcontract.not_started', value: { subagentRunId: 'c1' } }]],
    [
      'arguments of no call',
      [
        { type: 'TOOL_CALL_ARGS', toolCallId: 'none', delta: 'x' },
        { type: 'TOOL_CALL_CHUNK', delta: 'x' },
      ],
    ],
    [
      'an envelope of nonsense',
      [...START, child.finished({ attempts: [null, 3], usage: 'x', degraded: {}, effort: null, resume: [] })],
    ],
    ['a result that is none', [...START, { type: 'SUBAGENT_FINISHED', subagentRunId: 'c1', result: 'words' }]],
    [
      'a result that is very deep',
      [...START, child.finished({ final_result: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) })],
    ],
  ])('costs nothing but itself: %s', (_name, events) => {
    expect(() => storeOf(events).snapshot()).not.toThrow();
  });

  it('a member called __proto__ is a member', () => {
    const agents = [{ name: 'researcher', outputSchema: { title: 'any', type: 'object' } }];
    const store = storeOf([...START, ...child.call('any', '{"__proto__":{"x":1},"open":["a"')], { agents });
    const value = cardOf(store).return?.value as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'open']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
