// JSON text from JavaScript values and strings, without rewriting anything on the way.
import { SubcontractError } from './errors.js';
import { isRecord } from './wire.js';

/** Why a value has no JSON text: where, and what stands there. */
export interface NotJson {
  /** RFC 6901 pointer to the part that JSON cannot carry. */
  instancePath: string;
  /** What is wrong: lower case, no final period. */
  message: string;
  /** That it is a number, but none of JSON's: unlike all else here, it depends on the value and not on its type. */
  notFinite?: boolean;
}

/** Where and why, for the end of a sentence: `… is no JSON at /price: NaN is no JSON number`. */
export function noJson({ instancePath, message }: NotJson): string {
  return `no JSON at ${instancePath || 'its root'}: ${message}`;
}

/** A value's JSON text, or why it has none. */
export type JsonText = { ok: true; text: string } | ({ ok: false } & NotJson);

/** What a text is as JSON; undefined for one that is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DEPTH_LIMIT = 512;

/**
 * The JSON text of a value. `JSON.stringify` would turn `NaN` into `null`, a `Map` into `{}` and a `Date` into a string;
 * this refuses them. A member that is `undefined` counts as absent. Each part is read once: what is written is what was
 * judged.
 */
export function toJsonText(value: unknown, depth = DEPTH_LIMIT): JsonText {
  try {
    return { ok: true, text: written(value, '', new Set(), depth) };
  } catch (error) {
    if (error instanceof Unrepresentable) {
      const { instancePath, message, notFinite } = error;
      return { ok: false, instancePath, message, ...(notFinite && { notFinite }) };
    }
    // A proxy of the value threw, or something deeper than the stack.
    return { ok: false, instancePath: '', message: 'the value cannot be read' };
  }
}

class Unrepresentable extends Error {
  constructor(
    readonly instancePath: string,
    message: string,
    readonly notFinite = false,
  ) {
    super(message);
  }
}

function written(value: unknown, path: string, ancestors: Set<object>, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'number':
      // -0 has no other value in JSON than 0.
      if (Number.isFinite(value)) return String(value === 0 ? 0 : value);
      throw new Unrepresentable(path, `${value} is no JSON number`, true);
    case 'object':
      break;
    default:
      throw new Unrepresentable(path, `${typeof value} has no JSON form`);
  }
  if (value === null) return 'null';
  if (ancestors.has(value)) throw new Unrepresentable(path, 'the value contains itself');
  if (ancestors.size >= depth) {
    throw new Unrepresentable(path, `the value is deeper than ${depth} levels`);
  }
  ancestors.add(value);
  const text = Array.isArray(value)
    ? writtenArray(value, path, ancestors, depth)
    : writtenObject(value, path, ancestors, depth);
  ancestors.delete(value);
  return text;
}

function writtenArray(array: unknown[], path: string, ancestors: Set<object>, depth: number): string {
  refuseRewriting(array, path);
  const names = Object.keys(array);
  const items: string[] = [];
  for (let index = 0; index < array.length; index++) {
    const at = `${path}/${index}`;
    // A hole is not undefined, and nobody could tell after a round trip.
    if (!Object.hasOwn(array, index)) throw new Unrepresentable(at, 'a hole in an array has no JSON form');
    items.push(written(read(array, index, at), at, ancestors, depth));
  }
  const beside = names[array.length];
  if (beside !== undefined) {
    throw new Unrepresentable(`${path}/${escapeToken(beside)}`, 'a named member of an array has no JSON form');
  }
  return `[${items.join(',')}]`;
}

function writtenObject(object: object, path: string, ancestors: Set<object>, depth: number): string {
  const tag = Object.prototype.toString.call(object).slice(8, -1);
  // Not by prototype: objects of another realm (a worker's, an edge runtime's) are as plain as ours.
  if (tag !== 'Object') throw new Unrepresentable(path, `${tag} has no JSON form`);
  refuseRewriting(object, path);
  const members: string[] = [];
  for (const name of Object.keys(object)) {
    const at = `${path}/${escapeToken(name)}`;
    const member = read(object, name, at);
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${written(member, at, ancestors, depth)}`);
  }
  return `{${members.join(',')}}`;
}

/** Whether a value is an object that JSON has a form for. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' && typeof value.toJSON !== 'function';
}

/** What `JSON.stringify` would leave out or replace without a word. */
function refuseRewriting(object: object, path: string): void {
  const symbol = Object.getOwnPropertySymbols(object).find((key) =>
    Object.prototype.propertyIsEnumerable.call(object, key),
  );
  if (symbol) throw new Unrepresentable(path, 'a member named by a symbol has no JSON form');
  if (typeof read(object, 'toJSON', path) === 'function') {
    throw new Unrepresentable(path, 'an object with toJSON would be rewritten; give its JSON value');
  }
}

function read(object: object, name: string | number, path: string): unknown {
  try {
    return (object as Record<string | number, unknown>)[name];
  } catch {
    throw new Unrepresentable(path, 'the value cannot be read: its getter throws');
  }
}

/** A member name as a token of an RFC 6901 pointer. */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `path` as an RFC 6901 pointer, from the keys and segments of a Standard Schema issue. */
export function toPointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[] = []): string {
  return path.map((part) => `/${escapeToken(String(typeof part === 'object' ? part.key : part))}`).join('');
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * `text` with lone surrogates as escapes: encoding to UTF-8 would silently make each U+FFFD, and the core could not say
 * that the text had one.
 */
export function escapeLoneSurrogates(text: string): string {
  if (isWellFormed(text)) return text;
  return text.replace(LONE_SURROGATE, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

/**
 * `JSON.stringify` for the core, which takes well-formed text only: a lone surrogate, which a cut or a child's text may
 * hold, becomes U+FFFD.
 */
export function wellFormedJson(value: unknown): string {
  return wellFormed(JSON.stringify(value));
}

/**
 * A host's record for the core: its JSON text, or the string that it is. Throws a `SubcontractError` with this code for a value
 * that JSON cannot carry.
 */
export function recordText(value: unknown, what: string, code: string): string {
  if (typeof value === 'string') return value;
  const json = toJsonText(value, RECORD_DEPTH);
  if (json.ok) return wellFormed(json.text);
  throw new SubcontractError(`${what} is ${noJson(json)}`, { code });
}

/** As deep as the core reads records, which have values of the greatest depth inside them. */
const RECORD_DEPTH = 600;

/** The same JSON text with U+FFFD for each lone surrogate that `JSON.stringify` has escaped. */
export function wellFormed(text: string): string {
  if (!text.includes('\\ud')) return text;
  // Of surrogates JSON.stringify escapes the lone ones alone.
  return text.replace(ESCAPE, (found) => (found.startsWith('\\ud') ? '\\ufffd' : found));
}

const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;

/** Whether a text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  const native = (text as { isWellFormed?: () => boolean }).isWellFormed;
  return native ? native.call(text) : text.search(LONE_SURROGATE) < 0;
}
