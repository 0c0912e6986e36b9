// The calls of the return tool in one run: which were judged, which was accepted.

/** The calls of the return tool in one run. */
export class ReturnCalls {
  /** The call whose return was accepted. */
  accepted: string | undefined;
  readonly #open = new Set<string>();
  readonly #judged = new Set<string>();
  #anonymous = false;

  opened(toolCallId: string): void {
    this.#open.add(toolCallId);
    // An id used again is another call.
    this.#judged.delete(toolCallId);
  }

  judged(toolCallId: string | undefined): void {
    if (toolCallId === undefined) this.#anonymous = true;
    else this.#judged.add(toolCallId);
  }

  isOpen(toolCallId: string): boolean {
    return this.#open.has(toolCallId);
  }

  /** The calls that got neither a result nor a judgement; none, of a host that executes without ids. */
  unheard(): string[] {
    return this.#anonymous ? [] : [...this.#open].filter((toolCallId) => !this.#judged.has(toolCallId));
  }

  /** A call got its result. Says whether it did so unjudged; a host that executes without ids leaves no way to tell. */
  answered(toolCallId: string): boolean {
    return this.#open.delete(toolCallId) && !this.#anonymous && !this.#judged.has(toolCallId);
  }
}
