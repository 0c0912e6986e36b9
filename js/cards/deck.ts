// The cards of a thread, and which of them are inside which: a forest, whatever the events say.
import { type CardStart, standIn } from './card-start.js';
import { type CardLimits, CardState } from './card-state.js';

/** The cards, in the order they started. */
export class Deck {
  readonly #limits: CardLimits;
  readonly #dropped: (card: CardState) => void;
  readonly #cards = new Map<string, CardState>();

  /** Calls `dropped` for each card that goes. */
  constructor(limits: CardLimits, dropped: (card: CardState) => void) {
    this.#limits = limits;
    this.#dropped = dropped;
  }

  get cards(): CardState[] {
    return [...this.#cards.values()];
  }

  get(id: string | undefined): CardState | undefined {
    return id === undefined ? undefined : this.#cards.get(id);
  }

  /**
   * The card of that id, new or with what is known of its start now, in the card of its parent. It takes the place of one that
   * stood for its tool call.
   */
  place(id: string, given: CardStart): CardState {
    if (given.parentToolCallId !== undefined) this.drop(standIn(given.parentToolCallId));
    const start = this.#isWithin(given.parentId, id) ? { ...given, parentId: undefined } : given;
    const existing = this.#cards.get(id);
    if (existing === undefined) this.#makeRoom();
    else this.#parent(existing)?.leave(id);
    const card = existing ?? new CardState(id, start, this.#limits);
    existing?.restart(start);
    this.#cards.set(id, card);
    this.#parent(card)?.hold(id);
    // Children that were heard of first.
    if (existing === undefined) for (const other of this.cards) if (other.start.parentId === id) card.hold(other.id);
    return card;
  }

  /** Takes a card away, and leaves those in it. */
  drop(id: string): void {
    const card = this.#cards.get(id);
    if (card === undefined) return;
    card.writing.end();
    this.#cards.delete(id);
    this.#parent(card)?.leave(id);
    this.#dropped(card);
  }

  clear(): void {
    for (const card of this.#cards.values()) card.writing.end();
    this.#cards.clear();
  }

  #parent(card: CardState): CardState | undefined {
    return this.get(card.start.parentId);
  }

  /** Whether the card of an id is, or is inside, the other one. */
  #isWithin(inner: string | undefined, outer: string): boolean {
    for (let at = inner; at !== undefined; at = this.#cards.get(at)?.start.parentId) if (at === outer) return true;
    return false;
  }

  /** The oldest that are over go first. Where none is, there can be twice as many: of those the oldest goes that nobody is asked about. */
  #makeRoom(): void {
    const { cards: limit } = this.#limits;
    for (const card of this.cards) {
      if (this.#cards.size < limit) return;
      if (this.#isOver(card)) this.#dropWhole(card);
    }
    if (this.#cards.size < 2 * limit) return;
    const [oldest] = this.#cards.values();
    const card = this.cards.find(({ interrupts }) => interrupts.length === 0) ?? oldest;
    if (card !== undefined) this.#dropWhole(card);
  }

  #isOver(card: CardState): boolean {
    return card.hasEnded && this.#inside(card).every((inner) => this.#isOver(inner));
  }

  #dropWhole(card: CardState): void {
    for (const inner of this.#inside(card)) this.#dropWhole(inner);
    this.drop(card.id);
  }

  #inside(card: CardState): CardState[] {
    return card.children.flatMap((id) => this.#cards.get(id) ?? []);
  }
}
