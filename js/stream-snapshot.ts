// The value so far of a stream: a live object that the core's edits grow, and what changed in it since when.
import type { ReadonlyJson } from './core.js';
import { escapeToken } from './json-text.js';
import { setOwn } from './wire.js';

/** Changes remembered one by one; what is older is reported as a change of everything. */
const REMEMBERED = 1024;
/** Text this short is cheaper to decode by hand. */
const SHORT = 24;
/** So many names are known again, so that an engine need not look for the one string that it has for each. */
const NAMES = 256;
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** An object or array of the value so far. */
interface Container {
  readonly value: ReadonlyJson[] | Record<string, ReadonlyJson>;
  readonly array: boolean;
  /** Where it stands: nothing for the root. */
  readonly parent: Container | undefined;
  readonly key: string | number;
  /** The version that first showed it. */
  readonly since: number;
  /** Items or members so far. Not asked of the value, which is in the user's hands. */
  count: number;
}

/** A member or item that came or grew; of the root, without a container. */
interface Change {
  version: number;
  readonly container: Container | undefined;
  readonly key: string | number;
}

/**
 * Grows a value by edits. Objects and arrays are frozen when they close. One that is open is the user's to read: what is
 * written into it is not looked at, neither here nor for the verdict.
 */
export class LiveValue {
  value: ReadonlyJson | undefined;
  version = 0;
  #open: Container | undefined;
  readonly #names = new Map<string, string>();
  #name = '';
  /** The string that came last, which may grow, and where it stands. */
  #text = '';
  #textIn: Container | undefined;
  #textKey: string | number = '';
  #grown = false;
  #changes: Change[] = [];
  /** The latest version of the changes that are no longer remembered. */
  #forgotten = 0;
  #next = 1;

  /** Adds to the string that came last. */
  grow(more: string): void {
    this.#next = this.version + 1;
    this.#grow(more);
    if (this.#changes.length > 2 * REMEMBERED) this.#forget();
  }

  /**
   * Applies `count` words of edits from word `from` of the core's memory on. `piece`: the string that was pushed last, without
   * the `shown` characters before it that have come by {@link grow}.
   */
  apply(words: Uint32Array, bytes: Uint8Array, from: number, count: number, piece: string, shown: number): void {
    const end = from + count;
    let at = from;
    this.#next = this.version + 1;
    while (at < end) {
      const word = words[at++] as number;
      const kind = word & 15;
      switch (kind) {
        case 0:
          this.#begin({}, false);
          continue;
        case 1:
          this.#begin([], true);
          continue;
        case 2:
          this.#close();
          continue;
        case 7:
        case 8:
          this.#put(kind === 7);
          continue;
        case 9:
          this.#put(null);
          continue;
        case 10:
          this.#put((words[at++] as number) | 0);
          continue;
      }
      const length = word >>> 5;
      let text: string;
      if (word & 16) {
        text = decode(bytes, at * 4, length);
        at += (length + 3) >>> 2;
      } else {
        const start = (words[at++] as number) - shown;
        const end = start + length;
        if (kind === 5 && end <= 0) continue;
        text = piece.slice(Math.max(start, 0), end);
      }
      if (kind === 3) this.#name = this.#known(text);
      else if (kind === 4) this.#beginText(text);
      else if (kind === 5) this.#grow(text);
      else this.#put(Number(text));
    }
    if (this.#changes.length > 2 * REMEMBERED) this.#forget();
  }

  /** RFC 6901 pointers to what came or grew after a version. */
  changedSince(version: number): string[] {
    if (version >= this.version) return [];
    if (version < this.#forgotten) return [''];
    const pointers = new Set<string>();
    for (let index = this.#changes.length - 1; index >= 0; index--) {
      const change = this.#changes[index] as Change;
      if (change.version <= version) break;
      let { container, key } = change;
      // What is new is named once, and not all that is in it.
      for (let outer = container; outer !== undefined; outer = outer.parent) {
        if (outer.since > version) ({ parent: container, key } = outer);
      }
      pointers.add(container === undefined ? '' : `${pointerOf(container)}/${escapeToken(String(key))}`);
    }
    return [...pointers].reverse();
  }

  #known(name: string): string {
    const known = this.#names.get(name);
    if (known === undefined && this.#names.size < NAMES) this.#names.set(name, name);
    return known ?? name;
  }

  #begin(value: Container['value'], array: boolean): void {
    const parent = this.#open;
    const key = this.#put(value);
    this.#open = { value, array, parent, key, since: this.#next, count: 0 };
  }

  #close(): void {
    const closed = this.#open as Container;
    Object.freeze(closed.value);
    this.#open = closed.parent;
  }

  #put(value: ReadonlyJson): string | number {
    if (this.#grown) this.#settle();
    const container = this.#open;
    let key: string | number = '';
    if (container === undefined) this.value = value;
    else if (container.array) {
      key = container.count++;
      (container.value as ReadonlyJson[])[key] = value;
    } else {
      container.count++;
      key = this.#name;
      const object = container.value as Record<string, ReadonlyJson>;
      // `__proto__` and what else is inherited are data here.
      if (key in object) setOwn(object, key, value);
      else object[key] = value;
    }
    this.#note(container, key);
    return key;
  }

  #beginText(text: string): void {
    this.#textIn = this.#open;
    this.#text = text;
    this.#textKey = this.#put(text);
  }

  /** A string that was put together from pieces becomes one, so that an engine can let go of those. */
  #settle(): void {
    this.#text.charCodeAt(0);
    this.#grown = false;
  }

  #grow(more: string): void {
    this.#text += more;
    this.#grown = true;
    const container = this.#textIn;
    if (container === undefined) this.value = this.#text;
    else (container.value as Record<string | number, ReadonlyJson>)[this.#textKey] = this.#text;
    this.#note(container, this.#textKey);
  }

  #note(container: Container | undefined, key: string | number): void {
    const last = this.#changes[this.#changes.length - 1];
    this.version = this.#next;
    if (last !== undefined && last.container === container && last.key === key) last.version = this.#next;
    else this.#changes.push({ version: this.#next, container, key });
  }

  #forget(): void {
    const old = this.#changes.splice(0, this.#changes.length - REMEMBERED);
    this.#forgotten = old.at(-1)?.version ?? this.#forgotten;
  }
}

function pointerOf(container: Container): string {
  const { parent, key } = container;
  return parent === undefined ? '' : `${pointerOf(parent)}/${escapeToken(String(key))}`;
}

function decode(bytes: Uint8Array, start: number, length: number): string {
  const end = start + length;
  if (length > SHORT) return decoder.decode(bytes.subarray(start, end));
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) return decoder.decode(bytes.subarray(start, end));
    text += String.fromCharCode(byte);
  }
  return text;
}
