// The events around a child's own: that it starts, that it does not, and what it goes on without.
import type { AGUIEvent, SubagentStartedEvent } from './ag-ui/events.js';
import type { Failure } from './child/failure.js';

/** Whose events they are. */
export interface Announced {
  subagentRunId: string;
  agent: { name: string; description: string };
  toolCallId: string | undefined;
  parentSubagentRunId?: string | undefined;
}

export function startedEvent(child: Announced, timestamp: number): SubagentStartedEvent {
  const { subagentRunId, agent, toolCallId, parentSubagentRunId } = child;
  return {
    type: 'SUBAGENT_STARTED',
    subagentRunId,
    name: agent.name,
    description: agent.description,
    ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
    ...(toolCallId !== undefined && { parentToolCallId: toolCallId }),
    timestamp,
  };
}

/** A child that never starts has no SUBAGENT_* events; whoever shows the call can still say why. */
export function notStartedEvent(child: Announced, { code, message, issues = [] }: Failure): AGUIEvent {
  const { subagentRunId, agent, toolCallId } = child;
  const value = {
    subagentRunId,
    name: agent.name,
    ...(toolCallId !== undefined && { parentToolCallId: toolCallId }),
    code,
    message,
    issues,
  };
  const name = code === 'brief_rejected' ? 'subcontract.brief_rejected' : 'subcontract.not_started';
  return { type: 'CUSTOM', name, value };
}

/** Answers that no interrupt of the child has: it goes on without them. */
export function ignoredEvent(subagentRunId: string, interruptIds: string[]): AGUIEvent {
  return { type: 'CUSTOM', name: 'subcontract.answers_ignored', value: { interruptIds }, subagentRunId };
}
