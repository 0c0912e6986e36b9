// `createCardStore`: subagents as cards, from AG-UI events as they come or from the messages that a page kept.
import type { AGUIEvent, Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { type CardAgent, KnownAgents } from './agents.js';
import type { CardsSnapshot } from './card.js';
import type { CardLimits } from './card-state.js';
import { nextFrame, type Schedule } from './schedule.js';
import { sharedList } from './share.js';
import { Thread } from './thread.js';

/** How a store works. */
export interface CardStoreOptions {
  /**
   * The agents whose returns are judged in the page, with their contracts. What an agent without one returns is shown when
   * it has returned.
   */
  agents?: readonly CardAgent[];
  /** When listeners are told of changes. Default: the next animation frame, or 16 ms later where there are none. */
  schedule?: Schedule;
  /** The time, in milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  limits?: Partial<CardLimits>;
}

/** What {@link CardStore.fromMessages} cannot find in messages. */
export interface FromMessagesOptions {
  /**
   * The open interrupts of the thread, for hosts that keep them beside the messages. With TanStack AI the messages of
   * suspended children carry them.
   */
  interrupts?: readonly Interrupt[];
}

/** The cards of one thread. Its methods can be passed on without it. */
export interface CardStore {
  /** Takes the next event of a run. Parents' and children's events alike: it takes from each what a card shows. */
  push(event: AGUIEvent): void;
  /**
   * Builds cards from the messages of a thread: after a reload, before events come. Takes those of TanStack AI and of
   * AG-UI. A child that is not over in them waits for a person, or has lost its connection. Cards that events have built
   * stay as they are.
   */
  fromMessages(messages: readonly unknown[], options?: FromMessagesOptions): void;
  /** Calls `listener` after changes, at most once a frame. Gives how to end that. */
  subscribe(listener: () => void): () => void;
  /** The cards as listeners were last told; without listeners, as they are. The same object until something changes. */
  snapshot(): CardsSnapshot;
  /**
   * Notes the answer to an interrupt. Gives the answers to all open interrupts of all cards, as soon as each has one: one
   * `resume` covers them all. Throws a `RangeError` for an interrupt that no card has.
   */
  answer(entry: ResumeEntry): ResumeEntry[] | undefined;
  /** Takes an answer back that was not sent yet. */
  withdraw(interruptId: string): void;
  /** The connection is gone: cards that run say so, until the next event. */
  disconnect(): void;
  /** Tells listeners now. */
  flush(): void;
  /** Drops all cards, for another thread, and gives the core's memory back. */
  clear(): void;
}

const LIMITS: CardLimits = { cards: 100, toolCalls: 50, text: 1 << 14 };

/**
 * Makes a store.
 *
 * @throws SchemaError when an agent's `outputSchema` does not compile.
 *
 * # Example: an AG-UI client
 * ```ts
 * const cards = createCardStore({ agents: [{ name: 'researcher', outputSchema: researchResult }] });
 * agent.subscribe({ onEvent: ({ event }) => cards.push(event as AGUIEvent) });
 * ```
 */
export function createCardStore(options: CardStoreOptions = {}): CardStore {
  return new Store(options);
}

const EMPTY: CardsSnapshot = { version: 0, cards: [], byId: new Map() };

class Store implements CardStore {
  readonly #thread: Thread;
  readonly #schedule: Schedule;
  readonly #listeners = new Set<() => void>();
  #snapshot = EMPTY;
  #changed = false;
  #cancel: (() => void) | undefined;
  #scheduled = false;

  constructor({ agents = [], schedule = nextFrame, now = () => Date.now(), limits }: CardStoreOptions) {
    this.#schedule = schedule;
    this.#thread = new Thread({
      agents: new KnownAgents(agents),
      limits: { ...LIMITS, ...limits },
      now,
      changed: () => this.#touch(),
    });
  }

  push = (event: AGUIEvent): void => this.#thread.push(event);

  fromMessages = (messages: readonly unknown[], { interrupts = [] }: FromMessagesOptions = {}): void =>
    this.#thread.fromMessages(messages, interrupts);

  subscribe = (listener: () => void): (() => void) => {
    // One object for each subscription, so that a function can listen twice.
    const own = () => listener();
    this.#listeners.add(own);
    if (this.#changed) this.#plan();
    return () => {
      this.#listeners.delete(own);
    };
  };

  snapshot = (): CardsSnapshot => {
    if (this.#listeners.size === 0) this.#publish();
    return this.#snapshot;
  };

  answer = (entry: ResumeEntry): ResumeEntry[] | undefined => {
    if (!this.#note(entry.interruptId, entry)) {
      throw new RangeError(`no card has an interrupt ${JSON.stringify(entry.interruptId)}`);
    }
    const asked = this.#thread.cards.flatMap((card) => card.interrupts);
    if (asked.some(({ answer }) => answer === undefined)) return undefined;
    // Each once, should two cards ask the same.
    return [...new Map(asked.flatMap(({ answer }) => (answer ? [[answer.interruptId, answer]] : []))).values()];
  };

  withdraw = (interruptId: string): void => {
    this.#note(interruptId, undefined);
  };

  disconnect = (): void => this.#thread.connect(false);

  flush = (): void => {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#scheduled = false;
    if (!this.#publish()) return;
    for (const listener of [...this.#listeners]) listener();
  };

  clear = (): void => this.#thread.clear();

  #note(interruptId: string, entry: ResumeEntry | undefined): boolean {
    const asked = this.#thread.cards.filter((card) => card.answer(interruptId, entry));
    if (asked.length > 0) this.#touch();
    return asked.length > 0;
  }

  #touch(): void {
    this.#changed = true;
    this.#plan();
  }

  #plan(): void {
    if (this.#scheduled || this.#listeners.size === 0) return;
    this.#scheduled = true;
    this.#cancel = this.#schedule(this.flush);
  }

  #publish(): boolean {
    if (!this.#changed) return false;
    this.#changed = false;
    const { cards: before, version } = this.#snapshot;
    const cards = sharedList(
      before,
      this.#thread.cards.map((card) => card.view),
    );
    if (cards === before) return false;
    this.#snapshot = { version: version + 1, cards, byId: new Map(cards.map((card) => [card.id, card])) };
    return true;
  }
}
