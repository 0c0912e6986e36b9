// @vitest-environment jsdom
// The components over a store: what a person sees and does.
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { compileContract, strictResearchResult } from 'subcontract';
import { type CardStore, createCardStore, SubagentCards } from 'subcontract/react';
import { afterEach, describe, expect, it } from 'vitest';
import { AGENTS, Child, RECORD } from '../cards/child-events.js';

afterEach(cleanup);
const { digest } = compileContract(strictResearchResult);
const child = new Child();
function feed(store: CardStore, events: Parameters<CardStore['push']>[0][]): void {
  act(() => {
    for (const event of events) store.push(event);
    store.flush();
  });
}

describe('a card', () => {
  it('shows the return as it streams, and then the verdict of the page', () => {
    const store = createCardStore({ agents: AGENTS });
    render(<SubagentCards store={store} />);
    feed(store, [child.run(), ...child.called(), child.started()]);
    const card = screen.getByRole('article', { name: 'researcher' });
    expect(within(card).getByRole('status').textContent).toBe('researcher: Running');
    feed(store, child.returns(JSON.stringify(RECORD)).slice(0, 30));
    expect(within(card).getByText('v2 refuses decimal amounts')).toBeTruthy();
    expect(within(card).queryByText('the switch is on 1 December')).toBeNull();
    expect(within(card).getByText('being written')).toBeTruthy();
    feed(store, child.returns(JSON.stringify(RECORD)));
    feed(store, [child.finished({ final_result: RECORD, contract: { source: 'output_schema', digest } })]);
    expect(within(card).getByText('the switch is on 1 December')).toBeTruthy();
    expect(card.querySelector('.sc-check')?.textContent).toBe('✓ Checked in this page, and what streamed through it');
    expect(within(card).getByRole('status').textContent).toBe('researcher: Finished');
  });
});
