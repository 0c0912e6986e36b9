// Whose the ids of a stream are: some providers count anew in each conversation, so that a child's `call_0` is also its parent's.
import type { AGUIEvent } from './events.js';

type Owner = string | undefined;

/** The id spaces of a stream: its messages' and its tool calls'. */
export type IdSpace = 'message' | 'call';

const FIELDS = [
  ['messageId', 'message'],
  ['parentMessageId', 'message'],
  ['toolCallId', 'call'],
] as const;

/** The ids of one stream. One is whose it was first; another's is told apart as `owner:id`. */
export class IdClaims {
  readonly #owners = new Map<string, Owner>();

  /** Whether nobody else has the id. */
  isFreeFor(space: IdSpace, id: string, owner: Owner): boolean {
    const key = `${space} ${id}`;
    return !this.#owners.has(key) || this.#owners.get(key) === owner;
  }

  /** Gives the id to `owner`, whoever had it. */
  take(space: IdSpace, id: string, owner: Owner): void {
    this.#owners.set(`${space} ${id}`, owner);
  }

  /** The name under which `owner`'s id goes out; it is the owner's when it is nobody's. */
  nameOf(space: IdSpace, id: string, owner: Owner): string {
    if (!this.isFreeFor(space, id, owner)) return `${owner}:${id}`;
    this.take(space, id, owner);
    return id;
  }

  /** `owner`'s event under the names of its ids. */
  renamed(event: AGUIEvent, owner: Owner): AGUIEvent {
    const names: Record<string, string> = {};
    for (const [field, space] of FIELDS) {
      const id = (event as unknown as Record<string, unknown>)[field];
      if (typeof id !== 'string') continue;
      const name = this.nameOf(space, id, owner);
      if (name !== id) names[field] = name;
    }
    return Object.keys(names).length === 0 ? event : ({ ...event, ...names } as AGUIEvent);
  }
}
