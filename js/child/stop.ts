// What ends a child from outside: a caller's abort, a timeout, a limit, an accepted return, the last refused one.
import { followSignal } from '../followers.js';
import { startTimer } from '../timer.js';

/** Why a child is stopped. */
export type StopReason =
  | { by: 'return' }
  | { by: 'abort'; cause: unknown }
  | { by: 'timeout'; timeoutMs: number }
  /** A limit of the tree that the child is part of. */
  | { by: 'limit'; code: string; message: string };

/** What ends one run and leaves the child its next one. */
export interface RunStop {
  /** The run's `ctx.abortSignal`. */
  readonly signal: AbortSignal;
  cut(): void;
}

/** What {@link Stop.wait} resolves to when the child was stopped first. */
export const STOPPED: unique symbol = Symbol('stopped');

/**
 * One child's stop button. Waiting on the child goes through `wait`, so that a child which ignores its abort signal, or
 * never yields, cannot hold up the delegation.
 */
export class Stop {
  readonly #controller = new AbortController();
  #reason: StopReason | undefined;
  #wake: (() => void) | undefined;
  #wakeLate: (() => void) | undefined;
  #release: (() => void)[] = [];

  /** Stopped for another reason than its return, be it after it: whoever reads the child may not read on. */
  called = false;

  /** @param whenCalled hears of each stop but a return's */
  constructor(private readonly whenCalled: () => void = () => {}) {}

  /** Aborted when the child is stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The button of one run alone: its signal is aborted by `cut`, and with all others when the child is stopped. */
  ofRun(): RunStop {
    const controller = new AbortController();
    const follow = () => controller.abort(this.signal.reason);
    if (this.signal.aborted) follow();
    else this.signal.addEventListener('abort', follow, { once: true });
    return { signal: controller.signal, cut: () => controller.abort() };
  }

  /** Why the child was stopped, if it was. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Stops the child. Only the first reason counts. */
  stop(reason: StopReason): void {
    if (this.#reason) {
      // A child that has returned may have something saved, which somebody no longer waits for.
      if (reason.by !== 'return') this.#wakeLate?.();
    } else {
      this.#reason = reason;
      this.#wake?.();
      this.#controller.abort(reason.by === 'abort' ? reason.cause : undefined);
    }
    if (reason.by === 'return') return;
    this.called = true;
    this.whenCalled();
  }

  /** Stops when `signal` aborts. */
  follow(signal: AbortSignal): void {
    this.#release.push(followSignal(signal, () => this.stop({ by: 'abort', cause: signal.reason })));
  }

  /** Stops after `timeoutMs` milliseconds. */
  after(timeoutMs: number): void {
    const stopTimer = startTimer(() => this.stop({ by: 'timeout', timeoutMs }), timeoutMs);
    if (stopTimer) this.#release.push(stopTimer);
  }

  /** Waits for `promise`, or until the child is stopped. One wait at a time. */
  wait<T>(promise: PromiseLike<T>): Promise<T | typeof STOPPED> {
    if (this.#reason) {
      promise.then(undefined, () => {});
      return Promise.resolve(STOPPED);
    }
    // Not `Promise.race`: on a long-lived promise that would leave one reaction behind for every event.
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(STOPPED);
      promise.then(resolve, reject);
    });
  }

  /** Waits for what is done after the child's end, until the delegation is stopped: its return has stopped the child alone. */
  waitAfterEnd<T>(promise: PromiseLike<T>): Promise<T | typeof STOPPED> {
    if (this.#reason?.by !== 'return') return this.wait(promise);
    return new Promise((resolve, reject) => {
      this.#wakeLate = () => resolve(STOPPED);
      promise.then(resolve, reject);
    });
  }

  /** What the child holds, to be let go of with the rest: whoever reads it may never come back to let it end. */
  atRelease(letGo: () => void): void {
    this.#release.push(letGo);
  }

  /** Lets go of timers, listeners, and what the child holds. */
  release(): void {
    this.#wake = undefined;
    this.#wakeLate = undefined;
    for (const release of this.#release.splice(0)) release();
  }
}
