// JSON Patch (RFC 6902) for the linter: says whether a patch applies, without changing what it is applied to.

import { isRecord } from '../../wire.js';
import type { JsonPatchOperation } from '../events.js';

/** What came of a patch: the new value, why there is none, or that there is no more budget to follow the value. */
export type Patched = { value: unknown } | { problem: string } | { spent: true };

/** Applies patches to values until its budget is spent. */
export interface PatchBudget {
  /** Whether nothing is left of it. */
  readonly spent: boolean;
  apply(value: unknown, patch: readonly JsonPatchOperation[]): Patched;
}

/** How many members may be copied and compared in all: a patch copies the objects and lists on its way. */
const STEPS = 5_000_000;

/** A budget for one thread. */
export function patchBudget(): PatchBudget {
  let left = STEPS;
  const spend = (steps: number) => {
    left -= steps + 1;
    if (left < 0) throw new Spent();
  };
  // A rule and whoever follows the value ask for the same patch.
  let last: { value: unknown; patch: readonly JsonPatchOperation[]; patched: Patched } | undefined;
  return {
    get spent() {
      return left < 0;
    },
    apply(value, patch) {
      if (last?.patch !== patch || last.value !== value) last = { value, patch, patched: applyAll(value, patch) };
      return last.patched;
    },
  };

  function applyAll(value: unknown, patch: readonly JsonPatchOperation[]): Patched {
    if (left < 0) return { spent: true };
    let current = value;
    try {
      for (const operation of patch) current = applyOne(current, operation, spend);
    } catch (thrown) {
      if (thrown instanceof Spent) return { spent: true };
      if (thrown instanceof Inapplicable) return { problem: thrown.message };
      throw thrown;
    }
    return { value: current };
  }
}

class Spent extends Error {}
class Inapplicable extends Error {}

type Spend = (steps: number) => void;

function applyOne(root: unknown, operation: JsonPatchOperation, spend: Spend): unknown {
  const path = tokens(operation.path);
  switch (operation.op) {
    case 'add':
      return edit(root, path, spend, insert(operation.value), operation.value);
    case 'replace':
      get(root, path);
      return edit(root, path, spend, replace(operation.value), operation.value);
    case 'remove':
      get(root, path);
      return edit(root, path, spend, remove, null);
    case 'test':
      if (!equal(get(root, path), operation.value, spend)) throw new Inapplicable(`the test at ${shown(path)} fails`);
      return root;
    default: {
      const from = tokens(operation.from);
      const value = get(root, from);
      if (operation.op === 'copy') return edit(root, path, spend, insert(value), value);
      if (path.length > from.length && from.every((token, at) => token === path[at])) {
        throw new Inapplicable(`${shown(from)} cannot move into itself`);
      }
      return edit(edit(root, from, spend, remove, null), path, spend, insert(value), value);
    }
  }
}

type Change = (parent: Parent, token: string) => void;
type Parent = { list: unknown[] } | { object: Map<string, unknown> };

function insert(value: unknown): Change {
  return (parent, token) => {
    if ('list' in parent) parent.list.splice(indexOf(token, parent.list.length, true), 0, value);
    else parent.object.set(token, value);
  };
}

function replace(value: unknown): Change {
  return (parent, token) => {
    if ('list' in parent) parent.list[indexOf(token, parent.list.length)] = value;
    else parent.object.set(token, value);
  };
}

const remove: Change = (parent, token) => {
  if ('list' in parent) parent.list.splice(indexOf(token, parent.list.length), 1);
  else parent.object.delete(token);
};

/** The root with one change, copies along the way and the rest shared. */
function edit(root: unknown, path: readonly string[], spend: Spend, change: Change, whole: unknown): unknown {
  if (path.length === 0) return whole;
  const parents: unknown[] = [root];
  for (let at = 0; at < path.length - 1; at++) parents.push(member(parents[at], path[at] as string, path));
  let changed: unknown;
  for (let at = path.length - 1; at >= 0; at--) {
    const parent = parents[at];
    const token = path[at] as string;
    const last = at === path.length - 1;
    if (Array.isArray(parent)) {
      spend(parent.length);
      const list = [...parent];
      if (last) change({ list }, token);
      else list[indexOf(token, list.length)] = changed;
      changed = list;
    } else if (isRecord(parent)) {
      const entries = Object.entries(parent);
      spend(entries.length);
      const object = new Map<string, unknown>(entries);
      if (last) change({ object }, token);
      else object.set(token, changed);
      changed = Object.fromEntries(object);
    } else {
      throw new Inapplicable(`there is nothing at ${shown(path.slice(0, at))} that could have a member`);
    }
  }
  return changed;
}

function get(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const token of path) value = member(value, token, path);
  return value;
}

function member(value: unknown, token: string, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value[indexOf(token, value.length)];
  if (isRecord(value) && Object.hasOwn(value, token)) {
    return value[token];
  }
  throw new Inapplicable(`there is nothing at ${shown(path)}`);
}

function indexOf(token: string, length: number, adding = false): number {
  if (adding && token === '-') return length;
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > length || (index === length && !adding)) {
    throw new Inapplicable(`a list of ${length} has no place ${JSON.stringify(token.slice(0, 40))}`);
  }
  return index;
}

function tokens(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map(unescaped);
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(path: readonly string[]): string {
  const pointer = path.map((token) => `/${token}`).join('');
  if (pointer === '') return 'the root';
  return pointer.length > 80 ? `${pointer.slice(0, 80)}…` : pointer;
}

function equal(left: unknown, right: unknown, spend: Spend): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    spend(0);
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      pairs.push([(a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]]);
    }
  }
  return true;
}
