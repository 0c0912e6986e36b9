// The tool calls under way in a run, of the parent and of its children: who makes each, and what its arguments say so far.
import type { CardState } from './card-state.js';
import { KeptText } from './kept-text.js';

/** A tool call, of the parent or of a child. */
export interface OpenCall {
  name: string;
  args: KeptText;
  /** The child that makes it. */
  owner: CardState | undefined;
  /** Whether it is one of the child's return tool. */
  returns: boolean;
}

/** Calls that are remembered at a time. */
const CALLS = 256;
const BRIEF = 1 << 16;

/** The calls, by id. */
export class OpenCalls {
  readonly #calls = new Map<string | undefined, OpenCall>();
  /** What chunk events of the parent's without an id belong to. */
  #last: string | undefined;

  get(id: string | undefined): OpenCall | undefined {
    return this.#calls.get(id);
  }

  open(id: string, name: string, owner: CardState | undefined): void {
    this.goOn(id, owner);
    const returns = owner?.returnTool !== undefined && name === owner.returnTool;
    this.#calls.set(id, { name, args: new KeptText(BRIEF, 'start'), owner, returns });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CALLS) this.close(oldest);
  }

  close(id: string | undefined): void {
    this.#calls.delete(id);
  }

  /** What follows without an id belongs to that call. Of parallel children each goes on with its own. */
  goOn(id: string, owner: CardState | undefined): void {
    if (owner === undefined) this.#last = id;
    else owner.chunked.call = id;
  }

  /** The call that a chunk without an id belongs to. */
  under(owner: CardState | undefined): string | undefined {
    return owner === undefined ? this.#last : owner.chunked.call;
  }

  /** A card is gone, and its calls with it. */
  forget(card: CardState): void {
    for (const [id, { owner }] of this.#calls) if (owner === card) this.close(id);
  }

  clear(): void {
    this.#calls.clear();
    this.#last = undefined;
  }
}
