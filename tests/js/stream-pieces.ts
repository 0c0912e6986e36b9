// Texts in pieces, and what a stream shows of them.
import type { ContractStream, ReadonlyJson } from 'subcontract';

export type Piece = string | Uint8Array;

export function pushAll(stream: ContractStream, pieces: readonly Piece[]): ContractStream {
  for (const piece of pieces) stream.push(piece);
  return stream;
}

/** Cuts what has `length` units at the sorted places. */
export function cut<T extends Piece | string[]>(whole: T, places: readonly number[]): T[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [...ends, whole.length].map((end, index, all) => whole.slice(all[index - 1] ?? 0, end) as T);
}

/** Whether a later value shows all that an earlier one showed. */
export function isKept(before: ReadonlyJson | undefined, after: ReadonlyJson | undefined): boolean {
  if (before === undefined) return true;
  if (typeof before === 'string') return typeof after === 'string' && after.startsWith(before);
  if (typeof before !== 'object' || before === null) return Object.is(before, after);
  if (typeof after !== 'object' || after === null || Array.isArray(before) !== Array.isArray(after)) return false;
  const [names, now] = [Object.keys(before), Object.keys(after)];
  const member = (of: object, name: string) => (of as Record<string, ReadonlyJson>)[name];
  return names.every((name) => now.includes(name) && isKept(member(before, name), member(after, name)));
}

export const copy = (value: ReadonlyJson | undefined) => structuredClone(value) as ReadonlyJson | undefined;
