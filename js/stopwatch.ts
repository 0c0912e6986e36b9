// When a delegation started, and how long it has taken.
import { readClock } from './sources.js';

/** Measures by the clock that was given, else by one that nobody sets: the runtime's own may jump. */
export class Stopwatch {
  readonly #now: (() => number) | undefined;
  #startedAt = 0;
  #mark: number | undefined;

  constructor(now: (() => number) | undefined) {
    this.#now = now;
  }

  /** Milliseconds since the epoch. Throws for a clock that gives none. */
  now(): number {
    return readClock(this.#now);
  }

  /** The time, or nothing of a given clock that fails: nothing may keep an envelope from being written. */
  timestamp(): number | undefined {
    try {
      return this.now();
    } catch {
      return undefined;
    }
  }

  /** Starts it; the time. */
  start(): number {
    this.#mark = performance.now();
    this.#startedAt = this.now();
    return this.#startedAt;
  }

  /** Milliseconds since the start; 0 before it. */
  duration(): number | undefined {
    if (this.#now === undefined) return this.#mark === undefined ? 0 : Math.round(performance.now() - this.#mark);
    const now = this.timestamp();
    return now === undefined ? undefined : Math.max(0, now - this.#startedAt);
  }
}
