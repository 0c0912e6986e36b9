// Lets events that arise inside a tool's execution join the stream that chat() yields, live and in order.

/** A hand-over point: `put` resolves when the reader has taken the item, so a slow reader slows the writer. */
export class Mailbox<T> {
  #letters: { item: T; taken: () => void }[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  /** Hands over one item; after `close` it is dropped. */
  async put(item: T): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((taken) => {
      this.#letters.push({ item, taken });
      this.#wake?.();
    });
  }

  /** The next item, if one waits. */
  take(): { item: T } | undefined {
    const letter = this.#letters.shift();
    letter?.taken();
    return letter;
  }

  /** Resolves when an item waits, or at {@link wake}. */
  async arrival(): Promise<void> {
    if (this.#letters.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Lets go of whoever waits for an arrival. */
  wake(): void {
    this.#wake?.();
  }

  /** Releases every writer; nothing is delivered any more. */
  close(): void {
    this.#closed = true;
    for (const letter of this.#letters.splice(0)) letter.taken();
  }
}

/**
 * Yields `main`, and whatever `side` receives while the next item of `main` is awaited, in order of arrival. Ends when `main`
 * does, or is given up: `side` is then to be woken.
 */
export async function* interleave<T>(
  main: AsyncIterator<T>,
  side: Mailbox<T>,
  givenUp: () => boolean,
): AsyncGenerator<T, void, undefined> {
  for (;;) {
    const next = main.next();
    let settled = false;
    const wake = () => {
      settled = true;
      side.wake();
    };
    // Not `Promise.race`: on an item that is long awaited it would leave one reaction behind for every letter.
    next.then(wake, wake);
    while (!settled) {
      await side.arrival();
      for (let letter = side.take(); letter !== undefined; letter = side.take()) yield letter.item;
      if (givenUp()) return;
    }
    const { done, value } = await next;
    if (done === true) return;
    yield value;
  }
}
