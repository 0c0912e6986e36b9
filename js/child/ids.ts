// The ids that a child is known by, to its own run, its observers and its parent's stream.
import type { RunOptions } from '../delegation-options.js';
import { makeId } from '../sources.js';
import { defined } from '../wire.js';

/** The protocol's ids of one child. */
export interface ChildIds {
  subagentRunId: string;
  threadId: string;
  parentRunId?: string;
  parentToolCallId?: string;
  parentSubagentRunId?: string;
}

/** Those that the call gives, on a resume those of its state, else new ones. */
export function idsOf(options: RunOptions): ChildIds {
  const { parentRunId, parentSubagentRunId, newId } = options;
  const state = options.resume?.state;
  const subagentRunId = state?.subagent_run_id ?? options.subagentRunId ?? makeId(newId);
  const threadId = options.threadId ?? state?.thread_id ?? makeId(newId);
  const parentToolCallId = options.parentToolCallId ?? state?.tool_call_id ?? undefined;
  return defined<ChildIds>({ subagentRunId, threadId, parentRunId, parentToolCallId, parentSubagentRunId });
}
