// Streams that no good host sends: in any order, of any shape, without end. A page stands through all of them.
import fc from 'fast-check';
import { type Card, type CardStore, type CardStoreOptions, createCardStore } from 'subcontract/cards';
import { describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { AGENTS, broken, interrupt, message, record, text } from './any-events.js';
import { Child, pieces, RECORD } from './child-events.js';

function frozen(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
}

function checkTree(store: CardStore): void {
  const { cards, byId } = store.snapshot();
  const reached = new Set<string>();
  const reach = (card: Card) => {
    expect(reached.has(card.id)).toBe(false);
    reached.add(card.id);
    for (const id of card.children) reach(byId.get(id) as Card);
  };
  for (const card of cards) if (card.parentId === undefined || !byId.has(card.parentId)) reach(card);
  expect(reached.size).toBe(cards.length);
}

describe('any stream', { timeout: 60_000 }, () => {
  it('is taken, whatever its events are, and every card has one place', () => {
    fc.assert(
      fc.property(fc.array(broken, { maxLength: 60 }), (events) => {
        const store = createCardStore({ agents: AGENTS, now: () => 1, limits: { cards: 3, toolCalls: 2, text: 16 } });
        for (const each of events) {
          store.push(each as unknown as AGUIEvent);
          frozen(store.snapshot().cards);
        }
        checkTree(store);
        expect(store.snapshot().cards.length).toBeLessThanOrEqual(6);
        expect(({} as Record<string, unknown>).x).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('gives messages that are as odd no more power', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.array(interrupt), (messages, interrupts) => {
        const store = createCardStore({ agents: AGENTS });
        store.fromMessages(messages, { interrupts: interrupts as never });
        checkTree(store);
      }),
      { numRuns: 150 },
    );
  });

  it('says the same in the end, however its texts were cut', () => {
    const whole = fc.array(
      fc.record({
        kind: fc.constantFrom('words', 'call', 'return', 'result', 'attempt'),
        of: fc.constantFrom('a', 'b'),
        id: fc.constantFrom('t1', 't2'),
        text: fc.oneof(text, fc.constant(record), fc.constant('😀'.repeat(20))),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 9 }), fc.boolean(), (acts, length, ends) => {
        const run = (size: number) => {
          const store = createCardStore({ agents: AGENTS, now: () => 1, limits: { text: 21 } });
          for (const id of ['a', 'b']) store.push(new Child(id).started());
          for (const { kind, of: subagentRunId, id, text } of acts) {
            const toolCallId = `${subagentRunId}${id}`;
            const cut = pieces(text, size);
            if (kind === 'words') {
              store.push({ type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant', subagentRunId } as AGUIEvent);
              for (const delta of cut)
                store.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, subagentRunId });
              store.push({ type: 'TEXT_MESSAGE_END', messageId: id, subagentRunId });
            } else if (kind === 'call' || kind === 'return') {
              const toolCallName = kind === 'call' ? 'query' : 'research_result';
              store.push({ type: 'TOOL_CALL_START', toolCallId, toolCallName, subagentRunId });
              for (const delta of cut) store.push({ type: 'TOOL_CALL_ARGS', toolCallId, delta, subagentRunId });
              store.push({ type: 'TOOL_CALL_END', toolCallId, subagentRunId });
            } else if (kind === 'result') {
              store.push({ type: 'TOOL_CALL_RESULT', messageId: id, toolCallId, content: text, subagentRunId });
            }
          }
          if (ends) store.push(new Child('a').finished({ final_result: RECORD }));
          return store.snapshot().cards;
        };
        expect(run(length)).toEqual(run(1 << 20));
      }),
      { numRuns: 100 },
    );
  });
});

const START = [new Child().started()];

function stored(events: readonly unknown[], options: CardStoreOptions = {}): CardStore {
  const store = createCardStore({ agents: AGENTS, now: () => 1, ...options });
  for (const event of events) store.push(event as AGUIEvent);
  return store;
}

function cardOf(store: CardStore, id = 'c1'): Card {
  return store.snapshot().byId.get(id) as Card;
}

describe('cards inside each other', () => {
  const nested = (id: string, parentSubagentRunId?: string) =>
    new Child(id, 'researcher', `call-${id}`).started(parentSubagentRunId === undefined ? {} : { parentSubagentRunId });
  const shape = (store: CardStore) =>
    Object.fromEntries(store.snapshot().cards.map(({ id, parentId, children }) => [id, [parentId, ...children]]));

  it.each<[string, AGUIEvent[], object]>([
    ['one is its own parent', [nested('a', 'a')], { a: [undefined] }],
    ['two are each other’s', [nested('a', 'b'), nested('b', 'a')], { a: ['b'], b: [undefined, 'a'] }],
    [
      'three in a ring',
      [nested('a', 'b'), nested('b', 'c'), nested('c', 'a')],
      { a: ['b'], b: ['c', 'a'], c: [undefined, 'b'] },
    ],
    ['the parent is heard of later', [nested('a', 'p'), nested('p')], { a: ['p'], p: [undefined, 'a'] }],
    [
      'it starts again inside another one',
      [nested('p'), nested('q'), nested('a', 'p'), nested('a', 'q')],
      { p: [undefined], q: [undefined, 'a'], a: ['q'] },
    ],
  ])('%s', (_name, events, expected) => {
    expect(shape(stored(events))).toEqual(expected);
  });

  it('go with the outermost, all of them', () => {
    const inner = ['x', 'y', 'z'].map((id) => nested(id, 'a'));
    const ended = ['x', 'y', 'z', 'a'].map((id) => new Child(id).failed('child_error', 'no'));
    const store = stored([nested('a'), ...inner, ...ended, nested('b')], { limits: { cards: 4 } });
    expect(store.snapshot().cards.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('without end', () => {
  it('children that never end are kept up to twice the limit, those that wait for a person longest', () => {
    const [first] = START;
    const many = Array.from({ length: 1000 }, (_, at) => new Child(`n${at}`, 'researcher', `call-${at}`).started());
    const store = stored([first, new Child().interrupted(), ...many], { limits: { cards: 10 } });
    expect(store.snapshot().cards).toHaveLength(20);
    expect(cardOf(store).status).toBe('suspended');
  });

  it('attempts, calls and words are kept in part', () => {
    const own = { subagentRunId: 'c1' };
    const events: unknown[] = [...START];
    for (let at = 0; at < 20_000; at += 1) {
      events.push({ type: 'CUSTOM', name: 'subcontract.attempt', value: { attempt: at, outcome: 'rejected' }, ...own });
      events.push({ type: 'TOOL_CALL_START', toolCallId: `t${at}`, toolCallName: 'query', ...own });
      events.push({ type: 'TOOL_CALL_ARGS', toolCallId: `t${at}`, delta: 'x'.repeat(100), ...own });
      events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'words ', ...own });
    }
    const { attempts, toolCalls, omittedToolCalls, words } = cardOf(stored(events));
    expect([attempts.length, attempts.at(-1)?.attempt]).toEqual([100, 19_999]);
    expect(toolCalls.length).toBeLessThanOrEqual(100);
    expect(toolCalls.length + omittedToolCalls).toBe(20_000);
    expect(words).toEqual({ text: expect.any(String), omitted: 120_000 - (1 << 14) });
  });

  it('ten million characters in one delta', () => {
    const delta = 'x'.repeat(10_000_000);
    const own = { toolCallId: 't', subagentRunId: 'c1' };
    const { toolCalls, words } = cardOf(
      stored([
        ...START,
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta, subagentRunId: 'c1' },
        { type: 'TOOL_CALL_START', toolCallName: 'query', ...own },
        { type: 'TOOL_CALL_ARGS', delta, ...own },
        { type: 'TOOL_CALL_RESULT', messageId: 'm', content: delta, ...own },
      ]),
    );
    const kept = { text: 'x'.repeat(1 << 14), omitted: 10_000_000 - (1 << 14) };
    expect([words, toolCalls[0]?.args, toolCalls[0]?.result]).toEqual([kept, kept, kept]);
  });
});

describe('a child that goes on writing', () => {
  it('after its end changes nothing of what was accepted', () => {
    const child = new Child();
    const done = [...START, ...child.returns(record), child.finished({ final_result: RECORD })];
    const late = [
      ...child.returns('{"findings":[]', 'late'),
      { type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 'c1' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: record, subagentRunId: 'c1' },
      child.attempt({ attempt: 2, outcome: 'rejected' }),
    ];
    expect(cardOf(stored([...done, ...late]))).toEqual(cardOf(stored(done)));
  });

  it('in a call whose return is refused spoils no other return', () => {
    const late = { type: 'TOOL_CALL_ARGS', toolCallId: 'c1:first', delta: '!!!', subagentRunId: 'c1' };
    const [start, ...rest] = new Child().returns(record, 'second');
    const { return: shown } = cardOf(
      stored([...START, ...new Child().returns('{"x', 'first').slice(0, -1), start, late, ...rest]),
    );
    expect(shown).toMatchObject({ status: 'complete', value: RECORD });
  });
});

it('chunks of children that write at the same time go each to its own', () => {
  const of =
    (subagentRunId: string) =>
    (delta: string, more: object = {}) => ({ delta, subagentRunId, ...more });
  const [a, b] = [of('a'), of('b')];
  const store = stored([
    ...['a', 'b'].map((id) => new Child(id, 'stranger').started()),
    ...[a('A', { messageId: 'ma' }), b('B', { messageId: 'mb' }), a('a', { messageId: 'ma' }), b('b'), a('!')].map(
      (chunk) => ({ type: 'TEXT_MESSAGE_CHUNK', ...chunk }),
    ),
    ...[
      a('1', { toolCallId: 'ta', toolCallName: 'query' }),
      b('2', { toolCallId: 'tb', toolCallName: 'query' }),
      a('3'),
    ].map((chunk) => ({ type: 'TOOL_CALL_CHUNK', ...chunk })),
  ]);
  const shown = (['a', 'b'] as const).map((id) => [
    cardOf(store, id).words?.text,
    cardOf(store, id).toolCalls[0]?.args.text,
  ]);
  expect(shown).toEqual([
    ['Aa!', '13'],
    ['Bb', '2'],
  ]);
});

it('a member that is null is absent, as some servers write it', () => {
  const own = { toolCallId: 'call-1', subagentRunId: null, parentMessageId: null };
  const store = stored([
    { type: 'TOOL_CALL_START', toolCallName: 'researcher', ...own },
    { type: 'TOOL_CALL_ARGS', delta: '{"task":"look"}', ...own },
    { ...new Child().started(), description: null, parentSubagentRunId: null },
  ]);
  expect(cardOf(store).brief?.value).toEqual({ task: 'look' });
});

it('a brief that is too deep to be written again is shown as it came', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const call = new Child().called(
    JSON.stringify({ subagent: 'researcher', input: 0 }).replace('0', deep),
    'delegate_task',
  );
  expect(() => stored([...call, ...START]).snapshot()).not.toThrow();
});

it('one answer is one, should two cards ask the same', () => {
  const ask = (subagentRunId: string) => ({ ...new Child().approval(), id: 'same', subagentRunId });
  const store = stored([...START, new Child('c2').started(), new Child().interrupted([ask('c1'), ask('c2')])]);
  const entry = { interruptId: 'same', status: 'resolved', payload: { approved: true } } as const;
  expect(store.answer(entry)).toEqual([entry]);
});
