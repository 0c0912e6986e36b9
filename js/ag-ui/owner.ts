// Whose an event is: a subagent's, or the stream's own producer's.
import type { AGUIEvent } from './events.js';

/** A `subagentRunId`; absent for the stream's own producer. */
export type Owner = string | undefined;

/** Whose an event is. */
export function ownerOf(event: AGUIEvent): Owner {
  return 'subagentRunId' in event ? event.subagentRunId : undefined;
}

/** What says so. */
export function tagOf(owner: Owner): { subagentRunId?: string } {
  return owner === undefined ? {} : { subagentRunId: owner };
}

/** The event as one of that owner's. */
export function withOwner(event: AGUIEvent, owner: Owner): AGUIEvent {
  if (ownerOf(event) === owner) return event;
  const { subagentRunId: _, ...rest } = event as AGUIEvent & { subagentRunId?: string };
  return { ...rest, ...tagOf(owner) } as AGUIEvent;
}
