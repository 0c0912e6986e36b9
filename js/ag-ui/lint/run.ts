// One run as the linter remembers it: what is open, whose it is, which calls and subagents there are.

import { isRecord } from '../../wire.js';
import type { BracketKind } from '../brackets.js';
import type {
  AGUIEvent,
  RunFinishedEvent,
  SubagentErrorEvent,
  SubagentFinishedEvent,
  SubagentStartedEvent,
  TokenUsage,
} from '../events.js';
import { type Owner, ownerOf } from '../owner.js';
import { readUsage } from '../usage.js';

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

  /** Notes whose an event is, where that is worth a word. */
  tag(event: AGUIEvent, index: number): void {
    const subagentRunId = ownerOf(event);
    if (subagentRunId === undefined || event.type === 'SUBAGENT_STARTED') return;
    const subagent = this.subagents.get(subagentRunId);
    if (!subagent) {
      if (!this.tags.has(subagentRunId)) this.tags.set(subagentRunId, index);
    } else if (subagent.state !== 'active') {
      this.late.add(subagentRunId);
    }
  }

  /** A subagent starts. */
  start(event: SubagentStartedEvent, index: number): void {
    const { subagentRunId: id, name, parentSubagentRunId: parent, parentToolCallId } = event;
    if (this.subagents.has(id)) return;
    const subagent: Subagent = {
      id,
      name,
      parent,
      parentToolCallId,
      startedAt: index,
      state: 'active',
      endedAt: undefined,
      interruptIds: [],
      usage: [],
    };
    this.subagents.set(id, subagent);
    // A late announcement is reported as such.
    this.tags.delete(id);
    if (parentToolCallId === undefined) return;
    const started = this.delegations.get(parentToolCallId);
    if (started) started.push(subagent);
    else this.delegations.set(parentToolCallId, [subagent]);
  }

  /** A subagent ends, or is suspended. */
  end(event: SubagentFinishedEvent | SubagentErrorEvent, index: number): void {
    const subagent = this.subagents.get(event.subagentRunId);
    if (subagent?.state !== 'active') return;
    const outcome = event.type === 'SUBAGENT_FINISHED' ? event.outcome : undefined;
    subagent.state =
      event.type === 'SUBAGENT_ERROR' ? 'failed' : outcome?.type === 'suspended' ? 'suspended' : 'finished';
    subagent.interruptIds = outcome?.type === 'suspended' ? (outcome.interruptIds ?? []) : [];
    subagent.endedAt = index;
    subagent.usage = usageIn(event);
    // What it left open has been reported.
    const left = this.openByOwner.get(subagent.id);
    for (const key of left?.keys() ?? []) {
      this.open.delete(key);
      this.orphans.add(key);
    }
    left?.clear();
  }
}

/** A child's own usage, where this package puts it. */
function usageIn(event: Pick<SubagentFinishedEvent, 'metadata'>): TokenUsage[] {
  const own = event.metadata?.subcontract;
  const usage = isRecord(own) ? own.usage : undefined;
  return usage === undefined ? [] : readUsage(usage);
}
