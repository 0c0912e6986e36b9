// The subagents of one thread, as events and messages tell of them.
import { isAttemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent, CustomEvent, Interrupt, RunFinishedEvent, SubagentStartedEvent } from '../ag-ui/events.js';
import { type CardContract, contractOfCall, type KnownAgents } from './agents.js';
import { type DelegatingCall, delegates, readDelegatingCall } from './brief.js';
import { type CardLimits, type CardStart, CardState } from './card-state.js';
import { isRecord, readAttempt, readEnvelope, readIssues } from './envelope-fields.js';
import { KeptText } from './kept-text.js';
import { parsed, type ReadCall, readMessages } from './messages.js';

/** What a thread is read with. */
export interface ThreadSurroundings {
  agents: KnownAgents;
  limits: CardLimits;
  now: () => number;
  /** Called when a card has changed. */
  changed: () => void;
}

/** A tool call, of the parent or of a child. */
interface OpenCall {
  name: string;
  args: KeptText;
  /** The child that makes it. */
  owner: CardState | undefined;
  /** Whether it is one of the child's return tool. */
  returns: boolean;
}

/** Calls that are remembered at a time. */
const OPEN_CALLS = 256;
const BRIEF = 1 << 16;

/** See `CardStore`, whose methods of the same names these are. */
export class Thread {
  readonly #around: ThreadSurroundings;
  readonly #cards = new Map<string, CardState>();
  readonly #calls = new Map<string, OpenCall>();
  #runId: string | undefined;
  /** What chunk events without an id belong to. */
  #lastCall: string | undefined;
  #lastMessage: string | undefined;

  constructor(around: ThreadSurroundings) {
    this.#around = around;
  }

  /** The cards, in the order they started. */
  get cards(): CardState[] {
    return [...this.#cards.values()];
  }

  push(event: AGUIEvent): void {
    switch (event.type) {
      case 'RUN_STARTED':
        this.#runId = event.runId;
        this.connect(true);
        break;
      case 'RUN_FINISHED':
        this.#runFinished(event);
        break;
      case 'RUN_ERROR':
        this.#stop('failed', `the run failed: ${event.message}`);
        this.#runOver();
        break;
      case 'SUBAGENT_STARTED':
        this.#started(event);
        break;
      case 'SUBAGENT_FINISHED':
        this.#at(event.subagentRunId, (card) => card.finish(event, this.#around.now()));
        break;
      case 'SUBAGENT_ERROR':
        this.#at(event.subagentRunId, (card) => card.fail(event, this.#around.now()));
        break;
      case 'TOOL_CALL_START':
        this.#openCall(event.toolCallId, event.toolCallName, event.subagentRunId);
        break;
      case 'TOOL_CALL_ARGS':
        this.#addArgs(event.toolCallId, event.delta);
        break;
      case 'TOOL_CALL_END':
        this.#closeCall(event.toolCallId);
        break;
      case 'TOOL_CALL_CHUNK': {
        const { toolCallId = this.#lastCall, toolCallName, delta, subagentRunId } = event;
        if (toolCallId === undefined) return;
        this.#lastCall = toolCallId;
        if (!this.#calls.has(toolCallId)) this.#openCall(toolCallId, toolCallName ?? '', subagentRunId);
        if (delta !== undefined) this.#addArgs(toolCallId, delta);
        return;
      }
      case 'TOOL_CALL_RESULT': {
        // Of the return tool it is feedback, which the attempt tells better.
        const owner = this.#calls.get(event.toolCallId)?.owner ?? this.#cards.get(event.subagentRunId ?? '');
        this.#closeCall(event.toolCallId);
        this.#calls.delete(event.toolCallId);
        const call = owner?.call(event.toolCallId);
        if (owner === undefined || call === undefined) return;
        call.finish(event.content);
        this.#at(owner.id, () => {});
        break;
      }
      case 'TEXT_MESSAGE_START':
        this.#at(event.subagentRunId, (card) => card.openWords());
        break;
      case 'TEXT_MESSAGE_CONTENT':
        this.#at(event.subagentRunId, (card) => card.addWords(event.delta));
        break;
      case 'TEXT_MESSAGE_END':
        this.#at(event.subagentRunId, (card) => card.closeWords());
        break;
      case 'TEXT_MESSAGE_CHUNK': {
        const { messageId = this.#lastMessage, delta, subagentRunId } = event;
        const isNew = messageId !== this.#lastMessage;
        this.#lastMessage = messageId;
        this.#at(subagentRunId, (card) => {
          if (isNew) card.openWords();
          if (delta !== undefined) card.addWords(delta);
        });
        break;
      }
      case 'CUSTOM':
        this.#custom(event);
        break;
      default:
        return;
    }
  }

  fromMessages(messages: readonly unknown[], interrupts: readonly Interrupt[]): void {
    const { calls, words } = readMessages(messages);
    // Children's own messages, where a client keeps them, come after: their calls may delegate in turn.
    for (const call of calls) if (call.owner === undefined) this.#rebuild(call);
    for (const call of calls) if (call.owner !== undefined) this.#rebuild(call);
    for (const [id, text] of words) {
      const card = this.#cards.get(id);
      if (card === undefined || card.live) continue;
      card.openWords();
      card.addWords(text);
      card.closeWords();
    }
    this.#ask(interrupts);
  }

  clear(): void {
    for (const card of this.#cards.values()) card.free();
    this.#cards.clear();
    this.#runOver();
    this.#runId = undefined;
    this.#touch();
  }

  connect(connected: boolean): void {
    for (const card of this.#cards.values()) if (card.connect(connected)) this.#touch();
  }

  #touch(): void {
    this.#around.changed();
  }

  /** Changes a card that is there; an event of one that is not says too little to show. */
  #at(id: string | undefined, change: (card: CardState) => void): void {
    const card = id === undefined ? undefined : this.#cards.get(id);
    if (card === undefined) return;
    change(card);
    card.connect(true);
    card.changed();
    this.#touch();
  }

  #started(event: SubagentStartedEvent): void {
    const { subagentRunId: id, name, description, parentToolCallId, parentSubagentRunId: parentId } = event;
    const open = parentToolCallId === undefined ? undefined : this.#calls.get(parentToolCallId);
    const call = open && readDelegatingCall(open.name, open.args.view.text, (other) => this.#around.agents.get(other));
    const around = { description, parentToolCallId, parentId };
    const card = this.#card(
      id,
      this.#startOf(name, call, around, this.#cards.get(id) ?? this.#cards.get(standIn(parentToolCallId ?? ''))),
    );
    card.begin(this.#around.now(), this.#runId);
    this.#touch();
  }

  /** What is known of an agent's child at its start. What is not in the stream again after a suspension is kept. */
  #startOf(
    agent: string,
    call: DelegatingCall | undefined,
    around: Pick<CardStart, 'description' | 'parentToolCallId' | 'parentId'>,
    before?: CardState,
  ): CardStart {
    const contract: CardContract | undefined =
      call?.finalSchema === undefined
        ? (before?.start.contract ?? this.#around.agents.contractOf(agent))
        : contractOfCall(call.finalSchema);
    return {
      ...around,
      agent,
      brief: call?.brief ?? before?.start.brief,
      contract,
      known: this.#around.agents.get(agent) !== undefined,
      maxAttempts: contract && this.#around.agents.maxAttempts(agent),
    };
  }

  /** The card of that id, new or as it is; it takes the place of one that stood for its tool call. */
  #card(id: string, start: CardStart): CardState {
    const existing = this.#cards.get(id);
    const { parentToolCallId, parentId } = start;
    if (parentToolCallId !== undefined) this.#drop(standIn(parentToolCallId));
    if (existing !== undefined) {
      existing.restart(start);
      return existing;
    }
    this.#makeRoom();
    const card = new CardState(id, start, this.#around.limits);
    this.#cards.set(id, card);
    const parent = parentId === undefined ? undefined : this.#cards.get(parentId);
    if (parent !== undefined) {
      parent.children.push(id);
      parent.changed();
    }
    return card;
  }

  #makeRoom(): void {
    for (const [id, card] of this.#cards) {
      if (this.#cards.size < this.#around.limits.cards) return;
      if (card.hasEnded && card.children.every((child) => this.#cards.get(child)?.hasEnded ?? true)) {
        for (const child of card.children) this.#drop(child);
        this.#drop(id);
      }
    }
  }

  #drop(id: string): void {
    const card = this.#cards.get(id);
    if (card === undefined) return;
    card.free();
    this.#cards.delete(id);
    for (const [callId, { owner }] of this.#calls) if (owner === card) this.#calls.delete(callId);
    const { parentId } = card.start;
    const parent = parentId === undefined ? undefined : this.#cards.get(parentId);
    if (parent === undefined) return;
    parent.children.splice(parent.children.indexOf(id), 1);
    parent.changed();
  }

  #openCall(id: string, name: string, subagentRunId: string | undefined): void {
    this.#lastCall = id;
    const owner = subagentRunId === undefined ? undefined : this.#cards.get(subagentRunId);
    // Of a child that is not shown nothing is kept.
    if (subagentRunId !== undefined && owner === undefined) return;
    const returns = owner?.returnTool !== undefined && name === owner.returnTool;
    this.#calls.set(id, { name, args: new KeptText(BRIEF, 'start'), owner, returns });
    if (this.#calls.size > OPEN_CALLS) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    if (owner !== undefined) this.#at(owner.id, (card) => card.openCall(id, name));
  }

  #addArgs(id: string, delta: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const { owner } = call;
    if (call.returns) {
      this.#at(owner?.id, (card) => card.addReturn(delta));
      return;
    }
    call.args.add(delta);
    owner?.call(id)?.addArgs(delta);
    if (owner !== undefined) this.#at(owner.id, () => {});
  }

  #closeCall(id: string): void {
    const call = this.#calls.get(id);
    const { owner } = call ?? {};
    if (call === undefined || owner === undefined) return;
    if (call.returns) {
      this.#calls.delete(id);
      this.#at(owner.id, (card) => card.closeReturn());
      return;
    }
    owner.call(id)?.close();
    this.#at(owner.id, () => {});
  }

  #custom(event: CustomEvent): void {
    if (isAttemptEvent(event)) {
      this.#at(event.subagentRunId, (card) => card.addAttempt(readAttempt(event.value), event.value?.maxRetries));
      return;
    }
    if (event.name !== 'subcontract.brief_rejected' && event.name !== 'subcontract.not_started') return;
    const { value } = event;
    if (!isRecord(value) || typeof value.subagentRunId !== 'string' || typeof value.name !== 'string') return;
    // It never starts, so this is all that is ever heard of it.
    const { subagentRunId, name, parentToolCallId, code, message, issues } = value;
    const callId = typeof parentToolCallId === 'string' ? parentToolCallId : undefined;
    const open = callId === undefined ? undefined : this.#calls.get(callId);
    const call = open && readDelegatingCall(open.name, open.args.view.text, (other) => this.#around.agents.get(other));
    const parentId = open?.owner?.id;
    const card = this.#card(subagentRunId, this.#startOf(name, call, { parentToolCallId: callId, parentId }));
    card.live = true;
    const why = { message: String(message), ...(typeof code === 'string' && { code }) };
    card.fail(why, this.#around.now(), readIssues(issues));
    this.#touch();
  }

  #runFinished({ outcome }: RunFinishedEvent): void {
    if (outcome?.type === 'interrupt') this.#ask(outcome.interrupts);
    else this.#stop('cancelled', outcome?.type === 'cancelled' ? 'the run was cancelled' : 'the run ended without it');
    this.#runOver();
  }

  #ask(interrupts: readonly Interrupt[]): void {
    const byCard = new Map<string, Interrupt[]>();
    for (const interrupt of interrupts) {
      const { subagentRunId } = interrupt;
      if (subagentRunId === undefined) continue;
      byCard.set(subagentRunId, [...(byCard.get(subagentRunId) ?? []), interrupt]);
    }
    for (const [id, own] of byCard) {
      // A page that did not see it start has to let a person answer all the same.
      const card = this.#cards.get(id) ?? this.#card(id, this.#startOf('subagent', undefined, {}));
      card.status = 'suspended';
      card.ask(own);
    }
    this.#touch();
  }

  /** The run is over, and with it what of its children is not. */
  #stop(status: 'failed' | 'cancelled', message: string): void {
    for (const card of this.#cards.values()) {
      // One that waits in a run that asked nobody anything can never be answered.
      const open = card.status === 'running' || (card.status === 'suspended' && this.#runId !== undefined);
      if (open && card.runId === this.#runId) card.stop(status, message, this.#around.now());
    }
    this.#touch();
  }

  #runOver(): void {
    this.#calls.clear();
    this.#lastCall = undefined;
    this.#lastMessage = undefined;
  }

  #rebuild(call: ReadCall): void {
    const owner = call.owner === undefined ? undefined : this.#cards.get(call.owner);
    if (owner !== undefined && !owner.live) this.#rebuildCall(owner, call);
    const known = (name: string) => this.#around.agents.get(name);
    const envelope = readEnvelope(call.suspended ?? parsed(call.result));
    if (envelope === undefined && !delegates(call.name, known)) return;
    const delegating = readDelegatingCall(call.name, call.args, known);
    const agent = envelope?.subagent ?? delegating.subagent ?? call.name;
    const id = envelope?.runId ?? standIn(call.id);
    if (this.#cards.get(id)?.live || this.#knows(call.id, id)) return;
    const card = this.#card(id, this.#startOf(agent, delegating, { parentToolCallId: call.id, parentId: owner?.id }));
    if (envelope !== undefined) {
      card.take(envelope);
      card.ask(envelope.interrupts.filter(isInterrupt));
    } else if (typeof call.result === 'string') {
      card.say(call.result);
    } else {
      card.connect(false);
    }
  }

  /** Whether another card already stands for a tool call. */
  #knows(toolCallId: string, id: string): boolean {
    if (id !== standIn(toolCallId)) return false;
    return [...this.#cards.values()].some((card) => card.start.parentToolCallId === toolCallId && card.id !== id);
  }

  #rebuildCall(owner: CardState, { id, name, args, result }: ReadCall): void {
    if (name === owner.returnTool) return;
    owner.openCall(id, name);
    const call = owner.call(id);
    call?.addArgs(args);
    call?.close();
    if (result !== undefined) call?.finish(result);
    owner.changed();
  }
}

/** The id of a card that stands for a tool call whose child is not known yet. */
function standIn(toolCallId: string): string {
  return `call:${toolCallId}`;
}

function isInterrupt(value: unknown): value is Interrupt {
  return isRecord(value) && typeof value.id === 'string' && typeof value.reason === 'string';
}
