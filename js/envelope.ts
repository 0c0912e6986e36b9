// The envelope's types: what a parent, and the host around it, get back from a delegation.
import type { Interrupt, TokenUsage } from './ag-ui/events.js';
import type { Flag, Issue, VerdictCode } from './core.js';

/** How a delegation ended. */
export type EnvelopeStatus = 'completed' | 'failed' | 'suspended' | 'cancelled';

/** One judged return, or one end of the child without a return. */
export interface AttemptRecord {
  /** From 1. */
  attempt: number;
  /** How the return came. */
  via: 'return_tool' | 'text' | 'value';
  outcome: 'accepted' | 'rejected' | 'no_return';
  code?: VerdictCode | 'return_tool_missing';
  issues?: Issue[];
}

/** What a parent gets back. The first four fields are what its model sees. Wire names are snake case. */
export interface ResultEnvelope<Result = unknown> {
  run_id: string;
  subagent: string;
  /** Beside a typed result: the child's last text before it, cut. In prose mode: the answer. */
  task_summary: string | null;
  /** The accepted return, parsed; null in prose mode and when there is none. The exact text is in `envelopeText`. */
  final_result: Result | null;
  schema_version: number;
  status: EnvelopeStatus;
  attempts: AttemptRecord[];
  flags?: Flag[];
  input?: unknown;
  tool_call_id?: string;
  contract: { source: 'final_schema' | 'output_schema' | 'none'; digest?: string };
  effort: {
    measured: { tool_calls: number; duration_ms?: number; finish_reason?: string };
    claimed?: unknown;
  };
  usage?: TokenUsage[];
  error?: { code: string; message: string; issues?: Issue[] };
  resume?: { interrupts: Interrupt[]; state: string };
}
