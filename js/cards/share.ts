// Structural sharing: what did not change stays the same object, so that only what did has to be shown anew.
import type { ReadonlyJson } from '../core.js';
import { setOwn } from '../wire.js';

/**
 * A live value of a stream as an immutable one: what is closed is taken as it is, for it is frozen, and only the objects and
 * arrays that are still open are copied.
 */
export function settled(live: ReadonlyJson | undefined): ReadonlyJson | undefined {
  if (typeof live !== 'object' || live === null || Object.isFrozen(live)) return live;
  if (Array.isArray(live)) {
    const copy: ReadonlyJson[] = live.slice();
    // Items come in order: only the last one can be open.
    if (copy.length > 0) copy[copy.length - 1] = settled(copy[copy.length - 1]) as ReadonlyJson;
    return copy;
  }
  const copy: Record<string, ReadonlyJson> = { ...(live as Record<string, ReadonlyJson>) };
  for (const [name, value] of Object.entries(copy)) {
    const own = settled(value) as ReadonlyJson;
    if (own !== value) setOwn(copy, name, own);
  }
  return copy;
}

/** `next`, with everything in it that equals `before` taken from there: all of it, when they are equal. */
export function shared<T>(before: unknown, next: T, depth = 512): T {
  if (before === next) return next;
  if (typeof before !== 'object' || typeof next !== 'object' || before === null || next === null) return next;
  // Deeper than any contract allows.
  if (depth === 0 || Array.isArray(before) !== Array.isArray(next)) return next;
  const old = before as Record<string, unknown>;
  const now = next as Record<string, unknown>;
  const names = Object.keys(now);
  let same = names.length === Object.keys(old).length;
  let copy: Record<string, unknown> | undefined;
  for (const name of names) {
    if (!Object.hasOwn(old, name)) {
      same = false;
      continue;
    }
    const value = shared(old[name], now[name], depth - 1);
    if (value !== old[name]) same = false;
    if (value !== now[name]) {
      copy ??= (Array.isArray(next) ? next.slice() : { ...now }) as Record<string, unknown>;
      setOwn(copy, name, value);
    }
  }
  return same ? (before as T) : ((copy as T | undefined) ?? next);
}

/** The list before, if the new one has the same items. */
export function sharedList<T>(before: readonly T[], next: readonly T[]): readonly T[] {
  return before.length === next.length && before.every((item, at) => item === next[at]) ? before : next;
}
