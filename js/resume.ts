// The state of a suspended child: what a resumed run needs to go on as the same child.
import type { Interrupt } from './ag-ui/events.js';
import type { HistoryMessage } from './child/history.js';
import type { AttemptRecord } from './envelope.js';

/** A suspended child's state, opened. Wire names are snake case. */
export interface ResumeState {
  schema_version: 1;
  /** The brief's exact text; the resumed run's input comes from here. */
  brief_text: string;
  brief_digest: string;
  agent: string;
  contract: {
    source: 'final_schema' | 'output_schema' | 'none';
    digest?: string;
    /** The contract's own text, when it came with the call. */
    schema_text?: string;
  };
  thread_id: string;
  tool_call_id: string;
  subagent_run_id: string;
  attempts_used: AttemptRecord[];
  interrupts: Interrupt[];
  messages: HistoryMessage[];
  expires_at?: string;
}
