// The state of one run of a parent: what its tools, its middleware and its stream have to tell each other.
import type { AGUIEvent, Interrupt, TokenUsage } from '../ag-ui/events.js';
import { Mailbox } from './mailbox.js';
import { ModelWatch } from './model-watch.js';
import type { SuspendedChild } from './suspension.js';

/** One child's usage in this run. */
export interface ChildUsage {
  subagentRunId: string;
  subagent: string;
  usage: TokenUsage[];
}

/** One run of a parent. */
export interface ParentRun {
  readonly threadId: string;
  readonly runId: string;
  /** The run that this one goes on from, on a resume. */
  readonly parentRunId?: string;
  readonly signal: AbortSignal;
  /** Exact argument text by tool call id, replayed and live. */
  readonly briefs: Map<string, string>;
  /** The children that wait in the replayed messages, by tool call id. */
  readonly suspended: Map<string, SuspendedChild>;
  /** The children's events on their way into the parent's stream. */
  readonly events: Mailbox<AGUIEvent>;
  /** What the parent's model reads as a call's result, exactly, by tool call id. */
  readonly results: Map<string, string>;
  /** Whether its model's last answer has come to an end. */
  readonly model: ModelWatch;
  /** What the children of this run wait for. */
  readonly interrupts: Interrupt[];
  readonly usage: ChildUsage[];
  /** Why the run ends here, when a child refused to be resumed. */
  refusal?: Error;
  /** Ends the run with this error. */
  refuse(error: Error): void;
}

/** Starts the bookkeeping of a run. */
export function parentRun(
  given: Pick<ParentRun, 'threadId' | 'runId' | 'parentRunId' | 'suspended' | 'briefs'>,
  stop: AbortController,
): ParentRun {
  return {
    ...given,
    signal: stop.signal,
    refuse(error) {
      this.refusal ??= error;
      stop.abort(error);
    },
    events: new Mailbox(),
    model: new ModelWatch(),
    results: new Map(),
    interrupts: [],
    usage: [],
  };
}
