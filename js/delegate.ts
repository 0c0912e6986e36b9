// `delegate`: runs one child on one brief and hands its events and its envelope to whoever asks.
import type { AGUIEvent, ResumeEntry } from './ag-ui/events.js';
import type { AgentSchema, ReturnOf, SubcontractAgent } from './define-agent.js';
import type { ResultEnvelope } from './envelope.js';
import type { ResumeState } from './resume.js';

/** How a delegation is run. Every field is optional. */
export interface DelegateOptions {
  /** The thread, for the child's `ctx.threadId` and the resume state. Default: a new id. */
  threadId?: string;
  /** The child's first run id. Default: a new id. */
  runId?: string;
  /** The run that delegates. */
  parentRunId?: string;
  /** The delegating tool call. */
  parentToolCallId?: string;
  /** The subagent that delegates, when it is one. */
  parentSubagentRunId?: string;
  /** This invocation's id. Default: a new id; on a resume always the suspended one. */
  subagentRunId?: string;
  /** The parent's messages, passed on as `ctx.messages`. */
  messages?: readonly unknown[];
  /** Stops the delegation. */
  abortSignal?: AbortSignal;
  /** A contract for this call alone, over the agent's own. Taken as written by a model: limited, never guessed. */
  finalSchema?: unknown;
  /** How long the whole delegation may take, retries included. */
  timeoutMs?: number;
  /** Makes ids. Default `crypto.randomUUID`. */
  newId?(): string;
  /** The time in milliseconds, for `effort.measured.duration_ms`. Default `Date.now`. */
  now?(): number;
  /** Goes on with a suspended child: its state, opened, and the answers to its interrupts. */
  resume?: { state: ResumeState; entries: ResumeEntry[] };
}

/**
 * A delegation, which starts when it is first asked for something.
 *
 * Iterate it for the child's live events, or await `envelope` alone, which drains them. It can be iterated once.
 */
export interface Delegation<Result = unknown> extends AsyncIterable<AGUIEvent> {
  readonly subagentRunId: string;
  /** The envelope. Always resolves, whatever the child does. */
  readonly envelope: Promise<ResultEnvelope<Result>>;
  /** The envelope's exact text, numbers as the child wrote them. */
  readonly envelopeText: Promise<string>;
  /** What the parent's model reads as the delegating call's result: the envelope's part for it, or the brief's feedback. */
  readonly toolResult: Promise<string>;
  /** The envelope of a completed or suspended delegation; throws what the others failed of. */
  orThrow(): Promise<ResultEnvelope<Result>>;
  /** Stops the child. The envelope's status becomes `cancelled`. */
  abort(reason?: unknown): void;
}

/** The signature of {@link delegate}. */
export type Delegate = <I extends AgentSchema | undefined, O extends AgentSchema | undefined>(
  agent: SubcontractAgent<I, O>,
  brief: unknown,
  options?: DelegateOptions,
) => Delegation<ReturnOf<O>>;
