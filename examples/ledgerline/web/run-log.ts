// The events of one run as frames of server-sent events, kept so that a page that reloads, drops out or comes late reads all of them.
import type { Frame } from '../sse-frames.js';

/** Frames in order, readable from any offset while more arrive. */
export class RunLog {
  readonly #frames: Frame[] = [];
  #ended = false;
  #waiting: (() => void)[] = [];

  append(frame: Frame): void {
    this.#frames.push(frame);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** What happened between the run's beginning and its end, so far. */
  get inner(): string[] {
    return this.#frames.filter(({ event }) => !event.type.startsWith('RUN_')).map(({ text }) => text);
  }

  /** The frames after the first `offset`, then what follows, until the run ends or `signal` aborts. */
  async *from(offset: number, signal: AbortSignal): AsyncGenerator<string> {
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (let next = offset; !signal.aborted; ) {
        const frame = this.#frames[next];
        if (frame !== undefined) {
          next += 1;
          yield frame.text;
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
