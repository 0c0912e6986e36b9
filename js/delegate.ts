// `delegate`: runs one child on one brief and hands its events and its envelope to whoever asks.
import type { AGUIEvent, ResumeEntry } from './ag-ui/events.js';
import type { AgentSchema, ResultOf, SubcontractAgent } from './define-agent.js';
import { DelegationRun } from './delegation.js';
import { assertDelegateOptions } from './delegation-options.js';
import type { ResultEnvelope } from './envelope.js';
import type { ParentContext } from './joined.js';
import type { DelegationTree, Limits } from './limits.js';
import type { DelegationObserver } from './observe.js';
import type { Present } from './present.js';
import type { ResumeState } from './resume.js';
import type { Seal } from './resume-seal.js';
import type { TranscriptKeeping } from './transcript.js';

/** How a delegation is run. Every field is optional. */
export interface DelegateOptions {
  /** The thread, for the child's `ctx.threadId` and the resume state. Default: a new id. */
  threadId?: string;
  /** The child's first run id; later runs of the same child get ids made from it. Default: a new id. */
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
  /**
   * A contract for this call alone, over the agent's own. Taken as written by a model: one that does not hold up is
   * refused before the child runs, never ignored.
   */
  finalSchema?: unknown;
  /** How long the whole delegation may take from its start on, retries included. */
  timeoutMs?: number;
  /**
   * Limits of this child and of all that it starts in turn; what {@link delegationTree} makes is shared by several
   * delegations. Those of a `parent` hold as well.
   */
  limits?: Limits | DelegationTree;
  /**
   * Inside an agent's `run`: its context. The child is stopped with it, stands below it in the events, has its thread and
   * its run as parent, and counts within the limits of its trees. `abortSignal` stops it as well.
   */
  parent?: ParentContext;
  /**
   * Whether a call of the return tool is judged while its arguments stream in, and the child stopped at the first violation
   * that nothing can mend. Default: the agent's own setting, which is `true`.
   */
  earlyReject?: boolean;
  /** Hears of the delegation: typed events without any payload. What it throws is ignored. */
  onEvent?: DelegationObserver;
  /** Makes ids. Default `crypto.randomUUID`. */
  newId?: () => string;
  /**
   * The time in milliseconds, for timestamps and `effort.measured.duration_ms`. Default `Date.now`, and for the duration a
   * clock that nobody sets.
   */
  now?: () => number;
  /**
   * Goes on with a suspended child: its state, opened, and the answers to its interrupts. The input is the state's;
   * `brief` is only compared with it (pass `undefined` where there is none to compare).
   */
  resume?: { state: ResumeState; entries: readonly ResumeEntry[] };
  /**
   * How the state of a child that suspends is protected: keys to seal it with, or `'none'`, with which whoever holds it can
   * read and change it. A child that suspends without this choice fails with `seal_required`. With a `store` in it, a
   * resumed child is claimed first, and its envelope is kept.
   */
  seal?: Seal;
  /** How the parent's model reads the envelope as the call's result. Default: `'json'`. */
  present?: Present;
  /**
   * Keeps the child's transcript, for `transcriptSpanTool` to hand out spans of it. Its handle, the `run_id`, is the envelope's
   * `transcript_ref`. It is saved before the envelope resolves, but of a child that was stopped from outside, which nothing holds
   * up: there it may be on its way still. Needs a `threadId`, for that thread alone may read it.
   *
   * A `transcript_ref` in a child's own result leads nowhere: the host's takes its place, or else it is taken out, or null,
   * as the contract allows; `amendments` says so.
   */
  transcripts?: TranscriptKeeping;
}

/**
 * A delegation. It starts when it is first iterated, or when its envelope is first asked for.
 *
 * Iterate it for the child's events as they happen: the child is asked for the next one when the last was taken. It can
 * be iterated once; leaving the loop stops the child. Asking for the envelope before iterating drains the run.
 */
export interface Delegation<Result = unknown> extends AsyncIterable<AGUIEvent> {
  readonly subagentRunId: string;
  /** The envelope. Always resolves, whatever the child does. */
  readonly envelope: Promise<ResultEnvelope<Result>>;
  /** The envelope's exact text, numbers as the child wrote them. Always resolves. */
  readonly envelopeText: Promise<string>;
  /**
   * What the parent's model reads as the delegating call's result: its part of the envelope, or, of a refused brief, the
   * feedback. Always resolves.
   */
  readonly toolResult: Promise<string>;
  /**
   * The envelope of a completed or a suspended delegation. Throws a `BriefError` for a refused brief, a `ResumeError` for
   * refused resume state, a `SchemaError` for a refused `finalSchema`, else a `SubagentContractError` with the envelope's
   * error code.
   */
  orThrow(): Promise<ResultEnvelope<Result>>;
  /** Stops the child. The envelope's status becomes `cancelled`. */
  abort(reason?: unknown): void;
}

/**
 * Delegates one brief to one agent.
 *
 * `brief` is the exact JSON text of the brief, as a model wrote it, or a value to be written as JSON.
 *
 * Whatever goes wrong, from the brief to the last attempt, is in the envelope; only misuse throws (an agent that
 * `defineAgent` did not make, a `timeoutMs` that is no duration, a `newId` that makes no ids). A brief that is
 * refused starts no child and sends no SUBAGENT_* events, only a CUSTOM `subcontract.brief_rejected`; refused resume state
 * and a refused `finalSchema` send a CUSTOM `subcontract.not_started`.
 *
 * # Example: a typed answer
 * ```ts
 * const delegation = delegate(researcher, { task: 'find the price' });
 * for await (const event of delegation) send(event);
 * const { final_result } = await delegation.orThrow();
 * ```
 */
export function delegate<I extends AgentSchema | undefined, O extends AgentSchema | undefined>(
  agent: SubcontractAgent<I, O>,
  brief?: unknown,
  options: DelegateOptions = {},
): Delegation<ResultOf<O>> {
  assertDelegateOptions(options);
  return new DelegationRun<ResultOf<O>>(agent as unknown as SubcontractAgent, brief, options);
}
