// The ids under which a child's tool calls and messages go out: its own, whatever its provider called them.
import type { AGUIEvent, Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { ownerOf } from '../ag-ui/owner.js';

/**
 * A child's id in its parent's stream. Providers count calls anew in each conversation, so that a child's `call_0` is also
 * its sibling's, and later its parent's; a client that is strict refuses the second.
 */
export function outwardId(subagentRunId: string, id: string): string {
  return `${subagentRunId}:${id}`;
}

const FIELDS = ['toolCallId', 'messageId', 'parentMessageId'] as const;

/** An event of a child, or of its own subagents, as it goes out. What those subagents send has outward ids already. */
export function outward(event: AGUIEvent, subagentRunId: string): AGUIEvent {
  if (event.type === 'SUBAGENT_STARTED') {
    const { parentSubagentRunId, parentToolCallId } = event;
    if (parentSubagentRunId !== subagentRunId || parentToolCallId === undefined) return event;
    return { ...event, parentToolCallId: outwardId(subagentRunId, parentToolCallId) };
  }
  if (ownerOf(event) !== subagentRunId) return event;
  const named: Record<string, string> = {};
  for (const field of FIELDS) {
    const id = (event as unknown as Record<string, unknown>)[field];
    if (typeof id === 'string') named[field] = outwardId(subagentRunId, id);
  }
  // A message's or a call's, by its subtype.
  if (event.type === 'REASONING_ENCRYPTED_VALUE') named.entityId = outwardId(subagentRunId, event.entityId);
  return Object.keys(named).length === 0 ? event : { ...event, ...named };
}

/** The interrupts of a child under ids that are its own, and with its calls under those that a client knows. */
export function outwardInterrupts(interrupts: readonly Interrupt[], subagentRunId: string): Interrupt[] {
  return interrupts.map((interrupt) => {
    const { id, toolCallId } = interrupt;
    if (interrupt.subagentRunId !== subagentRunId) return interrupt;
    return {
      ...interrupt,
      id: outwardId(subagentRunId, id),
      ...(toolCallId !== undefined && { toolCallId: outwardId(subagentRunId, toolCallId) }),
    };
  });
}

/** The answers to a child's interrupts, under the ids that it gave them itself. */
export function inwardAnswers(entries: readonly ResumeEntry[], subagentRunId: string): ResumeEntry[] {
  const prefix = outwardId(subagentRunId, '');
  return entries.map((entry) =>
    entry.interruptId.startsWith(prefix) ? { ...entry, interruptId: entry.interruptId.slice(prefix.length) } : entry,
  );
}
