// The state of a suspended child: what a resumed run needs to go on as the same child.
import type { Interrupt, ResumeEntry } from './ag-ui/events.js';
import type { HistoryMessage } from './child/history.js';
import type { AttemptRecord, ContractRef } from './envelope.js';
import { ResumeError } from './errors.js';

/** A suspended child's state, opened. Wire names are snake case. */
export interface ResumeState {
  schema_version?: 1;
  /** The brief's exact text, from which the resumed run's input comes; null for a child that was given none. */
  brief_text: string | null;
  brief_digest: string | null;
  agent: string;
  contract: ContractRef & {
    /** The contract's own text, when it came with the call. */
    schema_text?: string;
  };
  thread_id: string;
  tool_call_id: string | null;
  subagent_run_id: string;
  /** The attempts already spent, which stay spent. */
  attempts_used: AttemptRecord[];
  interrupts: Interrupt[];
  /** The child's own messages so far. */
  messages: HistoryMessage[];
  /** Milliseconds since the epoch after which the state is refused. */
  expires_at?: number;
}

/**
 * Checks that the answers are to the child's open interrupts, each answered once: AG-UI has one resume cover them all.
 *
 * Throws a `ResumeError`: `resume_unknown_interrupt` or `resume_unanswered`.
 */
export function checkAnswers(state: ResumeState, entries: readonly ResumeEntry[]): void {
  const open = new Set(state.interrupts.map(({ id }) => id));
  for (const { interruptId } of entries) {
    if (!open.delete(interruptId)) {
      throw new ResumeError(`the child has no open interrupt ${JSON.stringify(interruptId)}`, {
        code: 'resume_unknown_interrupt',
      });
    }
  }
  const [missing] = open;
  if (missing !== undefined) {
    throw new ResumeError(`the interrupt ${JSON.stringify(missing)} has no answer`, { code: 'resume_unanswered' });
  }
}
