// The subagents of one thread, as events and messages tell of them.
import { isAttemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent, CustomEvent, Interrupt, RunFinishedEvent, SubagentStartedEvent } from '../ag-ui/events.js';
import { isWaitingEvent } from '../ag-ui/waiting.js';
import { isRecord, textOf } from '../wire.js';
import type { KnownAgents } from './agents.js';
import { type DelegatingCall, readDelegatingCall } from './brief.js';
import { standIn, startOf } from './card-start.js';
import type { CardLimits, CardState } from './card-state.js';
import { Deck } from './deck.js';
import { readAttempt } from './envelope-fields.js';
import { rebuildCards } from './from-messages.js';
import { OpenCalls } from './open-calls.js';
import { readEvent, readInterrupts } from './read-event.js';

/** What a thread is read with. */
export interface ThreadSurroundings {
  agents: KnownAgents;
  limits: CardLimits;
  now: () => number;
  /** Called when a card has changed. */
  changed: () => void;
}

/** Whose an event is. */
interface Tagged {
  subagentRunId?: string;
}

type Change = (card: CardState) => unknown;

/** See `CardStore`, whose methods of the same names these are. */
export class Thread {
  readonly #around: ThreadSurroundings;
  readonly #cards: Deck;
  readonly #calls = new OpenCalls();
  #runId: string | undefined;

  constructor(around: ThreadSurroundings) {
    this.#around = around;
    this.#cards = new Deck(around.limits, (card) => this.#calls.forget(card));
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
        break;
      case 'SUBAGENT_STARTED':
        this.#started(event);
        break;
      case 'SUBAGENT_FINISHED':
        this.#at(event, (card) => card.finish(event, this.#around.now()), true);
        break;
      case 'SUBAGENT_ERROR':
        this.#at(event, (card) => card.fail(event, this.#around.now()), true);
        break;
      case 'TOOL_CALL_START':
        this.#openCall(event.toolCallId, event.toolCallName, event);
        break;
      case 'TOOL_CALL_ARGS':
        this.#addArgs(event.toolCallId, event.delta);
        break;
      case 'TOOL_CALL_END':
        this.#closeCall(event.toolCallId);
        break;
      case 'TOOL_CALL_CHUNK': {
        const { toolCallName = '', delta, subagentRunId } = event;
        const owner = this.#cards.get(subagentRunId);
        // Of a child that is not shown there is no call to go on with.
        const last = owner || subagentRunId === undefined ? this.#calls.under(owner) : undefined;
        const { toolCallId = last } = event;
        if (toolCallId === undefined) break;
        if (this.#calls.get(toolCallId)) this.#calls.goOn(toolCallId, owner);
        else this.#openCall(toolCallId, toolCallName, event);
        if (delta !== undefined) this.#addArgs(toolCallId, delta);
        break;
      }
      case 'TOOL_CALL_RESULT': {
        const { toolCallId, content } = event;
        // Of the return tool it is feedback, which the attempt tells better.
        const owner = this.#calls.get(toolCallId)?.owner ?? this.#cards.get(event.subagentRunId);
        this.#closeCall(toolCallId);
        this.#calls.close(toolCallId);
        const call = owner?.call(toolCallId);
        call?.finish(content);
        if (call) this.#change(owner);
        break;
      }
      case 'TEXT_MESSAGE_START':
        this.#at(event, ({ writing }) => writing.openWords());
        break;
      case 'TEXT_MESSAGE_CONTENT':
        this.#at(event, ({ writing }) => writing.addWords(event.delta));
        break;
      case 'TEXT_MESSAGE_END':
        this.#at(event, ({ writing }) => writing.closeWords());
        break;
      case 'TEXT_MESSAGE_CHUNK': {
        const { messageId, delta } = event;
        this.#at(event, ({ writing, chunked }) => {
          if (messageId !== undefined && messageId !== chunked.message) {
            chunked.message = messageId;
            writing.openWords();
          }
          if (delta !== undefined) writing.addWords(delta);
        });
        break;
      }
      case 'CUSTOM':
        this.#custom(event);
        break;
    }
  }

  fromMessages(messages: readonly unknown[], interrupts: readonly Interrupt[]): void {
    rebuildCards(this.#cards, this.#around.agents, messages);
    this.#ask(readInterrupts(interrupts));
  }

  clear(): void {
    this.#cards.clear();
    this.#calls.clear();
    this.#runId = undefined;
    this.#around.changed();
  }

  connect(connected: boolean): void {
    for (const card of this.cards) if (card.connect(connected)) this.#around.changed();
  }

  /** Changes the card of an event, if it is there; of one that is not, an event says too little to show. */
  #at({ subagentRunId }: Tagged, change: Change, ends = false): void {
    this.#change(this.#cards.get(subagentRunId), change, ends);
  }

  /** A child that is over writes nothing more: what its host accepted stays. */
  #change(card: CardState | undefined, change?: Change, ends = false): void {
    if (card === undefined || (card.hasEnded && !ends)) return;
    change?.(card);
    card.connect(true);
    card.changed();
    this.#around.changed();
  }

  #started({
    subagentRunId: id,
    name,
    description,
    parentToolCallId,
    parentSubagentRunId,
  }: SubagentStartedEvent): void {
    const { agents, now, changed } = this.#around;
    const before = this.#cards.get(id) ?? this.#cards.get(standIn(parentToolCallId ?? ''));
    const around = { description, parentToolCallId, parentId: parentSubagentRunId };
    const start = startOf(agents, name, this.#delegating(parentToolCallId), around, before?.start);
    this.#cards.place(id, start).begin(now(), this.#runId);
    changed();
  }

  #openCall(id: string, name: string, { subagentRunId }: Tagged): void {
    const owner = this.#cards.get(subagentRunId);
    // Of a child that is not shown, or is over, nothing is kept.
    if (subagentRunId !== undefined && (owner === undefined || owner.hasEnded)) return;
    this.#calls.open(id, name, owner);
    this.#change(owner, (card) => card.openCall(id, name));
  }

  #addArgs(id: string, delta: string): void {
    const { args, owner, returns } = this.#calls.get(id) ?? {};
    if (!returns) {
      args?.add(delta);
      owner?.call(id)?.addArgs(delta);
    }
    this.#change(owner, ({ writing }) => returns && writing.addReturn(id, delta));
  }

  #closeCall(id: string): void {
    const { owner, returns } = this.#calls.get(id) ?? {};
    if (returns) this.#calls.close(id);
    else owner?.call(id)?.close();
    this.#change(owner, ({ writing }) => returns && writing.closeReturn(id));
  }

  #custom(event: CustomEvent): void {
    const { agents, now, changed } = this.#around;
    const { name: what, value } = event;
    if (isAttemptEvent(event)) this.#at(event, (card) => card.addAttempt(readAttempt(value), event.value?.maxRetries));
    if (isWaitingEvent(event)) this.#at(event, (card) => card.wait(now()));
    if (what !== 'subcontract.brief_rejected' && what !== 'subcontract.not_started') return;
    if (!isRecord(value) || typeof value.subagentRunId !== 'string' || typeof value.name !== 'string') return;
    // It never starts, so this is all that is ever heard of it.
    const parentToolCallId = textOf(value.parentToolCallId);
    const parentId = this.#calls.get(parentToolCallId)?.owner?.id;
    const start = startOf(agents, value.name, this.#delegating(parentToolCallId), { parentToolCallId, parentId });
    const card = this.#cards.place(value.subagentRunId, start);
    card.live = true;
    card.fail(value, now());
    changed();
  }

  /** What an open call says of the child that it starts. */
  #delegating(toolCallId: string | undefined): DelegatingCall | undefined {
    const call = this.#calls.get(toolCallId);
    return call && readDelegatingCall(call.name, call.args.view.text, this.#around.agents);
  }

  #runFinished({ outcome }: RunFinishedEvent): void {
    if (outcome?.type === 'interrupt') {
      this.#ask(readInterrupts(outcome.interrupts));
      this.#calls.clear();
    } else {
      this.#stop('cancelled', outcome?.type === 'cancelled' ? 'the run was cancelled' : 'the run ended without it');
    }
  }

  #ask(interrupts: readonly Interrupt[]): void {
    const byCard = new Map<string | undefined, Interrupt[]>();
    for (const interrupt of interrupts) {
      const { subagentRunId } = interrupt;
      byCard.set(subagentRunId, [...(byCard.get(subagentRunId) ?? []), interrupt]);
    }
    for (const [id, own] of byCard) {
      if (id === undefined) continue;
      // A page that did not see it start has to let a person answer all the same.
      const card =
        this.#cards.get(id) ?? this.#cards.place(id, startOf(this.#around.agents, 'subagent', undefined, {}));
      card.ask(own, 'suspended');
    }
    this.#around.changed();
  }

  /** The run is over, and with it what of its children is not. */
  #stop(status: 'failed' | 'cancelled', message: string): void {
    for (const card of this.cards) {
      // One that waits in a run that asked nobody anything can never be answered.
      const open = card.status === 'running' || (card.status === 'suspended' && this.#runId !== undefined);
      if (open && card.runId === this.#runId) card.stop(status, message, this.#around.now());
    }
    this.#calls.clear();
    this.#around.changed();
  }
}
