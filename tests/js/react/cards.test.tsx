// @vitest-environment jsdom
// The components over a store: what a person sees and does.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { Profiler, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { compileContract, strictResearchResult } from 'subcontract';
import {
  type CardActions,
  type CardStore,
  CardStoreProvider,
  createCardStore,
  RecordView,
  SubagentCard,
  SubagentCards,
  useSubagentCard,
  useSubagentCards,
} from 'subcontract/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { AGENTS, BRIEF, Child, RECORD } from '../cards/child-events.js';

afterEach(cleanup);

const { digest } = compileContract(strictResearchResult);
const CONTRACT = { source: 'output_schema', digest };
const child = new Child();
const START = [child.run(), ...child.called(), child.started()];
const DONE = [...child.returns(JSON.stringify(RECORD)), child.finished({ final_result: RECORD, contract: CONTRACT })];
const SUSPENDED = [...START, ...child.call('query', '{"id":"M-9"}'), child.suspended(), child.interrupted()];

function feed(store: CardStore, events: readonly AGUIEvent[]): void {
  act(() => {
    for (const event of events) store.push(event);
    store.flush();
  });
}

/** A page with the cards of these events, the first of them, and its text without what only screen readers hear. */
function page(events: readonly AGUIEvent[], actions: CardActions = {}) {
  const store = createCardStore({ agents: AGENTS });
  const rendered = render(<SubagentCards store={store} {...actions} />);
  feed(store, events);
  const card = screen.getAllByRole('article')[0] as HTMLElement;
  return { ...rendered, store, card, within: within(card) };
}

function texts(root: ParentNode, selector: string): (string | null)[] {
  return [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
}

function Names() {
  const { cards } = useSubagentCards();
  const card = useSubagentCard('c1');
  return <p>{`${cards.length} ${card?.status} ${typeof card?.brief?.value}`}</p>;
}

describe('a card', () => {
  it('shows the return as it streams, and then the verdict of the page', () => {
    const { store, card, within } = page(START);
    expect(card.getAttribute('aria-labelledby')).toBe(within.getByRole('heading', { name: 'researcher' }).id);
    expect(texts(card, '[role=status]')).toEqual(['researcher: Running']);
    feed(store, child.returns(JSON.stringify(RECORD)).slice(0, 30));
    expect(texts(card, '.sc-claim .sc-text')).toEqual(['v2 refuses decimal amounts', 'merchant M-7 still sends them']);
    expect(texts(card, '.sc-state')).toEqual(['being written']);
    feed(store, DONE.slice(-1));
    expect(texts(card, '[role=status]')).toEqual(['researcher: Finished']);
    expect(texts(card, '.sc-check')).toEqual([
      '✓ Valid by this page’s own check, but not what streamed in'.replace('✓', '≠'),
    ]);
  });

  it('shows findings with confidence and provenance, and every caveat', () => {
    const { card } = page([...START, ...DONE]);
    expect(texts(card, '.sc-badge')).toEqual([
      '✓ confidence: verified',
      '∴ confidence: inferred',
      '” confidence: reported',
    ]);
    expect(texts(card, '.sc-provenance li')).toEqual([
      'docs/changelog.md:14',
      'merchants.csv:8',
      'src/money.ts:3',
      'handover.md:2',
    ]);
    expect(texts(card, '.sc-counts')).toEqual(['3 found · 1 open · 1 assumed · 1 not searched']);
    expect(texts(card, '.sc-slot > .sc-label')).toEqual([
      'Findings 3',
      'Open questions 1',
      'Assumptions 1',
      'Not searched 1',
    ]);
    expect(texts(card, '.sc-slot:not(:first-child) .sc-text')).toEqual([
      'does M-9 use v2?',
      'the table is current',
      'production',
    ]);
    expect(texts(card, '.sc-question .sc-aside')).toEqual(['Would settle it: a look at production']);
    expect(texts(card, '.sc-check')).toEqual(['✓ Valid by this page’s own check, and the same as streamed in']);
    expect(texts(card, '.sc-state')).toEqual(['accepted']);
  });

  it('shows why earlier attempts were refused', () => {
    const issues = [
      { instancePath: '/findings/0', schemaPath: '', keyword: 'required', params: {}, message: 'must have "claim"' },
    ];
    const refused = { attempt: 1, outcome: 'rejected', code: 'schema_violation', early: true, issues, maxRetries: 2 };
    const none = { attempt: 2, outcome: 'no_return', code: 'no_return', maxRetries: 2 };
    const { card } = page([...START, child.attempt(refused), child.attempt(none)]);
    expect(texts(card, '.sc-meta span')).toContain('Attempt 3 of 3');
    expect(texts(card, '.sc-attempts summary')).toEqual([
      '↺ Attempt 1 of 3 refused while it was written1 issue',
      '↺ Attempt 2 of 3 ended without a return',
    ]);
    expect(texts(card, '.sc-issues li')).toEqual(['/findings/0 must have "claim"']);
  });

  it('shows what the host says of the result, and what it cost', () => {
    const more = {
      final_result: RECORD,
      contract: CONTRACT,
      task_summary: 'Read it all.',
      degraded: [{ by: 'unseen-provenance', pointer: '/findings/2/provenance/0', message: 'no tool call touched it' }],
      amendments: [{ pointer: '/effort/budget_exhausted', by: 'empty-means-exhausted' }],
      flags: ['unsafe_integer'],
    };
    const { card } = page([...START, child.finished(more, { inputTokens: 18_234, outputTokens: 1240 })]);
    expect(texts(card, '.sc-note')).toEqual([
      'Degraded /findings/2/provenance/0 (unseen-provenance): no tool call touched it',
      'Amended /effort/budget_exhausted (empty-means-exhausted)',
    ]);
    expect(texts(card, '.sc-words')).toEqual(['Read it all.']);
    expect(texts(card, '.sc-foot')).toEqual([
      `18,234 tokens in, 1,240 outtranscript c1contract ${digest.slice(0, 15)}`,
    ]);
    expect(texts(card, '.sc-elapsed')).toEqual(['4.2 s']);
    expect(card.textContent).toContain('unsafe integer');
  });

  it.each<[string, AGUIEvent[], string, string | undefined]>([
    [
      'failed',
      [child.failed('contract_exhausted', 'no return satisfied the contract')],
      'Failed',
      'no return satisfied the contract',
    ],
    ['cancelled', [child.failed('aborted', 'the delegation was stopped')], 'Cancelled', 'the delegation was stopped'],
    ['suspended', [child.suspended(), child.interrupted()], 'Waiting for you', undefined],
  ])('%s says so', (status, events, said, error) => {
    const { card } = page([...START, ...events]);
    expect(card.dataset.status).toBe(status);
    expect(texts(card, '[role=status]')).toEqual([`researcher: ${said}`]);
    expect(texts(card, '.sc-error')).toEqual(error === undefined ? [] : [error]);
  });

  it('says that its connection is lost', () => {
    const { store, card } = page(START);
    act(() => {
      store.disconnect();
      store.flush();
    });
    expect(texts(card, '[role=status]')).toEqual(['researcher: Connection lost']);
  });

  it('holds the cards of its own subagents, one heading level further down', () => {
    const inner = new Child('c2', 'helper', 'x');
    page([...START, inner.started({ parentSubagentRunId: 'c1' })]);
    const [outer, nested] = screen.getAllByRole('article');
    expect(outer?.contains(nested as Node)).toBe(true);
    expect(screen.getAllByRole('heading').map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
      ['H3', 'researcher'],
      ['H4', 'helper'],
    ]);
  });

  it('shows any other contract by its schema', () => {
    const outputSchema = {
      title: 'price',
      type: 'object',
      properties: {
        price: { type: 'number', title: 'List price', description: 'per month' },
        tiers: { type: 'array', items: { $ref: '#/$defs/tier' } },
      },
      $defs: { tier: { type: 'object', properties: { seats: { title: 'Seats' } } } },
    };
    const store = createCardStore({ agents: [{ name: 'pricer', outputSchema }] });
    const pricer = new Child('c1', 'pricer');
    const { container } = render(<SubagentCards store={store} />);
    const value = { price: 10.5, tiers: [{ seats: 5 }], none: [], text: '', nothing: null };
    feed(store, [pricer.run(), pricer.started(), ...pricer.call('price', JSON.stringify(value))]);
    expect(texts(container, 'dt')).toEqual(['List price', 'tiers', 'Seats', 'none', 'text', 'nothing']);
    expect(texts(container, 'dd')).toEqual(['10.5', 'Seats5', '5', 'none', 'empty', 'null']);
    expect(container.querySelector('dt')?.title).toBe('per month');
  });
});

describe('a person', () => {
  it('approves', () => {
    const onAnswer = vi.fn();
    const onResume = vi.fn();
    const { card, within } = page(SUSPENDED, { onAnswer, onResume });
    expect(texts(card, '.sc-ask > .sc-question')).toEqual(['Approval required to run query']);
    expect(texts(card, '.sc-ask dd')).toEqual(['M-9']);
    fireEvent.click(within.getByRole('button', { name: 'Approve' }));
    const answer = { interruptId: child.approval().id, status: 'resolved', payload: { approved: true } };
    expect(onResume.mock.calls).toEqual([[[answer]]]);
    expect(onAnswer.mock.calls).toEqual([
      [answer, { card: expect.objectContaining({ id: 'c1' }), interrupt: child.approval() }],
    ]);
  });

  it('denies, and changes the answer', () => {
    const onResume = vi.fn();
    const { store, card, within } = page(SUSPENDED, { onResume });
    fireEvent.click(within.getByRole('button', { name: 'Deny' }));
    act(() => store.flush());
    expect(texts(card, '.sc-answered')).toEqual(['Denied Change']);
    fireEvent.click(within.getByRole('button', { name: 'Change' }));
    act(() => store.flush());
    fireEvent.click(within.getByRole('button', { name: 'Approve' }));
    expect(onResume.mock.calls.map(([[{ payload }]]) => payload)).toEqual([{ approved: false }, { approved: true }]);
  });

  it('edits the arguments, and hears what the schema has against them', () => {
    const onResume = vi.fn();
    const { card, within } = page(SUSPENDED, { onResume });
    fireEvent.click(within.getByRole('button', { name: 'Edit' }));
    const input = within.getByRole('textbox', { name: 'Arguments' }) as HTMLTextAreaElement;
    expect(JSON.parse(input.value)).toEqual({ id: 'M-9' });
    const send = (text: string) => {
      fireEvent.change(input, { target: { value: text } });
      fireEvent.click(within.getByRole('button', { name: 'Approve with changes' }));
    };
    send('{"id":');
    expect(texts(card, '.sc-ask .sc-problem')).toEqual(['This is no JSON.']);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    send('{"id":7}');
    expect(onResume).not.toHaveBeenCalled();
    expect(texts(card, '.sc-ask .sc-issues li').length).toBeGreaterThan(0);
    send('{"id":"M-8"}');
    expect(onResume.mock.calls[0]?.[0][0].payload).toEqual({ approved: true, editedArgs: { id: 'M-8' } });
  });

  it('fills in what the schema asks for', () => {
    const responseSchema = {
      type: 'object',
      properties: {
        where: { enum: ['production', 'staging'], title: 'Environment' },
        limit: { type: 'integer' },
        deep: { type: 'boolean' },
        why: { type: 'string' },
      },
      required: ['where', 'limit'],
    };
    const onResume = vi.fn();
    const ask = { id: 'i', reason: 'input', subagentRunId: 'c1', message: 'Where?', responseSchema };
    const { within } = page([...START, child.interrupted([ask])], { onResume });
    const where = within.getByRole('combobox', { name: 'Environment' });
    expect((where as HTMLSelectElement).value).toBe('');
    fireEvent.change(where, { target: { value: '1' } });
    fireEvent.change(within.getByRole('spinbutton', { name: 'limit' }), { target: { value: '3' } });
    fireEvent.click(within.getByRole('checkbox', { name: 'deep' }));
    fireEvent.click(within.getByRole('button', { name: 'Send' }));
    expect(onResume.mock.calls[0]?.[0]).toEqual([
      { interruptId: 'i', status: 'resolved', payload: { where: 'staging', limit: 3, deep: true } },
    ]);
  });

  it('can only dismiss what has expired', () => {
    const onResume = vi.fn();
    const old = { ...child.approval(), expiresAt: '2020-01-01T00:00:00Z' };
    const { within } = page([...START, child.interrupted([old])], { onResume });
    expect(within.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Dismiss']);
    fireEvent.click(within.getByRole('button', { name: 'Dismiss' }));
    expect(onResume.mock.calls[0]?.[0]).toEqual([{ interruptId: old.id, status: 'cancelled' }]);
  });

  it('stops a child that runs', () => {
    const onStop = vi.fn();
    const { store, within } = page(START, { onStop });
    fireEvent.click(within.getByRole('button', { name: 'Stop researcher' }));
    expect(onStop.mock.calls).toEqual([[expect.objectContaining({ id: 'c1', status: 'running' })]]);
    feed(store, DONE);
    expect(within.queryByRole('button', { name: 'Stop researcher' })).toBeNull();
  });

  it('reads a tool call in the transcript', async () => {
    const onTranscript = vi.fn(async () =>
      JSON.stringify({ args: '{"q":1}', result: 'all hits', cut: 'to 100 tokens' }),
    );
    const { card, within } = page([...START, ...child.call('search', '{"q":1}'), ...DONE], { onTranscript });
    fireEvent.click(within.getByText('Transcript'));
    await act(async () => {});
    expect(onTranscript).toHaveBeenCalledWith({
      ref: 'c1',
      toolCallId: 'c1:search',
      card: expect.objectContaining({ id: 'c1' }),
    });
    expect(texts(card, '.sc-span')).toEqual([
      'Cut to 100 tokensArguments in the transcript{"q":1}Result in the transcriptall hits',
    ]);
  });

  it('is told when there is no transcript', async () => {
    const onTranscript = async () => {
      throw new Error('offline');
    };
    const { card, within } = page([...START, ...child.call('search', '{"q":1}')], { onTranscript });
    fireEvent.click(within.getByText('Transcript'));
    await act(async () => {});
    expect(texts(card, '.sc-call .sc-aside')).toEqual(['No transcript: the transcript cannot be read']);
  });

  it('follows an open question up', () => {
    const onFollowUp = vi.fn();
    const { within } = page([...START, ...DONE], { onFollowUp });
    fireEvent.click(within.getByRole('button', { name: 'Follow up' }));
    const followUp = expect.objectContaining({
      question: 'does M-9 use v2?',
      would_settle_it: ['a look at production'],
    });
    expect(onFollowUp.mock.calls).toEqual([[followUp, expect.objectContaining({ id: 'c1' })]]);
  });

  it('is offered nothing that the page cannot do', () => {
    const { within } = page(SUSPENDED);
    expect(within.queryAllByRole('button')).toEqual([]);
  });
});

describe('a hostile child', () => {
  it('writes text, and nothing but text', () => {
    const evil = '<img src=x onerror=alert(1)> **b** [l](javascript:alert(1)) \u202egnp\u200b';
    const record = {
      ...RECORD,
      findings: [{ claim: evil, provenance: ['</script><script>alert(1)</script>'], confidence: 'verified' }],
      unresolved: [{ question: evil, would_settle_it: evil }],
      assumptions: [evil],
    };
    const { container, card } = page([
      ...[child.run(), ...child.called(JSON.stringify({ task: evil })), child.started({ description: evil })],
      ...child.call(`search${evil}`, JSON.stringify({ q: evil })),
      child.result(evil, `search${evil}`),
      ...child.returns(JSON.stringify(record)),
      child.finished({ final_result: record, contract: CONTRACT, task_summary: evil }),
    ]);
    expect(container.querySelectorAll('img, script, a, iframe, b, [style], [onerror]')).toHaveLength(0);
    expect(texts(card, '.sc-claim .sc-text')).toEqual([evil.replace('\u202e', 'U+202E').replace('\u200b', 'U+200B')]);
    expect(card.textContent).not.toMatch(/[\u202e\u200b]/);
  });

  it('is not let to grow the page without end', () => {
    const words: AGUIEvent = {
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta: 'x'.repeat(20_000),
      subagentRunId: 'c1',
    };
    const record = { ...RECORD, assumptions: Array.from({ length: 1500 }, (_, at) => `a${at}`) };
    const { card, within } = page([...START, words, ...child.returns(JSON.stringify(record))]);
    expect(texts(card, '.sc-words')[0]?.length).toBeLessThan(4100);
    expect(card.querySelectorAll('.sc-item').length).toBeLessThan(530);
    fireEvent.click(within.getByText('Show 512 more of 988'));
    expect(card.querySelectorAll('.sc-item').length).toBeGreaterThan(1000);
    fireEvent.click(within.getByText('… 12,384 characters before'));
    expect(texts(card, '.sc-words')[0]?.length).toBeGreaterThan(16_000);
  });
});

describe('rendering', () => {
  it('renders a card once for all events of a frame, and no other card', () => {
    const store = createCardStore({ agents: AGENTS, schedule: () => undefined });
    const commits: string[] = [];
    const other = new Child('c2', 'researcher', 'call-2');
    render(
      <CardStoreProvider value={store}>
        {['c1', 'c2'].map((id) => (
          <Profiler key={id} id={id} onRender={() => commits.push(id)}>
            <SubagentCard id={id} />
          </Profiler>
        ))}
      </CardStoreProvider>,
    );
    feed(store, [...START, other.started()]);
    commits.length = 0;
    feed(store, child.returns(JSON.stringify(RECORD)));
    expect(commits).toEqual(['c1']);
  });

  it('leaves the nodes of what is closed alone', async () => {
    const { store, card } = page(START);
    const events = child.returns(JSON.stringify(RECORD));
    feed(store, events.slice(0, 35));
    const first = card.querySelector('.sc-item') as Element;
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(first, { subtree: true, childList: true, characterData: true, attributes: true });
    feed(store, events.slice(35));
    feed(store, DONE.slice(-1));
    await act(async () => {});
    observer.disconnect();
    expect(card.querySelector('.sc-item')).toBe(first);
    expect(changes).toEqual([]);
  });

  it('survives strict mode, a new store, and a server', () => {
    const store = createCardStore({ agents: AGENTS });
    for (const event of [...START, ...DONE]) store.push(event);
    const tree = (of: CardStore) => (
      <StrictMode>
        <SubagentCards store={of} />
      </StrictMode>
    );
    const { rerender, container } = render(tree(store));
    expect(texts(container, '.sc-status')).toEqual(['researcher: Finished']);
    rerender(tree(createCardStore()));
    expect(container.innerHTML).toBe('');
    expect(renderToString(<SubagentCards store={store} />)).toContain('v2 refuses decimal amounts');
  });

  it('a region shows what it is asked for', () => {
    const store = createCardStore({ agents: AGENTS });
    const other = new Child('c2', 'other', 'call-2');
    render(
      <SubagentCards store={store} parentToolCallId="call-2" label="Of this call" className="mine" headingLevel={2} />,
    );
    feed(store, [...START, other.started()]);
    const region = screen.getByRole('region', { name: 'Of this call' });
    expect(region.className).toBe('sc-cards mine');
    expect(
      within(region)
        .getAllByRole('heading', { level: 2 })
        .map(({ textContent }) => textContent),
    ).toEqual(['other']);
  });

  it('hooks read the store of the provider, and say when there is none', () => {
    const store = createCardStore({ agents: AGENTS });
    const { container } = render(
      <CardStoreProvider value={store}>
        <Names />
      </CardStoreProvider>,
    );
    expect(container.textContent).toBe('0 undefined undefined');
    feed(store, START);
    expect(container.textContent).toBe('1 running object');
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => render(<Names />)).toThrow(
      'there is no card store: give one, or render inside <CardStoreProvider value={store}>',
    );
    vi.restoreAllMocks();
  });

  it('a record may stand alone', () => {
    const { container } = render(<RecordView value={{ ...RECORD, note: 'merged' }} />);
    expect(texts(container, '.sc-claim .sc-text')).toHaveLength(3);
    expect(texts(container, 'dt')).toEqual(['note']);
  });
});

describe('accessibility', () => {
  it.each<[string, AGUIEvent[]]>([
    ['running', [...START, ...child.call('search', '{}'), ...child.returns('{"findings":[{"claim":"x')]],
    ['finished', [...START, ...DONE]],
    ['suspended', SUSPENDED],
    [
      'asking',
      [
        ...START,
        child.interrupted([
          {
            id: 'i',
            reason: 'x',
            subagentRunId: 'c1',
            responseSchema: {
              type: 'object',
              properties: { a: { type: 'string', description: 'what' }, b: { type: 'boolean' }, c: { enum: [1] } },
            },
          },
        ]),
      ],
    ],
    [
      'failed',
      [
        ...START,
        child.attempt({ attempt: 1, outcome: 'rejected', issues: [{ message: 'x' }], maxRetries: 0 }),
        child.failed('x', 'y'),
      ],
    ],
    ['nested', [...START, new Child('c2').started({ parentSubagentRunId: 'c1' })]],
  ])('axe finds nothing in a card that is %s', async (_name, events) => {
    const actions = { onStop: () => {}, onResume: () => {}, onFollowUp: () => {}, onTranscript: async () => '{}' };
    const store = createCardStore({ agents: AGENTS });
    const { container } = render(
      <main>
        <h1>Page</h1>
        <h2>Cards</h2>
        <SubagentCards store={store} {...actions} />
      </main>,
    );
    feed(store, events);
    // Colours are looked at in a real browser: jsdom lays nothing out.
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  it('tells the status, and nothing else, as it changes', () => {
    const { container } = page([...START, ...DONE]);
    const live = container.querySelectorAll('[role=status], [role=alert], [aria-live], [role=log]');
    expect([...live].map(({ textContent }) => textContent)).toEqual(['researcher: Finished']);
  });

  it('has a brief that a person can unfold', () => {
    const { card } = page(START);
    expect(texts(card, '.sc-lead')).toEqual([`Brief: ${BRIEF.task}`]);
    expect(texts(card, '.sc-brief dd')).toEqual([BRIEF.task, BRIEF.done_when]);
  });
});
