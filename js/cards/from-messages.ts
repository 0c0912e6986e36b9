// Cards from the messages that a page kept: for each delegating call one, as its result and the child's own messages tell.
import { parsedJson } from '../json-text.js';
import type { KnownAgents } from './agents.js';
import { delegates, readDelegatingCall } from './brief.js';
import { standIn, startOf } from './card-start.js';
import type { CardState } from './card-state.js';
import type { Deck } from './deck.js';
import { readEnvelope } from './envelope-fields.js';
import { type ReadCall, readMessages } from './messages.js';
import { readInterrupts } from './read-event.js';

/** Builds the cards that messages tell of. Those that events have built stay as they are. */
export function rebuildCards(cards: Deck, agents: KnownAgents, messages: readonly unknown[]): void {
  const { calls, words } = readMessages(messages);
  // Children's own messages, where a client keeps them, come after: their calls may delegate in turn.
  for (const nested of [false, true]) {
    for (const call of calls) if ((call.owner !== undefined) === nested) rebuild(cards, agents, call);
  }
  for (const [id, text] of words) {
    const card = cards.get(id);
    if (card === undefined || card.live) continue;
    card.writing.openWords();
    card.writing.addWords(text);
    card.writing.closeWords();
    card.changed();
  }
}

function rebuild(cards: Deck, agents: KnownAgents, call: ReadCall): void {
  const owner = cards.get(call.owner);
  if (owner !== undefined && !owner.live) rebuildCall(owner, call);
  const envelope = readEnvelope(call.suspended ?? parsedJson(call.result ?? ''));
  if (envelope === undefined && !delegates(call.name, agents)) return;
  const delegating = readDelegatingCall(call.name, call.args, agents);
  const agent = envelope?.subagent ?? delegating.subagent ?? call.name;
  const unknown = standIn(call.id);
  const id = envelope?.runId ?? unknown;
  if (cards.get(id)?.live) return;
  // Another card already stands for the call.
  if (id === unknown && cards.cards.some(({ id, start }) => id !== unknown && start.parentToolCallId === call.id))
    return;
  const card = cards.place(id, startOf(agents, agent, delegating, { parentToolCallId: call.id, parentId: owner?.id }));
  if (envelope !== undefined) {
    card.take(envelope);
    card.ask(readInterrupts(envelope.interrupts));
  } else if (call.result !== undefined) {
    card.say(call.result);
  } else {
    card.connect(false);
  }
}

function rebuildCall(owner: CardState, { id, name, args, result }: ReadCall): void {
  if (name === owner.returnTool) return;
  owner.openCall(id, name);
  const call = owner.call(id);
  call?.addArgs(args);
  call?.close();
  if (result !== undefined) call?.finish(result);
}
