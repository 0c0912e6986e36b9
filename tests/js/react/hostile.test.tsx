// @vitest-environment jsdom
// The components over what no good host sends, and no good child writes.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import fc from 'fast-check';
import { type CardActions, createCardStore, RecordView, SubagentCards } from 'subcontract/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AGUIEvent, Interrupt } from '../../../js/ag-ui/events.js';
import { AGENTS, broken } from '../cards/any-events.js';
import { Child } from '../cards/child-events.js';

afterEach(cleanup);

const child = new Child();
const nothing = () => {};
const ACTIONS: CardActions = {
  onResume: nothing,
  onStop: nothing,
  onFollowUp: nothing,
  onTranscript: async () => ({ result: 'span' }),
};

function page(events: readonly unknown[], actions: CardActions = ACTIONS) {
  const store = createCardStore({ agents: AGENTS });
  const feed = (more: readonly unknown[]) =>
    act(() => {
      for (const event of more) store.push(event as AGUIEvent);
      store.flush();
    });
  const rendered = render(<SubagentCards store={store} {...actions} />);
  feed(events);
  return { ...rendered, store, feed };
}

it('shows whatever a stream is, and every card of it', { timeout: 60_000 }, () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(nothing);
  fc.assert(
    fc.property(fc.array(broken, { maxLength: 40 }), (events) => {
      const { store } = page(events);
      expect(screen.queryAllByRole('article')).toHaveLength(store.snapshot().cards.length);
      for (const button of screen.queryAllByRole('button')) fireEvent.click(button);
      cleanup();
    }),
    { numRuns: 150 },
  );
  silent.mockRestore();
});

describe('a value', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);

  it.each<[string, unknown]>([
    ['that is very deep', deep],
    ['whose members are', { findings: [{ claim: deep, confidence: deep, provenance: [deep] }], unresolved: [deep] }],
    [
      'whose questions are',
      { findings: [], unresolved: [{ question: deep, would_settle_it: deep }], effort: { a: deep } },
    ],
    ['whose confidence is no text', { findings: [{ claim: 1, confidence: { toString: 1 }, provenance: { a: 1 } }] }],
  ])('%s is shown as far as it goes', (_name, value) => {
    expect(() => render(<RecordView value={value} />)).not.toThrow();
    expect(() => page([child.started(), child.finished({ final_result: value })])).not.toThrow();
  });

  it('of a hundred thousand members is shown in part', () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, at]));
    const { container } = render(<RecordView value={value} />);
    expect(container.querySelectorAll('.sc-member')).toHaveLength(512);
    fireEvent.click(screen.getByRole('button', { name: 'Show 512 more of 99,488' }));
    expect(container.querySelectorAll('.sc-member')).toHaveLength(1024);
  });

  it('with a thousand places shows some of them', () => {
    const places = Array.from({ length: 1000 }, (_, at) => `p${at}`);
    render(<RecordView value={{ findings: [{ claim: 'x', provenance: places, confidence: 'verified' }] }} />);
    expect(within(screen.getByRole('list', { name: 'Provenance' })).getAllByRole('listitem')).toHaveLength(32);
    expect(screen.getByRole('button', { name: 'Show 32 more of 968' })).toBeDefined();
  });

  it('is never cut inside a character', () => {
    const { container } = render(<RecordView value={`x${'😀'.repeat(4000)}`} />);
    expect(container.textContent).not.toMatch(/U\+D/);
  });
});

it('names, notes and choices hide nothing', () => {
  const name = 'a\u202eb';
  const { container } = page([
    { ...child.started(), name, description: name },
    child.finished({ degraded: [{ by: name, message: name }], amendments: [{ by: name, pointer: name }] }),
  ]);
  expect(container.innerHTML).not.toContain('\u202e');
});

const asks = (responseSchema: unknown): AGUIEvent[] => [
  child.started(),
  child.interrupted([{ id: 'i', reason: 'ask', subagentRunId: 'c1', responseSchema } as Interrupt]),
];

describe('a question', () => {
  it.each<[unknown, string[]]>([
    [undefined, ['Approve', 'Deny']],
    [null, ['Approve', 'Deny']],
    [true, ['Approve', 'Deny']],
    [{}, ['Send', 'Dismiss']],
    [{ type: 'constructor' }, ['Send', 'Dismiss']],
    [{ type: ['boolean', 'null'] }, ['Send', 'Dismiss']],
    [{ properties: 3 }, ['Send', 'Dismiss']],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, ['Send', 'Dismiss']],
    [{ $ref: '#' }, ['Send', 'Dismiss']],
    [{ oneOf: [null, 3, { properties: { approved: {} } }] }, ['Approve', 'Deny']],
    [{ type: 'object', properties: { a: { type: 'toString' } } }, ['Send', 'Dismiss']],
    [{ type: 'object', properties: { a: null } }, ['Send', 'Dismiss']],
    [{ type: 'object', properties: { a: { enum: [null, { b: 1 }, '\u202e'] } } }, ['Send', 'Dismiss']],
    [{ type: 'string', format: 'email' }, ['Send', 'Dismiss']],
  ])('by the schema %j can be answered', (schema, buttons) => {
    page(asks(schema));
    const names = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(names.filter((name) => !name?.startsWith('Stop'))).toEqual(buttons);
  });

  it('that wants a reason with the yes has a place for it', () => {
    const onResume = vi.fn();
    const properties = { approved: { type: 'boolean' }, reason: { type: 'string', minLength: 1 } };
    page(asks({ type: 'object', properties, required: ['approved', 'reason'] }), { onResume });
    fireEvent.click(screen.getByLabelText('approved'));
    fireEvent.change(screen.getByLabelText('reason'), { target: { value: 'seen' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(onResume).toHaveBeenCalledWith([
      { interruptId: 'i', status: 'resolved', payload: { approved: true, reason: 'seen' } },
    ]);
  });

  it('left empty is not answered with what nobody chose', () => {
    const onResume = vi.fn();
    const properties = { n: { type: 'number' }, c: { enum: ['first', 'second'] } };
    const { container } = page(asks({ type: 'object', properties, required: ['n', 'c'] }), { onResume });
    fireEvent.submit(container.querySelector('form') as HTMLFormElement);
    expect(onResume).not.toHaveBeenCalled();
    expect(container.querySelector('.sc-problem')?.textContent).toContain('missing required property');
  });

  it('whose members have odd names describes its inputs', () => {
    const { container } = page(
      asks({ type: 'object', properties: { 'a b  c': { type: 'string', title: 'A', description: 'which one' } } }),
    );
    const described = screen.getByLabelText('A').getAttribute('aria-describedby') ?? '';
    expect(container.querySelector(`[id="${described}"]`)?.textContent).toBe('which one');
  });
});

describe('the focus', () => {
  const focused = () => document.activeElement;
  const press = (name: string) => {
    const button = screen.getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };

  it('stays in the question that was answered, and in the card when the question goes', () => {
    const { feed } = page([child.started(), child.interrupted()]);
    press('Edit');
    expect(focused()).toBe(screen.getByRole('group'));
    press('Back');
    expect(focused()).toBe(screen.getByRole('group'));
    press('Approve');
    feed([]);
    expect(focused()).toBe(screen.getByRole('group'));
    feed([child.run('run-2'), child.started()]);
    expect(focused()).toBe(screen.getByRole('article'));
  });

  it('is left alone when it is elsewhere', () => {
    const { feed } = page([child.started(), child.interrupted()]);
    const button = screen.getByRole('button', { name: 'Approve' });
    button.focus();
    button.blur();
    feed([child.run('run-2'), child.started()]);
    expect(focused()).toBe(document.body);
  });
});

it('a child that waits says when it asks', () => {
  const { container, feed } = page([child.run(), child.started(), child.suspended()]);
  const told = () => [...container.querySelectorAll('.sc-aside')].map(({ textContent }) => textContent);
  expect(told()).toEqual(['What it asks comes when the run around it pauses.']);
  feed([child.interrupted()]);
  expect(told()).toEqual([]);
});
