// What a host hears of its delegations as they go: typed events without any payload.
import type { TokenUsage } from './ag-ui/events.js';
import type { AttemptCode, Via } from './core.js';
import type { AttemptRecord, ContractRef, MeasuredEffort } from './envelope.js';

/** Whose event it is. All ids are the protocol's. */
export interface DelegationEventBase {
  subagentRunId: string;
  /** The agent's name. */
  subagent: string;
  threadId: string;
  parentRunId?: string;
  parentToolCallId?: string;
  parentSubagentRunId?: string;
  /** Milliseconds since the epoch; absent when the given clock failed. */
  timestamp?: number;
}

/** One attempt, without what was returned: of its issues their number and the keywords that failed. */
export interface DelegationAttemptEvent extends DelegationEventBase {
  type: 'attempt';
  /** From 1. */
  attempt: number;
  maxRetries: number;
  outcome: AttemptRecord['outcome'];
  /** How the return came; absent when there was none. */
  via?: Via;
  code?: AttemptCode;
  issues: number;
  /** Each once, in the order they failed. */
  keywords: string[];
  /** The return was given up while it streamed in. */
  early: boolean;
}

/** How a delegation went, as its last event says it. */
export interface DelegationMeasure {
  /** Judged so far, those before a suspension among them. */
  attempts: number;
  effort: MeasuredEffort;
  usage?: TokenUsage[];
}

/**
 * An event of a delegation. The first is `started`, `resumed` or `refused`; `refused` is also the last, and so is
 * `cancelled` where a delegation was stopped before its child started. Else the last is `accepted` (a return satisfied the
 * contract), `answered` (a child without a contract ended), `exhausted` (no return did), `suspended`, `cancelled` or `failed`.
 * In between there is an `attempt` for each.
 *
 * None holds a brief, a return, a message of the child, or an error's text. Unknown types may be added.
 */
export type DelegationEvent =
  | (DelegationEventBase & { type: 'started'; contract: ContractRef })
  | (DelegationEventBase & { type: 'resumed'; contract: ContractRef; attempts: number })
  | DelegationAttemptEvent
  | (DelegationEventBase & DelegationMeasure & { type: 'accepted' | 'answered' })
  | (DelegationEventBase & DelegationMeasure & { type: 'exhausted' | 'failed' | 'cancelled'; code: string })
  | (DelegationEventBase & DelegationMeasure & { type: 'suspended'; interrupts: number })
  | (DelegationEventBase & { type: 'refused'; code: string });

/** Hears of delegations. What it throws, and what it promises and breaks, is ignored; it is not waited for. */
export type DelegationObserver = (event: DelegationEvent) => void;

type WithoutBase<E> = E extends DelegationEventBase ? Omit<E, keyof DelegationEventBase> : never;

/** What happened, without whose it is. */
export type DelegationNews = WithoutBase<DelegationEvent>;

/** Tells an observer, which cannot harm the run by what it does with the event. */
export function tell(observer: DelegationObserver, base: DelegationEventBase, news: () => DelegationNews): void {
  try {
    const told: unknown = observer(structuredClone({ ...news(), ...base }) as DelegationEvent);
    Promise.resolve(told).catch(() => {});
  } catch {
    // Whoever watches a run does not take part in it.
  }
}

/** An attempt as an observer hears of it. */
export function attemptNews(record: AttemptRecord, maxRetries: number): DelegationNews {
  const { attempt, outcome, via, code, issues = [], early = false } = record;
  const keywords = [...new Set(issues.map(({ keyword }) => keyword))];
  return {
    type: 'attempt',
    attempt,
    maxRetries,
    outcome,
    ...(via && { via }),
    ...(code && { code }),
    issues: issues.length,
    keywords,
    early,
  };
}
