// What a host that runs agents itself passes to an agent's `run`: TanStack AI from 0.59 on, or another of that form.
import type { ResumeEntry } from '../ag-ui/events.js';

/**
 * The context of a host that runs agents itself, as TanStack AI's `chat({ subagents })` has it from 0.59 on. A host may put
 * more into it; an agent's own `run` finds all of it as `ctx.host`.
 */
export interface HostRunContext {
  /** The brief, as the host's own check of `inputSchema` left it. TanStack AI has it from 0.63 on. */
  readonly input?: unknown;
  /** The parent's messages; on a resume the child's own behind them. */
  readonly messages: readonly unknown[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly threadId: string;
  readonly runId: string;
  /** The parent's run; on a resume the one that was interrupted. */
  readonly parentRunId?: string | undefined;
  /** This invocation, the same over resumes. */
  readonly subagentRunId: string;
  readonly parentSubagentRunId?: string | undefined;
  /** The answers to the child's interrupts. */
  readonly resume?: readonly ResumeEntry[] | undefined;
}
