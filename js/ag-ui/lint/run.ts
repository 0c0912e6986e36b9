// One run as the linter remembers it: what is open, whose it is, which calls and subagents there are.
import type { BracketKind } from '../brackets.js';
import type { RunFinishedEvent, TokenUsage } from '../events.js';

/** Absent for the parent. */
export type Owner = string | undefined;

/** Something that was opened, and maybe closed. */
export interface Item {
  kind: BracketKind;
  id: string;
  owner: Owner;
  index: number;
  /** Opened by a chunk: it has no end event. */
  chunked: boolean;
  opener: Readonly<Record<string, unknown>>;
}

/** A tool call. */
export interface Call {
  owner: Owner;
  toolCallName: string | undefined;
  parentMessageId: string | undefined;
  ended: boolean;
  answered: boolean;
  /** The run that opened it; absent where only messages tell of it. */
  run: Run | undefined;
}

/** One invocation of a subagent. */
export interface Subagent {
  id: string;
  name: string;
  parent: Owner;
  parentToolCallId: string | undefined;
  startedAt: number;
  state: 'active' | 'finished' | 'failed' | 'suspended';
  endedAt: number | undefined;
  interruptIds: readonly string[];
  usage: TokenUsage[];
}

/** One run. */
export class Run {
  readonly open = new Map<string, Item>();
  readonly openByOwner = new Map<Owner, Map<string, Item>>();
  /** Whoever opened it first has it to the end of the run. */
  readonly items = new Map<string, Item>();
  /** What was reported as not open: once is enough. */
  readonly orphans = new Set<string>();
  readonly started = new Map<string, Call>();
  readonly subagents = new Map<string, Subagent>();
  /** Tags without an announcement, with the first event that had each. */
  readonly tags = new Map<string, number>();
  /** Subagents that have ended and whose later events were reported. */
  readonly late = new Set<string>();
  /** Runs that were forwarded into this one. */
  readonly nested = new Set<string>();
  /** Calls that were answered without having been opened here. */
  readonly answeredElsewhere = new Set<string>();
  /** The delegating calls, with the subagents that they started. */
  readonly delegations = new Map<string, Subagent[]>();
  finished: RunFinishedEvent | undefined;

  constructor(
    readonly threadId: string | undefined,
    readonly runId: string | undefined,
    readonly startedAt: number,
    /** Whether something says that there was a run before of which nothing is known. */
    readonly history: 'known' | 'unknown',
    /** Milliseconds since the epoch, where the run says when it started. */
    readonly time: number | undefined,
  ) {}
}
