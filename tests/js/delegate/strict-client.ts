// Reads a delegation as AG-UI clients would, inside a run of a parent's.
import type { DelegateOptions, Delegation, Interrupt } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { expect } from 'vitest';
import { expectReadable, inParentRun } from '../ag-ui/readers.js';

/** Fails the test when a reader refuses these events in a run of a parent's. */
export async function verified(events: readonly AGUIEvent[], interrupts?: Interrupt[]): Promise<void> {
  for (const event of events) {
    for (const [name, value] of Object.entries(event)) {
      if (value === undefined) throw new Error(`${event.type}.${name} is undefined, not absent`);
    }
  }
  await expectReadable(inParentRun(events, interrupts));
}

/** Every event of a delegation, which all readers take. */
export async function collect(delegation: Delegation): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  for await (const event of delegation) events.push(event);
  await verified(events, (await delegation.envelope).resume?.interrupts);
  return events;
}

/** The types of events, one string each, with whose they are when that is not the child itself. */
export function shape(events: readonly AGUIEvent[], own = 'child-1'): string[] {
  return events.map((event) => {
    const owner = 'subagentRunId' in event ? event.subagentRunId : undefined;
    const name = event.type === 'CUSTOM' ? `CUSTOM ${event.name}` : event.type;
    return owner === own ? name : `${name} @${owner ?? 'parent'}`;
  });
}

/** Options that make a delegation the same each time. */
export function fixed(options: DelegateOptions = {}): DelegateOptions {
  let ids = 0;
  let time = 1000;
  return {
    threadId: 'thread',
    runId: 'child-run',
    subagentRunId: 'child-1',
    parentToolCallId: 'call-1',
    seal: 'none',
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    now: () => {
      time += 5;
      return time;
    },
    ...options,
  };
}

/** Fails the test when `promise` takes longer than a child could ever need here. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), 5000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The envelope's fields that a test names, compared whole. */
export function expectEnvelope(actual: unknown, expected: Record<string, unknown>): void {
  expect(actual).toEqual(expected);
}
