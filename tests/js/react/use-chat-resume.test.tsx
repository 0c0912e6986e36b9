// @vitest-environment jsdom
// Answers that a person gives in a card, at whatever moment of the chat, reach the chat once.
import { renderHook } from '@testing-library/react';
import { type BoundInterrupt, denial, useChatResume } from 'subcontract/react';
import { expect, it } from 'vitest';

/** An interrupt as the chat has bound it, that notes what it is given. */
function bound(taken: unknown[], busy = false): BoundInterrupt {
  const resolveInterrupt = (...given: unknown[]) => {
    if (busy) throw new Error('Interrupts cannot be mutated while submitting.');
    taken.push(given);
  };
  return { id: 'i', kind: 'tool-approval', canResolve: true, ...{ resolveInterrupt } };
}

const deny = denial({ id: 'i', reason: 'approval' });
const chat = (interrupts: readonly BoundInterrupt[]) =>
  renderHook(({ interrupts }) => useChatResume(interrupts), { initialProps: { interrupts } });

it('an answer that comes before the chat has bound its interrupts waits for them', () => {
  const taken: unknown[] = [];
  const { result, rerender } = chat([]);
  result.current([deny]);
  rerender({ interrupts: [] });
  expect(taken).toEqual([]);
  rerender({ interrupts: [bound(taken)] });
  rerender({ interrupts: [bound(taken)] });
  expect(taken).toEqual([[false]]);
});

it('an answer that comes while another one is on its way breaks nothing, and is given when that one has failed', () => {
  const taken: unknown[] = [];
  const { result, rerender } = chat([bound(taken, true)]);
  result.current([deny]);
  rerender({ interrupts: [bound(taken, true)] });
  expect(taken).toEqual([]);
  rerender({ interrupts: [bound(taken)] });
  expect(taken).toEqual([[false]]);
});
