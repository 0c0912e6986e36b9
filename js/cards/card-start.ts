// What is known of a subagent when it starts: from the call that delegates to it, and from the agents that the page knows.
import { type CardContract, contractOfCall, type KnownAgents } from './agents.js';
import type { DelegatingCall } from './brief.js';
import type { CardBrief } from './card.js';

/** What is known of a subagent when it starts. */
export interface CardStart {
  agent: string;
  description?: string | undefined;
  parentToolCallId?: string | undefined;
  parentId?: string | undefined;
  brief?: CardBrief | undefined;
  contract?: CardContract | undefined;
  /** Whether the page knows the agent. */
  known: boolean;
  maxAttempts?: number | undefined;
}

/** Where a child stands, and what its start says of it. */
export type Around = Pick<CardStart, 'description' | 'parentToolCallId' | 'parentId'>;

/** The start of an agent's child. What is not in the stream again after a suspension is kept of the one `before`. */
export function startOf(
  agents: KnownAgents,
  agent: string,
  call: Partial<DelegatingCall> | undefined,
  around: Around,
  before?: CardStart,
): CardStart {
  const { brief = before?.brief, finalSchema } = call ?? {};
  const contract =
    finalSchema === undefined ? (before?.contract ?? agents.contractOf(agent)) : contractOfCall(finalSchema);
  return {
    ...around,
    agent,
    brief,
    contract,
    known: agents.get(agent) !== undefined,
    maxAttempts: contract && agents.maxAttempts(agent),
  };
}

/** The id of a card that stands for a tool call whose child is not known yet. */
export function standIn(toolCallId: string): string {
  return `call:${toolCallId}`;
}
