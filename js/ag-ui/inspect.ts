// Sets values against the shapes of the protocol: finds what does not fit, and leaves out the nulls that stand for nothing.

import { boundary } from '../whole-characters.js';
import { isRecord } from '../wire.js';
import type { Field, Fields, Kind } from './shapes.js';

/** One way in which a value does not have its shape. */
export interface Misfit {
  /** `null`: an optional field is null. `unknown`: the protocol has no such field. */
  what: 'missing' | 'null' | 'wrong' | 'unknown';
  /** The place, as `outcome.interrupts[0].id`. */
  path: string;
  /** What belongs there. */
  wanted: string;
  /** What stands there. */
  found: string;
}

/** At most this many unknown fields of one object are reported: an object may have millions. */
const UNKNOWN_FIELDS = 8;

/** Reports every misfit of an object. */
export function inspectFields(
  object: Readonly<Record<string, unknown>>,
  fields: Fields,
  report: (misfit: Misfit) => void,
  at: { path?: string; open?: boolean } = {},
): void {
  const { path = '', open = false } = at;
  for (const [name, { kind, optional }] of entriesOf(fields)) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined && optional) continue;
    const place = path === '' ? name : `${path}.${name}`;
    if (value === undefined) {
      report({ what: 'missing', path: place, wanted: describeKind(kind), found: 'nothing' });
    } else if (value === null && optional && kind.is !== 'json') {
      report({ what: 'null', path: place, wanted: describeKind(kind), found: 'null' });
    } else {
      inspect(value, kind, place, report);
    }
  }
  if (open) return;
  let unknown = 0;
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(fields, name) || object[name] === undefined) continue;
    unknown += 1;
    if (unknown > UNKNOWN_FIELDS) return;
    const place = path === '' ? name : `${path}.${name}`;
    report({ what: 'unknown', path: clip(place), wanted: 'nothing', found: describe(object[name]) });
  }
}

const entries = new WeakMap<Fields, [string, Field][]>();

/** A shape is asked for with every event of its type. */
function entriesOf(fields: Fields): [string, Field][] {
  const known = entries.get(fields) ?? Object.entries(fields);
  entries.set(fields, known);
  return known;
}

function inspect(value: unknown, kind: Kind, path: string, report: (misfit: Misfit) => void): void {
  const wrong = () => report({ what: 'wrong', path, wanted: describeKind(kind), found: describe(value) });
  switch (kind.is) {
    case 'string':
      if (typeof value !== 'string' || (kind.pattern && !kind.pattern.test(value))) wrong();
      return;
    case 'one of':
      if (typeof value !== 'string' || !kind.values.includes(value)) wrong();
      return;
    case 'integer':
      if (!Number.isSafeInteger(value) || (value as number) < (kind.min ?? Number.NEGATIVE_INFINITY)) wrong();
      return;
    case 'boolean':
      if (typeof value !== 'boolean') wrong();
      return;
    case 'value':
      if (value === null) wrong();
      return;
    case 'open':
      if (!isRecord(value)) wrong();
      return;
    case 'list':
      if (!Array.isArray(value) || value.length < (kind.min ?? 0)) wrong();
      else
        for (let index = 0; index < value.length; index++) inspect(value[index], kind.of, `${path}[${index}]`, report);
      return;
    case 'object':
      if (isRecord(value)) inspectFields(value, kind.fields, report, { path });
      else wrong();
      return;
    case 'tagged': {
      const fields = isRecord(value) ? fieldsOf(kind, value) : undefined;
      if (!fields) wrong();
      else inspectFields(value as Record<string, unknown>, fields, report, { path, open: kind.open === true });
      return;
    }
    case 'content':
      if (typeof value === 'string') return;
      if (Array.isArray(value)) inspect(value, kind.parts, path, report);
      else wrong();
      return;
    default:
  }
}

const STRING = { kind: { is: 'string' } } as const;
const tagged = new WeakMap<Fields, Fields>();

function fieldsOf(kind: Extract<Kind, { is: 'tagged' }>, value: Record<string, unknown>): Fields | undefined {
  const tag = Object.hasOwn(value, kind.by) ? value[kind.by] : undefined;
  const fields = typeof tag === 'string' && Object.hasOwn(kind.of, tag) ? kind.of[tag] : undefined;
  if (!fields) return undefined;
  // Two kinds share fields only where their tags have the same name.
  const known = tagged.get(fields) ?? { ...fields, [kind.by]: STRING };
  tagged.set(fields, known);
  return known;
}

/** A copy of an object in which no optional field of the protocol is null or undefined. What is data stays as it is. */
export function withoutNulls(object: Readonly<Record<string, unknown>>, fields: Fields): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || (value === null && field?.optional)) continue;
    kept.push([name, field ? cleaned(value, field.kind) : value]);
  }
  // `fromEntries` defines own properties, so a `__proto__` key stays a key.
  return Object.fromEntries(kept);
}

function cleaned(value: unknown, kind: Kind): unknown {
  if (kind.is === 'list') return Array.isArray(value) ? value.map((item) => cleaned(item, kind.of)) : value;
  if (kind.is === 'content') return cleaned(value, kind.parts);
  if (!isRecord(value)) return value;
  if (kind.is === 'object') return withoutNulls(value, kind.fields);
  const fields = kind.is === 'tagged' ? fieldsOf(kind, value) : undefined;
  return fields ? withoutNulls(value, fields) : value;
}

function describeKind(kind: Kind): string {
  switch (kind.is) {
    case 'string':
      return kind.pattern ? 'a JSON pointer' : 'a string';
    case 'one of':
      return kind.values.map((value) => `"${value}"`).join(' or ');
    case 'integer':
      return kind.min === undefined ? 'a whole number' : `a whole number from ${kind.min}`;
    case 'boolean':
      return 'a boolean';
    case 'json':
      return 'a JSON value';
    case 'value':
      return 'a JSON value other than null';
    case 'list':
      return kind.min ? 'a list that is not empty' : 'a list';
    case 'tagged':
      return `an object whose ${kind.by} is ${Object.keys(kind.of).join(', ')}`;
    case 'content':
      return 'a string or a list of parts';
    default:
      return 'an object';
  }
}

/** What a value is, in a few words. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  switch (typeof value) {
    case 'string':
      return `"${clip(value)}"`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

const LIMIT = 80;

/** Long names and values are cut: whoever reads a message did not ask for a page of somebody's data. */
export function clip(text: string): string {
  return text.length > LIMIT ? `${text.slice(0, boundary(text, LIMIT))}…` : text;
}
