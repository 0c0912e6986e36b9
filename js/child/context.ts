// What a child's `run` is called with.
import type { ResumeEntry } from '../ag-ui/events.js';
import type { EarlierResult } from '../earlier.js';
import type { HistoryMessage } from './history.js';
import type { ChildIds } from './ids.js';
import type { ReturnTool } from './return-tool.js';

/** A message to start a child with. */
export interface SeedMessage {
  role: 'user' | 'assistant' | 'tool' | 'system' | 'developer';
}

/** What `run(ctx)` gets. */
export interface AgentContext<Input = unknown> {
  /** The brief, validated by `inputSchema`; `undefined` without one. */
  readonly input: Input;
  /**
   * The parent's messages, for agents that are meant to see them. A brief is there so that a child need not. For an agent
   * without `inputSchema` and `outputSchema` the texts of {@link earlier} are at their end.
   */
  readonly messages: readonly unknown[];
  /** What the children before this one came to, in a sequence of `delegateAll`; empty elsewhere. */
  readonly earlier: readonly EarlierResult[];
  /**
   * Aborted when this run must stop: its return was accepted or given up while it streamed in, the caller stopped, or time
   * ran out. Each run has its own. Pass it to whatever calls a model; the stream that `run` returned is ended as well.
   */
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
   * return, the feedback. In a sequence, what earlier children came to stands before the brief. A resumed child must call it,
   * or its open tool call is missing; a child that does not call it is not stopped early, because it would begin again without
   * what it has found.
   */
  seed<M extends SeedMessage>(first: readonly M[]): Array<M | HistoryMessage>;
  /** The return tool, to be spread into the child's own tools; empty without a contract. */
  readonly tools: ReturnTool[];
  /**
   * The return tool alone. A host may force it (by `returnTool.name`, as the provider's `tool_choice`) for the last turn
   * only: forced from the first, the child returns before it has done any work.
   */
  readonly returnTool?: ReturnTool;
  /**
   * The context of a host that runs the agent itself, as the host gave it: what TanStack AI puts there beside the ids, its
   * `keys` among it. Absent elsewhere.
   */
  readonly host?: unknown;
}

/** What is the same in every run of one child. */
export type ContextBase = ChildIds & Pick<AgentContext, 'input' | 'messages' | 'earlier' | 'host'>;

/** What belongs to one run. */
export interface ContextOfRun {
  runId: string;
  abortSignal: AbortSignal;
  attempt: number;
  resume?: ResumeEntry[] | undefined;
  history: HistoryMessage[];
  /** What earlier children came to, as a message; nothing where they have none. */
  earlierMessage?: HistoryMessage | undefined;
  returnTool?: ReturnTool | undefined;
}

/** A context, and what the child did with it. */
export interface ObservedContext {
  context: AgentContext;
  /** Whether `seed` was called. */
  seeded(): boolean;
  /** Whether the child took its return tool. */
  tookReturnTool(): boolean;
}

/** Makes the context of one run. */
export function createContext(base: ContextBase, run: ContextOfRun): ObservedContext {
  const { history, earlierMessage, returnTool, ...own } = run;
  let seeded = false;
  let took = false;
  const context: AgentContext = {
    ...base,
    runId: own.runId,
    abortSignal: own.abortSignal,
    attempt: own.attempt,
    ...(own.resume && { resume: own.resume }),
    seed(first) {
      seeded = true;
      const earlier = earlierMessage ? [{ ...earlierMessage }] : [];
      // After instructions, which come first with every provider.
      const brief = first.findIndex(({ role }) => role !== 'system' && role !== 'developer');
      const at = brief < 0 ? first.length : brief;
      return [...first.slice(0, at), ...earlier, ...first.slice(at), ...structuredClone(history)];
    },
    get tools() {
      took = true;
      return returnTool ? [returnTool] : [];
    },
    get returnTool() {
      took = true;
      return returnTool;
    },
  };
  return { context, seeded: () => seeded, tookReturnTool: () => took && returnTool !== undefined };
}
