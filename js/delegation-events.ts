// The events around a child's own: that it starts, that it does not, and what it goes on without.
import type { AGUIEvent, SubagentStartedEvent } from './ag-ui/events.js';
import type { Failure } from './child/failure.js';
import type { Delegated } from './prepare.js';
import { defined } from './wire.js';

/** Whose events they are. */
type Announced = Pick<Delegated, 'ids' | 'agent'>;

export function startedEvent({ ids, agent }: Announced, timestamp: number): SubagentStartedEvent {
  const { subagentRunId, parentSubagentRunId, parentToolCallId } = ids;
  return defined<SubagentStartedEvent>({
    type: 'SUBAGENT_STARTED',
    subagentRunId,
    name: agent.name,
    description: agent.description,
    parentSubagentRunId,
    parentToolCallId,
    timestamp,
  });
}

/** A child that never starts has no SUBAGENT_* events; whoever shows the call can still say why. */
export function notStartedEvent({ ids, agent }: Announced, { code, message, issues = [] }: Failure): AGUIEvent {
  const { subagentRunId, parentToolCallId } = ids;
  const value = defined({ subagentRunId, name: agent.name, parentToolCallId, code, message, issues });
  const name = code === 'brief_rejected' ? 'subcontract.brief_rejected' : 'subcontract.not_started';
  return { type: 'CUSTOM', name, value };
}

/** Answers that no interrupt of the child has: it goes on without them. */
export function ignoredEvent(subagentRunId: string, interruptIds: string[]): AGUIEvent {
  return { type: 'CUSTOM', name: 'subcontract.answers_ignored', value: { interruptIds }, subagentRunId };
}
