// The ids of the calls that a router's plan stands for.
import { describe, expect, it } from 'vitest';
import type { Order } from '../../../js/router-picks.js';
import { newPlan, type Place, placeOf, precedes, routedId } from '../../../js/tanstack/routed-call.js';

describe('the calls of a plan', () => {
  const place = (step: number, index: number, order: Order = 'sequence'): Place => ({
    plan: newPlan(),
    step,
    order,
    index,
  });

  it('keep their place in their id, however many there are', () => {
    for (const given of [place(0, 0), place(9_999, 10_000, 'parallel'), place(1_234_567, 0), place(3, 99_999_999)]) {
      const id = routedId(given);
      expect(placeOf(id)).toEqual(given);
      // What the strictest provider takes.
      expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
  });

  it('come in the order of the plan, not of their digits', () => {
    const plan = newPlan();
    const at = (step: number, index = 0, order: Order = 'sequence') => placeOf(routedId({ plan, step, order, index }));
    expect(precedes(at(9_999), at(10_000))).toBe(true);
    expect(precedes(at(10_000), at(9_999))).toBe(false);
    expect(precedes(at(1, 9_999), at(1, 10_000))).toBe(true);
    expect(precedes(at(1, 9_999, 'parallel'), at(1, 10_000, 'parallel'))).toBe(false);
    expect(precedes(at(0), placeOf(routedId(place(1, 0))))).toBe(false);
  });

  it.each([
    '',
    'call-1',
    'route-0123456789abcdef',
    'route-0123456789abcdef-0x0',
    'route-0123456789ABCDEF-0p0',
    'route-0123456789abcdef-0p0 ',
  ])('are not %j', (id) => expect(placeOf(id)).toBeUndefined());
});
