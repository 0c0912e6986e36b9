// What the linter remembers of a thread: its runs, and in the one under way what is open, whose it is, and who waits.

import { type BracketKind, bracketOf } from '../brackets.js';
import type {
  ActivityDeltaEvent,
  AGUIEvent,
  Interrupt,
  Message,
  ResumeEntry,
  RunStartedEvent,
  StateDeltaEvent,
} from '../events.js';
import { type Owner, ownerOf } from '../owner.js';
import { type PatchBudget, type Patched, patchBudget } from './patch.js';
import { type Call, type Item, Run, type Subagent } from './run.js';

/** The state that nobody has said. */
const UNKNOWN = Symbol('unknown');

/** A thread of runs. */
export class Thread {
  phase: 'before' | 'active' | 'finished' | 'failed' = 'before';
  run: Run | undefined;
  index = 0;
  /** Whether the linter has said that what comes now belongs to no run. */
  refused = false;
  threadId: string | undefined;
  readonly runIds = new Set<string>();
  /** Which kind of message an id is of. */
  readonly messages = new Map<string, MessageKind>();
  readonly calls = new Map<string, Call>();
  /** Subagents of earlier runs. */
  readonly earlier = new Map<string, Subagent>();
  /** What the last run stopped to ask. */
  interrupts = new Map<string, Interrupt>();
  lastInterruptedRun: string | undefined;
  /** {@link UNKNOWN} until somebody says it. */
  state: unknown = UNKNOWN;
  /** Whether it was said that patches are not applied any more. */
  unfollowed = false;
  readonly activities = new Map<string, { owner: Owner; content: unknown }>();
  readonly patches: PatchBudget = patchBudget();
  /** The answers with which the next run is started, where its events do not say them. */
  givenResume: readonly ResumeEntry[] | undefined;
  /** The answers with which the run under way was started. */
  resume: readonly ResumeEntry[] | undefined;

  /** Whether the runs before the one under way are known: an id that was never seen was then never used. */
  earlierKnown = false;

  /** The message, call, step or span that an event is about. */
  itemOf(event: AGUIEvent): { key: string; item: Item | undefined; open: boolean } | undefined {
    const bracket = bracketOf(event);
    if (!bracket || !this.run) return undefined;
    const { key } = bracket;
    return { key, item: this.run.items.get(key), open: this.run.open.has(key) };
  }

  /** What a patch comes to; nothing where it is not known what it is for. */
  patched(event: StateDeltaEvent | ActivityDeltaEvent): Patched | undefined {
    if (event.type === 'STATE_DELTA') {
      return this.state === UNKNOWN ? undefined : this.patches.apply(this.state, event.delta);
    }
    const activity = this.activities.get(event.messageId);
    return activity && this.patches.apply(activity.content, event.patch);
  }

  /** Whether a run forwards the end of another one's, whose start was reported. */
  isNestedEnd(event: AGUIEvent): boolean {
    const { run } = this;
    return event.type === 'RUN_FINISHED' && event.runId !== run?.runId && (run?.nested.has(event.runId) ?? false);
  }

  /** Takes an event into account. */
  take(event: AGUIEvent, chunked = false): void {
    if (event.type === 'RUN_STARTED') {
      this.#startRun(event);
      return;
    }
    const { run } = this;
    if (event.type === 'RUN_ERROR') {
      if (run) this.#endRun(run);
      this.phase = 'failed';
      this.interrupts.clear();
      return;
    }
    if (!run || this.phase !== 'active') {
      this.refused = true;
      return;
    }
    run.tag(event, this.index);
    switch (event.type) {
      case 'RUN_FINISHED':
        run.finished = event;
        this.phase = 'finished';
        this.#endRun(run);
        this.interrupts = new Map(
          event.outcome?.type === 'interrupt'
            ? event.outcome.interrupts.map((interrupt) => [interrupt.id, interrupt])
            : [],
        );
        if (this.interrupts.size > 0) this.lastInterruptedRun = event.runId;
        return;
      case 'SUBAGENT_STARTED':
        run.start(event, this.index);
        return;
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        run.end(event, this.index);
        return;
      case 'TOOL_CALL_RESULT': {
        const call = this.calls.get(event.toolCallId);
        if (call) call.answered = true;
        if (!run.started.has(event.toolCallId)) run.answeredElsewhere.add(event.toolCallId);
        this.#name(event.messageId, 'tool');
        return;
      }
      case 'MESSAGES_SNAPSHOT':
        this.#know(event.messages, true);
        return;
      case 'STATE_SNAPSHOT':
        this.state = event.snapshot;
        return;
      case 'STATE_DELTA': {
        const patched = this.patched(event);
        if (patched && 'value' in patched) this.state = patched.value;
        this.unfollowed = this.patches.spent;
        return;
      }
      case 'ACTIVITY_SNAPSHOT': {
        this.#name(event.messageId, 'activity');
        if (event.replace === false && this.activities.has(event.messageId)) return;
        this.activities.set(event.messageId, { owner: event.subagentRunId, content: event.content });
        return;
      }
      case 'ACTIVITY_DELTA': {
        const activity = this.activities.get(event.messageId);
        const patched = this.patched(event);
        if (activity && patched && 'value' in patched) activity.content = patched.value;
        this.unfollowed = this.patches.spent;
        return;
      }
      default:
        this.#bracket(event, run, chunked);
    }
  }

  /** Marks the thing that an event goes on with as reported. */
  #bracket(event: AGUIEvent, run: Run, chunked: boolean): void {
    const bracket = bracketOf(event);
    if (!bracket) return;
    const { key, kind, id, phase } = bracket;
    const known = run.items.get(key);
    if (phase === 'start') {
      const owner = known ? known.owner : (ownerOf(event) ?? this.#holderOf(event, run));
      const item: Item = { kind, id, owner, index: this.index, chunked, opener: known?.opener ?? { ...event } };
      run.items.set(key, item);
      run.open.set(key, item);
      const ofOwner = run.openByOwner.get(owner) ?? new Map<string, Item>();
      run.openByOwner.set(owner, ofOwner.set(key, item));
      run.orphans.delete(key);
      if (event.type === 'TOOL_CALL_START') {
        const call = run.started.get(id) ?? {
          owner,
          toolCallName: event.toolCallName,
          parentMessageId: event.parentMessageId,
          ended: false,
          answered: false,
          run,
        };
        call.ended = false;
        run.started.set(id, call);
        this.calls.set(id, call);
      } else if (kind === 'text' || kind === 'reasoning') {
        this.#name(id, kind);
      }
      return;
    }
    const item = run.open.get(key);
    if (!item) run.orphans.add(key);
    else if (phase === 'end') {
      run.open.delete(key);
      run.openByOwner.get(item.owner)?.delete(key);
      const call = kind === 'call' ? run.started.get(id) : undefined;
      if (call) call.ended = true;
    }
  }

  /** An untagged call is of whoever has the message that holds it. */
  #holderOf(event: AGUIEvent, run: Run): Owner {
    if (event.type !== 'TOOL_CALL_START' || event.parentMessageId === undefined) return undefined;
    return run.items.get(`text ${event.parentMessageId}`)?.owner;
  }

  #startRun(event: RunStartedEvent): void {
    if (this.phase === 'active' && this.run) {
      this.run.nested.add(event.runId);
      return;
    }
    const { input } = event;
    this.resume = input?.resume ?? this.givenResume;
    this.givenResume = undefined;
    const hinted = event.parentRunId !== undefined || (this.resume?.length ?? 0) > 0;
    if (input?.messages) this.#know(input.messages, false);
    if (input) this.state = input.state ?? {};
    this.run = new Run(
      event.threadId,
      event.runId,
      this.index,
      hinted && !this.earlierKnown ? 'unknown' : 'known',
      event.timestamp,
    );
    this.phase = 'active';
    this.refused = false;
    this.threadId ??= event.threadId;
    if (event.runId !== undefined) this.runIds.add(event.runId);
  }

  #endRun(run: Run): void {
    this.earlierKnown = true;
    for (const subagent of run.subagents.values()) this.earlier.set(subagent.id, subagent);
    this.refused = false;
  }

  /** Messages from elsewhere: a snapshot restates the thread, an echoed input tells of it. */
  #know(messages: readonly Message[], restated: boolean): void {
    const { run } = this;
    for (const message of messages) {
      this.messages.set(message.id, KINDS[message.role]);
      const owner = message.subagentRunId;
      if (restated) this.#reown(KEYS[message.role], message.id, owner, message);
      if (message.role === 'activity') this.activities.set(message.id, { owner, content: message.content });
      if (message.role === 'tool') {
        const call = this.calls.get(message.toolCallId);
        if (call && call.run !== run) call.answered = true;
      }
      if (message.role !== 'assistant') continue;
      for (const { id, function: called } of message.toolCalls ?? []) {
        if (run && restated && run.started.has(id)) continue;
        if (this.calls.has(id)) continue;
        const parts = { toolCallName: called.name, parentMessageId: message.id };
        this.calls.set(id, { owner, ...parts, ended: true, answered: false, run: undefined });
      }
    }
  }

  #reown(kind: BracketKind | undefined, id: string, owner: Owner, opener: object): void {
    const { run } = this;
    if (!run || !kind) return;
    const key = `${kind} ${id}`;
    const item = run.open.get(key);
    if (!item) {
      const given = opener as Readonly<Record<string, unknown>>;
      run.items.set(key, { kind, id, owner, index: this.index, chunked: false, opener: given });
    }
  }

  #name(id: string, kind: MessageKind): void {
    if (!this.messages.has(id)) this.messages.set(id, kind);
  }
}

/** What a message id may be of. */
export type MessageKind = 'text' | 'reasoning' | 'tool' | 'activity';

const KINDS: Readonly<Record<Message['role'], MessageKind>> = {
  developer: 'text',
  system: 'text',
  assistant: 'text',
  user: 'text',
  tool: 'tool',
  activity: 'activity',
  reasoning: 'reasoning',
};
const KEYS: Readonly<Record<Message['role'], BracketKind | undefined>> = {
  developer: 'text',
  system: 'text',
  assistant: 'text',
  user: 'text',
  tool: undefined,
  activity: undefined,
  reasoning: 'reasoning',
};
