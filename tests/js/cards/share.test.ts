// Structural sharing: equal values stay the same object, and nothing is ever changed on the way.
import fc from 'fast-check';
import { compileContract } from 'subcontract';
import { createCardStore } from 'subcontract/cards';
import { expect, it } from 'vitest';
import { settled, shared } from '../../../js/cards/share.js';
import type { ReadonlyJson } from '../../../js/core.js';
import { Child, pieces } from './child-events.js';

it('gives what equals the new value, and takes from the old one what it can', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, next) => {
      const copy = structuredClone(next);
      const value = shared(before, next);
      expect(value).toEqual(copy);
      expect(next).toEqual(copy);
      if (JSON.stringify(before) === JSON.stringify(next)) expect(value).toBe(before);
    }),
  );
});

it('a value that was cloned is the one before', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (before) => {
      const value = shared(before, structuredClone(before));
      expect(Object.is(value, before) || value === before).toBe(true);
    }),
  );
});

it('a stream cut anywhere shows the same, and what it has shown does not change', () => {
  const contract = compileContract({ type: ['object', 'array'] });
  fc.assert(
    fc.property(
      fc.oneof(fc.object({ maxDepth: 3 }), fc.array(fc.jsonValue())),
      fc.integer({ min: 1, max: 9 }),
      (value, length) => {
        const text = JSON.stringify(value);
        const stream = contract.stream();
        const seen: { value: unknown; text: string }[] = [];
        for (const piece of pieces(text, length)) {
          stream.push(piece);
          const now = settled(stream.snapshot() as ReadonlyJson);
          seen.push({ value: now, text: JSON.stringify(now) });
        }
        expect(seen.at(-1)?.value).toEqual(JSON.parse(text));
        for (const { value: shown, text: then } of seen) expect(JSON.stringify(shown)).toBe(then);
        stream.free();
      },
    ),
    { numRuns: 60 },
  );
});

it('a record of eight thousand deltas leaves its closed parts alone', () => {
  const agents = [{ name: 'researcher', outputSchema: { title: 'list', type: 'array', items: { type: 'object' } } }];
  const store = createCardStore({ agents });
  const child = new Child();
  const items = Array.from({ length: 700 }, (_, at) => ({ at, text: 'x'.repeat(120) }));
  for (const event of [child.run(), ...child.called(), child.started()]) store.push(event);
  const text = JSON.stringify({ result: items });
  const own = { toolCallId: 'c1:list', subagentRunId: 'c1' };
  store.push({ type: 'TOOL_CALL_START', toolCallName: 'list', ...own });
  let before: readonly unknown[] = [];
  let changed = 0;
  const deltas = pieces(text, Math.ceil(text.length / 8000));
  for (const [at, delta] of deltas.entries()) {
    store.push({ type: 'TOOL_CALL_ARGS', delta, ...own });
    if (at % 10 !== 0) continue;
    const now = (store.snapshot().byId.get('c1')?.return?.value ?? []) as readonly unknown[];
    // Of what was there, at most the item that was open is another object now.
    changed = Math.max(changed, before.filter((item, index) => item !== now[index]).length);
    before = now;
  }
  expect(changed).toBe(1);
  expect(store.snapshot().byId.get('c1')?.return?.value).toEqual(items);
});
