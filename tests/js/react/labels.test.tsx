// @vitest-environment jsdom
// The cards in another language: what they say themselves is the page's, what a child wrote stays.
import { act, cleanup, render, screen } from '@testing-library/react';
import { compileContract, strictResearchResult } from 'subcontract';
import { type CardLabels, CardLabelsProvider, createCardStore, RecordView, SubagentCards } from 'subcontract/react';
import { afterEach, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { AGENTS, Child, RECORD } from '../cards/child-events.js';

afterEach(cleanup);

const child = new Child();
const START = [child.run(), ...child.called(), child.started()];
const { digest } = compileContract(strictResearchResult);
const issues = [{ instancePath: '', keyword: 'required', message: 'must have "claim"' }];
const rejected = { attempt: 1, outcome: 'rejected', early: true, issues, maxRetries: 2 };
const notes = {
  degraded: [{ by: 'guard-a', message: 'no source' }],
  amendments: [{ pointer: '', by: 'guard-b' }],
};
const result = { ...RECORD, extra: [], more: '', long: 'x'.repeat(5000) };

const STREAMS: [string, AGUIEvent[]][] = [
  ['running', [...START, child.attempt(rejected), ...child.call('query', '{"id":"M-9"}')]],
  ['writing', [...START, ...child.returns(JSON.stringify(RECORD)).slice(0, 2)]],
  ['asking', [...START, ...child.call('query', '{"id":"M-9"}'), child.suspended(), child.interrupted()]],
  ['suspended', [...START, child.suspended()]],
  [
    'finished',
    [...START, child.finished({ final_result: RECORD, contract: { source: 'output_schema', digest }, ...notes })],
  ],
  ['broken', [...START, child.finished({ final_result: result, contract: { source: 'output_schema', digest } })]],
  [
    'unknown',
    [...START, child.finished({ final_result: RECORD, contract: { source: 'output_schema', digest: 'sha256-0' } })],
  ],
];

/** Every text that stands in a value, those inside JSON texts too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    try {
      const inside: unknown = JSON.parse(value);
      return [value, ...(typeof inside === 'object' ? textsIn(inside) : [])];
    } catch {
      return [value];
    }
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** What a person reads or hears, but for durations, whose units are everybody's. */
function said(root: Element): string[] {
  return [root, ...root.querySelectorAll('*')].flatMap((element) => [
    ...['title', 'aria-label'].map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) =>
      node.nodeType === 3 && !element.matches('.sc-elapsed') ? (node.textContent ?? '') : '',
    ),
  ]);
}

/** Every label as one sign. */
const SIGNS = new Proxy({} as CardLabels, { get: (_, name) => (name === 'locale' ? 'de-CH' : '¤') });

it.each(STREAMS)('a card that is %s says nothing of its own that the page has not given', (_, events) => {
  const store = createCardStore({ agents: AGENTS });
  const actions = { onAnswer() {}, onStop() {}, onFollowUp() {}, onTranscript: async () => ({}) };
  render(
    <CardLabelsProvider value={SIGNS}>
      <SubagentCards store={store} {...actions} />
    </CardLabelsProvider>,
  );
  act(() => {
    for (const event of events) store.push(event);
    store.flush();
  });
  const theirs = textsIn([events, store.snapshot().cards]);
  const ours = said(screen.getByRole('article'))
    .flatMap((text) => text.split('¤'))
    .map((text) => text.trim())
    .filter((text) => /\p{L}/u.test(text) && !theirs.some((own) => own.includes(text)));
  expect(ours).toEqual([]);
});

it('a label stands with its values, numbers as the locale has them, and one that is missing in English', () => {
  const German: CardLabels = { locale: 'de', 'Show {0} more of {1}': '{0} von weiteren {1} zeigen', none: 'keine' };
  render(
    <CardLabelsProvider value={German}>
      <RecordView value={{ list: Array.from({ length: 2000 }, (_, at) => at), no: [], text: '' }} />
    </CardLabelsProvider>,
  );
  expect(screen.getByRole('button').textContent).toBe('512 von weiteren 1.488 zeigen');
  expect([...document.querySelectorAll('.sc-none')].map(({ textContent }) => textContent)).toEqual(['keine', 'empty']);
});
