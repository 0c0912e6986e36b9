// `subcontract.waiting`: a child waits for an answer. Its SUBAGENT_FINISHED comes when it is known that the run around it waits as well.
import type { AGUIEvent, CustomEvent } from './events.js';

const WAITING = 'subcontract.waiting';

/** Whether an event says that the child it is tagged with waits for an answer. */
export function isWaitingEvent(event: CustomEvent): boolean {
  return event.name === WAITING;
}

/** What tells at once that a child waits, if `end`, its last event, says so. */
export function waitingEvent(end: AGUIEvent): CustomEvent | undefined {
  if (end.type !== 'SUBAGENT_FINISHED' || end.outcome?.type !== 'suspended') return undefined;
  const { subagentRunId, outcome } = end;
  return { type: 'CUSTOM', name: WAITING, value: { interruptIds: outcome.interruptIds ?? [] }, subagentRunId };
}
