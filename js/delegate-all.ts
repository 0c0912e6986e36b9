// `delegateAll`: several children, all at once or one after another, as one stream of events and one list of envelopes.
import type { AGUIEvent } from './ag-ui/events.js';
import { ChildrenRun } from './children-run.js';
import type { AgentSchema, ResultOf, SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import { assertDelegateAllOptions } from './delegation-options.js';
import type { ResultEnvelope } from './envelope.js';
import type { Order } from './router-picks.js';

/** One child of {@link delegateAll}. What it does not say is the same for all. */
export interface DelegateCall
  extends Pick<
    DelegateOptions,
    'runId' | 'subagentRunId' | 'messages' | 'finalSchema' | 'timeoutMs' | 'earlyReject' | 'resume'
  > {
  agent: SubcontractAgent;
  /** As `delegate` takes it: the exact JSON text of the brief, or a value to be written as JSON. */
  brief?: unknown;
  /** The delegating tool call. */
  toolCallId?: string;
  /**
   * The envelope of this child from a run before, or its text: it has ended and is not run again. Later children of a
   * sequence read it, and it stands in its place in the answer.
   */
  ended?: ResultEnvelope | string;
}

/** How several children are run. Every field is optional. */
export interface DelegateAllOptions
  extends Omit<DelegateOptions, 'runId' | 'subagentRunId' | 'parentToolCallId' | 'finalSchema' | 'resume'> {
  /**
   * `parallel`: all start at once, as far as `limits.maxConcurrent` lets them. `sequence`: each starts when the one before it
   * has ended, and reads what came of it. Default `parallel`.
   */
  order?: Order;
  /**
   * Whether a sequence goes on after a child that failed: the later ones read that it did. With `stop` they do not start
   * (`cancelled`, code `earlier_failed`). Default `continue`.
   */
  afterFailure?: 'continue' | 'stop';
  /** Envelopes of children that worked before all of these, say in an earlier step: each reads what came of them. */
  earlier?: readonly (ResultEnvelope | string)[];
}

/** One of the children. Each promise always resolves; asking for one runs them all when nobody reads the events. */
export interface DelegatedChild<Result = unknown> {
  readonly subagentRunId: string;
  /** Its agent's name. */
  readonly subagent: string;
  readonly envelope: Promise<ResultEnvelope<Result>>;
  readonly envelopeText: Promise<string>;
  readonly toolResult: Promise<string>;
}

/** What the children of these calls come to, call by call. */
export type EnvelopesOf<Calls extends readonly DelegateCall[]> = {
  -readonly [K in keyof Calls]: ResultEnvelope<ResultOfCall<Calls[K]>>;
};

/** The children of these calls. */
export type ChildrenOf<Calls extends readonly DelegateCall[]> = {
  readonly [K in keyof Calls]: DelegatedChild<ResultOfCall<Calls[K]>>;
};

/** A contract of the call's own says nothing to the compiler. */
type ResultOfCall<Call> = Call extends { finalSchema: unknown }
  ? unknown
  : Call extends { agent: SubcontractAgent<infer _I, infer O extends AgentSchema | undefined> }
    ? ResultOf<O>
    : unknown;

/**
 * Several children under way. They start when the events are first iterated, or when an envelope is first asked for.
 *
 * Iterate it for the events of all, live. Those of one child keep their order; each child is at most one event ahead of its
 * reader, so that a slow reader slows the children and fills no memory. Leaving the loop stops them all.
 */
export interface Delegations<Calls extends readonly DelegateCall[] = readonly DelegateCall[]>
  extends AsyncIterable<AGUIEvent> {
  /** In call order. */
  readonly children: ChildrenOf<Calls>;
  /** All envelopes, in call order. Always resolves: a child that failed costs its siblings nothing. */
  readonly envelopes: Promise<EnvelopesOf<Calls>>;
  /** Their exact texts, numbers as the children wrote them. */
  readonly envelopeTexts: Promise<string[]>;
  /**
   * The envelopes, when every child completed, suspended, or waits behind one that did. Else throws the error of the first
   * that failed, in call order, as `delegate`'s own `orThrow` does.
   */
  orThrow(): Promise<EnvelopesOf<Calls>>;
  /** Stops all of them. */
  abort(reason?: unknown): void;
}

/**
 * Delegates several briefs at once, or one after another.
 *
 * Every call comes to exactly one envelope. In a sequence a child has `ctx.earlier`, and `ctx.seed` puts what earlier ones
 * came to, rendered, before its brief; an agent without `inputSchema` and `outputSchema` has their texts at the end of
 * `ctx.messages`. Where one suspends, the later ones do not start (`cancelled`, code `earlier_suspended`).
 *
 * To go on with children that suspended, call it again with the same calls: `ended` for those that have an envelope, `resume`
 * for those that wait, and the others as they were. With a store, one of two such calls at the same time gets all of them; in the
 * other none runs (`resume_in_progress`), later ones of a sequence included.
 *
 * Throws for misuse, before anything starts: a `TypeError` for what is no list of calls, for two of one `subagentRunId`, and
 * for what `delegate` throws for.
 *
 * # Example: two at once
 * ```ts
 * const children = delegateAll([
 *   { agent: pricer, brief: { vendor: 'A' }, toolCallId: 'call-1' },
 *   { agent: pricer, brief: { vendor: 'B' }, toolCallId: 'call-2' },
 * ], { limits: { maxConcurrent: 8 } });
 * for await (const event of children) send(event);
 * const [a, b] = await children.envelopes;
 * ```
 */
export function delegateAll<const Calls extends readonly DelegateCall[]>(
  calls: Calls,
  options: DelegateAllOptions = {},
): Delegations<Calls> {
  assertDelegateAllOptions(options);
  return new ChildrenRun(calls, options) as unknown as Delegations<Calls>;
}
