// The entries of a transcript that goes on where it was: which calls are the same, and under which ids the others go.
import type { Transcript } from './transcript.js';

/** The ids of the calls of one transcript. */
class Ids {
  /** How often each was asked for. */
  readonly #taken = new Map<string, number>();

  /** `id`, or with a number what no call before has; it is taken then. */
  free(id: string): string {
    let count = this.#taken.get(id) ?? 0;
    let free: string;
    do {
      count += 1;
      free = count === 1 ? id : `${id}#${count}`;
    } while (free !== id && this.#taken.has(free));
    this.#taken.set(id, count);
    if (free !== id) this.#taken.set(free, 1);
    return free;
  }
}

/** What came later after what was there; a call that was waiting for its result gets it. */
export function joinedEntries(before: Transcript['entries'], later: Transcript['entries']): Transcript['entries'] {
  const entries = [...before];
  const ids = new Ids();
  /** Where the latest call is to which the child's model gave an id. */
  const latest = new Map<string, number>();
  for (const [at, entry] of before.entries()) {
    if (entry.type !== 'call') continue;
    const given = entry.id.replace(/#\d+$/, '');
    latest.set(latest.has(given) ? given : entry.id, at);
    ids.free(entry.id);
  }
  const came = new Set<string>();
  for (const entry of later) {
    if (entry.type !== 'call') {
      entries.push(entry);
      continue;
    }
    const at = latest.get(entry.id) ?? entries.length;
    const waiting = entries[at];
    // A call that has its result and is made again is another one.
    const again = came.has(entry.id) || (waiting?.type === 'call' && waiting.result !== undefined && entry.name !== '');
    came.add(entry.id);
    if (waiting?.type !== 'call' || again) {
      latest.set(entry.id, entries.length);
      entries.push({ ...entry, id: ids.free(entry.id) });
      continue;
    }
    const result = entry.result ?? waiting.result;
    entries[at] = {
      ...waiting,
      name: entry.name || waiting.name,
      args: entry.args || waiting.args,
      ...(result !== undefined && { result }),
    };
  }
  return entries;
}
