// Turns a child's own events into events of the parent's run.
import type { AGUIEvent } from './events.js';

/** Whose events are tagged. */
export interface ChildIdentity {
  subagentRunId: string;
  /** Ids of the parent's messages: a child's tool call is never part of one. */
  parentMessageIds: ReadonlySet<string>;
}

/**
 * The event as the parent's stream carries it, or nothing.
 *
 * A child's RUN_* and MESSAGES_SNAPSHOT are about its own run and stay behind. Events of the child's own subagents keep
 * their `subagentRunId`; a subagent without a parent gets the child as its parent.
 */
export function tagChildEvent(event: AGUIEvent, child: ChildIdentity): AGUIEvent | undefined {
  const { subagentRunId } = child;
  switch (event.type) {
    case 'RUN_STARTED':
    case 'RUN_FINISHED':
    case 'RUN_ERROR':
    case 'MESSAGES_SNAPSHOT':
      return undefined;
    case 'SUBAGENT_STARTED':
      // The child's own start and end are the delegation's to tell.
      if (event.subagentRunId === subagentRunId) return undefined;
      return event.parentSubagentRunId === undefined ? { ...event, parentSubagentRunId: subagentRunId } : event;
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return event.subagentRunId === subagentRunId ? undefined : event;
    case 'TOOL_CALL_START':
    case 'TOOL_CALL_CHUNK': {
      const { parentMessageId, ...rest } = event;
      const kept = parentMessageId !== undefined && !child.parentMessageIds.has(parentMessageId);
      return {
        ...rest,
        ...(kept && { parentMessageId }),
        subagentRunId: event.subagentRunId ?? subagentRunId,
      } as AGUIEvent;
    }
    default:
      return event.subagentRunId === undefined ? { ...event, subagentRunId } : event;
  }
}
