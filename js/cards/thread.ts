// The subagents of one thread, as events and messages tell of them.
import { isAttemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent, CustomEvent, Interrupt, RunFinishedEvent, SubagentStartedEvent } from '../ag-ui/events.js';
import { isWaitingEvent } from '../ag-ui/waiting.js';
import { parsedJson } from '../json-text.js';
import { isRecord, textOf } from '../wire.js';
import { type CardContract, contractOfCall, type KnownAgents } from './agents.js';
import { type DelegatingCall, delegates, readDelegatingCall } from './brief.js';
import type { CardLimits, CardStart, CardState } from './card-state.js';
import { Deck } from './deck.js';
import { readAttempt, readEnvelope } from './envelope-fields.js';
import { KeptText } from './kept-text.js';
import { type ReadCall, readMessages } from './messages.js';
import { readEvent, readInterrupts } from './read-event.js';

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
  readonly #cards: Deck;
  readonly #calls = new Map<string | undefined, OpenCall>();
  #runId: string | undefined;
  /** What chunk events of the parent's without an id belong to. */
  #lastCall: string | undefined;

  constructor(around: ThreadSurroundings) {
    this.#around = around;
    this.#cards = new Deck(around.limits, (card) => {
      for (const [callId, { owner }] of this.#calls) if (owner === card) this.#calls.delete(callId);
    });
  }

  /** The cards, in the order they started. */
  get cards(): CardState[] {
    return this.#cards.cards;
  }

  push(given: AGUIEvent): void {
    const event = readEvent(given);
    switch (event?.type) {
      case 'RUN_STARTED':
        this.#runId = event.runId;
        this.connect(true);
        break;
      case 'RUN_FINISHED':
        this.#runFinished(event);
        break;
      case 'RUN_ERROR':
        this.#stop('failed', `the run failed: ${event.message ?? 'it does not say why'}`);
        this.#runOver();
        break;
      case 'SUBAGENT_STARTED':
        this.#started(event);
        break;
      case 'SUBAGENT_FINISHED':
        this.#at(event.subagentRunId, (card) => card.finish(event, this.#around.now()), true);
        break;
      case 'SUBAGENT_ERROR':
        this.#at(event.subagentRunId, (card) => card.fail(event, this.#around.now()), true);
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
        const { toolCallName, delta, subagentRunId } = event;
        // Of parallel children each goes on with its own.
        const last = subagentRunId === undefined ? this.#lastCall : this.#cards.get(subagentRunId)?.chunked.call;
        const toolCallId = event.toolCallId ?? last;
        if (toolCallId === undefined) return;
        if (!this.#calls.has(toolCallId)) this.#openCall(toolCallId, toolCallName ?? '', subagentRunId);
        else this.#goesOn(toolCallId, this.#cards.get(subagentRunId));
        if (delta !== undefined) this.#addArgs(toolCallId, delta);
        return;
      }
      case 'TOOL_CALL_RESULT': {
        // Of the return tool it is feedback, which the attempt tells better.
        const owner = this.#calls.get(event.toolCallId)?.owner ?? this.#cards.get(event.subagentRunId);
        this.#closeCall(event.toolCallId);
        this.#calls.delete(event.toolCallId);
        const call = owner?.call(event.toolCallId);
        if (owner === undefined || call === undefined) return;
        call.finish(event.content);
        this.#at(owner.id);
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
        const { messageId, delta, subagentRunId } = event;
        this.#at(subagentRunId, (card) => {
          if (messageId !== undefined && messageId !== card.chunked.message) {
            card.chunked.message = messageId;
            card.openWords();
          }
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
    this.#ask(readInterrupts(interrupts));
  }

  clear(): void {
    this.#cards.clear();
    this.#runOver();
    this.#runId = undefined;
    this.#touch();
  }

  connect(connected: boolean): void {
    for (const card of this.cards) if (card.connect(connected)) this.#touch();
  }

  #touch(): void {
    this.#around.changed();
  }

  /**
   * Changes a card that is there; an event of one that is not says too little to show. A child that is over writes nothing
   * more: what its host accepted stays.
   */
  #at(id: string | undefined, change = (_: CardState) => {}, ends = false): void {
    const card = this.#cards.get(id);
    if (card === undefined || (card.hasEnded && !ends)) return;
    change(card);
    card.connect(true);
    card.changed();
    this.#touch();
  }

  #started(event: SubagentStartedEvent): void {
    const { subagentRunId: id, name, description, parentToolCallId, parentSubagentRunId: parentId } = event;
    const call = this.#delegating(parentToolCallId);
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
    if (start.parentToolCallId !== undefined) this.#cards.drop(standIn(start.parentToolCallId));
    return this.#cards.place(id, start);
  }

  #openCall(id: string, name: string, subagentRunId: string | undefined): void {
    const owner = this.#cards.get(subagentRunId);
    // Of a child that is not shown, or is over, nothing is kept.
    if (subagentRunId !== undefined && (owner === undefined || owner.hasEnded)) return;
    this.#goesOn(id, owner);
    const returns = owner?.returnTool !== undefined && name === owner.returnTool;
    this.#calls.set(id, { name, args: new KeptText(BRIEF, 'start'), owner, returns });
    if (this.#calls.size > OPEN_CALLS) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    if (owner !== undefined) this.#at(owner.id, (card) => card.openCall(id, name));
  }

  /** What follows without an id belongs to that call. */
  #goesOn(id: string, owner: CardState | undefined): void {
    if (owner === undefined) this.#lastCall = id;
    else owner.chunked.call = id;
  }

  #addArgs(id: string, delta: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const { owner } = call;
    if (call.returns) {
      this.#at(owner?.id, (card) => card.addReturn(id, delta));
      return;
    }
    call.args.add(delta);
    owner?.call(id)?.addArgs(delta);
    this.#at(owner?.id);
  }

  #closeCall(id: string): void {
    const call = this.#calls.get(id);
    const { owner } = call ?? {};
    if (call === undefined || owner === undefined) return;
    if (call.returns) {
      this.#calls.delete(id);
      this.#at(owner.id, (card) => card.closeReturn(id));
      return;
    }
    owner.call(id)?.close();
    this.#at(owner.id);
  }

  #custom(event: CustomEvent): void {
    if (isAttemptEvent(event)) {
      this.#at(event.subagentRunId, (card) => card.addAttempt(readAttempt(event.value), event.value?.maxRetries));
      return;
    }
    if (isWaitingEvent(event)) {
      this.#at(event.subagentRunId, (card) => card.wait(this.#around.now()));
      return;
    }
    if (event.name !== 'subcontract.brief_rejected' && event.name !== 'subcontract.not_started') return;
    const { value } = event;
    if (!isRecord(value) || typeof value.subagentRunId !== 'string' || typeof value.name !== 'string') return;
    // It never starts, so this is all that is ever heard of it.
    const { subagentRunId, name } = value;
    const parentToolCallId = textOf(value.parentToolCallId);
    const parentId = this.#calls.get(parentToolCallId)?.owner?.id;
    const start = this.#startOf(name, this.#delegating(parentToolCallId), { parentToolCallId, parentId });
    const card = this.#card(subagentRunId, start);
    card.live = true;
    card.fail(value, this.#around.now());
    this.#touch();
  }

  /** What an open call says of the child that it starts. */
  #delegating(toolCallId: string | undefined): DelegatingCall | undefined {
    const call = this.#calls.get(toolCallId);
    return call && readDelegatingCall(call.name, call.args.view.text, this.#around.agents);
  }

  #runFinished({ outcome }: RunFinishedEvent): void {
    if (outcome?.type === 'interrupt') this.#ask(readInterrupts(outcome.interrupts));
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
    for (const card of this.cards) {
      // One that waits in a run that asked nobody anything can never be answered.
      const open = card.status === 'running' || (card.status === 'suspended' && this.#runId !== undefined);
      if (open && card.runId === this.#runId) card.stop(status, message, this.#around.now());
    }
    this.#touch();
  }

  #runOver(): void {
    this.#calls.clear();
    this.#lastCall = undefined;
  }

  #rebuild(call: ReadCall): void {
    const owner = this.#cards.get(call.owner);
    if (owner !== undefined && !owner.live) this.#rebuildCall(owner, call);
    const { agents } = this.#around;
    const envelope = readEnvelope(call.suspended ?? parsedJson(call.result ?? ''));
    if (envelope === undefined && !delegates(call.name, agents)) return;
    const delegating = readDelegatingCall(call.name, call.args, agents);
    const agent = envelope?.subagent ?? delegating.subagent ?? call.name;
    const id = envelope?.runId ?? standIn(call.id);
    if (this.#cards.get(id)?.live || this.#knows(call.id, id)) return;
    const card = this.#card(id, this.#startOf(agent, delegating, { parentToolCallId: call.id, parentId: owner?.id }));
    if (envelope !== undefined) {
      card.take(envelope);
      card.ask(readInterrupts(envelope.interrupts));
    } else if (call.result !== undefined) {
      card.say(call.result);
    } else {
      card.connect(false);
    }
  }

  /** Whether another card already stands for a tool call. */
  #knows(toolCallId: string, id: string): boolean {
    if (id !== standIn(toolCallId)) return false;
    return this.cards.some((card) => card.start.parentToolCallId === toolCallId && card.id !== id);
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
