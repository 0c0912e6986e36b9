// Reads several delegations as AG-UI clients would, inside a run of a parent's.
import type { DelegateAllOptions, Delegations } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { verified } from './strict-client.js';

/** Every event of several delegations, which all readers take. */
export async function collectAll(
  children: Pick<Delegations, 'envelopes' | typeof Symbol.asyncIterator>,
): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  for await (const event of children) events.push(event);
  const envelopes = await children.envelopes;
  await verified(
    events,
    envelopes.flatMap(({ resume }) => resume?.interrupts ?? []),
  );
  return events;
}

/** Options that make several delegations the same each time. */
export function fixedAll(options: DelegateAllOptions = {}): DelegateAllOptions {
  let ids = 0;
  return {
    threadId: 'thread',
    seal: 'none',
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    now: () => 1000,
    ...options,
  };
}
