// Who reads the events of a delegation: one reader, or nobody, and then the run is drained.
import type { AGUIEvent } from './ag-ui/events.js';
import { SubcontractError } from './errors.js';

/** What is read. */
export interface Readable {
  /** What it is called in an error. */
  what: string;
  events(): AsyncGenerator<AGUIEvent, undefined>;
  /** An event as a reader gets it. */
  shown(event: AGUIEvent): AGUIEvent;
  /** Called when its reader leaves. */
  abort(reason: unknown): void;
  /** Called after each event that the reader has been given. */
  given?(): void;
}

/** The one reading of a run. It begins with the first event that is asked for, or with {@link ask}. */
export class Reading {
  readonly #of: Readable;
  #how: 'not yet' | 'iterated' | 'drained' = 'not yet';
  #awaited = 0;

  constructor(of: Readable) {
    this.#of = of;
  }

  /** Nobody waits for an event now: what the run was to do next, it does not do. */
  get idle(): boolean {
    return this.#awaited === 0;
  }

  /** Somebody wants to know what it comes to: it runs when nobody reads its events. */
  ask(): void {
    // Not at once: `const { envelope } = delegation` may be followed by a loop over the events.
    if (this.#how === 'not yet') queueMicrotask(() => this.#drain());
  }

  iterate(): AsyncIterator<AGUIEvent, undefined> {
    const { what } = this.#of;
    if (this.#how !== 'not yet') {
      const why =
        this.#how === 'iterated' ? 'it was iterated before' : 'its envelope was asked for first, which drains it';
      throw new SubcontractError(`${what} can be iterated once: ${why}`, { code: 'already_iterated' });
    }
    this.#how = 'iterated';
    const events = this.#of.events();
    return {
      next: async () => {
        const next = await this.#next(events);
        return next.done ? next : { done: false, value: this.#of.shown(next.value) };
      },
      return: async () => {
        this.#of.abort('the events are no longer read');
        // A generator that never started has nothing that would settle the envelope; once stopped, it only does that.
        // One that is under way ends at once, because the abort wakes it.
        while (!(await this.#next(events)).done);
        return { done: true, value: undefined };
      },
    };
  }

  async #drain(): Promise<void> {
    if (this.#how !== 'not yet') return;
    this.#how = 'drained';
    const events = this.#of.events();
    while (!(await this.#next(events)).done);
  }

  async #next(events: AsyncGenerator<AGUIEvent, undefined>): Promise<IteratorResult<AGUIEvent, undefined>> {
    this.#awaited += 1;
    try {
      return await events.next();
    } finally {
      this.#awaited -= 1;
      this.#of.given?.();
    }
  }
}
