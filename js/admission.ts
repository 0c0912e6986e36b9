// A delegation's way into the trees that it is part of, and out of them again.
import { type Failure, failure } from './child/failure.js';
import { STOPPED, type Stop } from './child/stop.js';
import type { Entry, Position } from './position.js';

/** The way of one delegation. */
export class Admission {
  /** Its place, once it has asked for one. */
  entry: Entry | undefined;
  #unwatch: (() => void) | undefined;

  /** Waits for the child's turn; why it may not start, if it may not. */
  async enter(position: Position | undefined, stop: Stop, as: 'start' | 'resume'): Promise<Failure | undefined> {
    if (!position || stop.reason) return undefined;
    this.entry = position.enter(as);
    const refusal = await stop.wait(this.entry.arrived);
    if (refusal === STOPPED) return undefined;
    if (refusal) return failure(refusal.code, refusal.message);
    this.#unwatch = position.watch((over) => stop.stop({ by: 'limit', ...over }));
    return undefined;
  }

  /** Gives its place up. `started`: whether it counts as one that ran. */
  leave(started: boolean): void {
    this.#unwatch?.();
    this.entry?.leave(started);
  }
}
