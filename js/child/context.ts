// What a child's `run` is called with.
import type { ResumeEntry } from '../ag-ui/events.js';
import type { HistoryMessage } from './history.js';
import type { ReturnTool } from './return-tool.js';

/** The roles a seed message may have. */
export interface SeedMessage {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'developer';
}

/** What `run(ctx)` gets. */
export interface AgentContext<Input = unknown> {
  /** The brief, validated by `inputSchema`; `undefined` without one. */
  readonly input: Input;
  /** The parent's messages, for agents that are meant to see them. A brief is there so that a child need not. */
  readonly messages: readonly unknown[];
  /** Aborted when the child must stop: its return was accepted, the caller stopped, or time ran out. */
  readonly abortSignal: AbortSignal;
  readonly threadId: string;
  /** This run of the child; each repeated run has its own. */
  readonly runId: string;
  readonly parentRunId?: string;
  /** This invocation; the same over retries and resumes. */
  readonly subagentRunId: string;
  readonly parentToolCallId?: string;
  readonly parentSubagentRunId?: string;
  /** The judged return that comes next, from 1. */
  readonly attempt: number;
  /** The answers to the child's interrupts, in the first run after a suspension. */
  readonly resume?: ResumeEntry[];
  /**
   * The messages to start the child with: `first` (the brief), then the child's own history and, after a refused
   * return, the feedback. A resumed child must call it, or its open tool call is missing.
   */
  seed<M extends SeedMessage>(first: readonly M[]): Array<M | HistoryMessage>;
  /**
   * The return tool, to be spread into the child's own tools; empty without a contract.
   */
  readonly tools: ReturnTool[];
  /** The return tool alone. Forcing it is for the last turn only: forced from the first, the child does no work. */
  readonly returnTool?: ReturnTool;
}
