// Reads what somebody calls an event, once and whatever it is: is it JSON, how large, and does it have its type's shape.

import { isWellFormed } from '../../json-text.js';
import { isRecord } from '../../wire.js';
import type { AGUIEvent } from '../events.js';
import { describe, inspectFields, type Misfit } from '../inspect.js';
import { EVENTS } from '../shapes.js';

/** What reading an event came to. */
export interface Reading {
  /** The event, without the fields that do not have their shape; absent when nothing is left to go by. */
  event?: AGUIEvent;
  /** Why it is no event at all. */
  noObject?: string;
  /** Why it is no JSON. */
  noJson?: string;
  /** A type that the protocol does not have. */
  unknownType?: string;
  misfits?: Misfit[];
  tooLarge?: boolean;
  loneSurrogate?: boolean;
}

/** The walker's verdicts on objects that it has seen: their size, and whether a lone surrogate is in them. */
export type Memo = WeakMap<object, { size: number; surrogate: boolean }>;

/** A UTF-16 unit is at least a byte: what is longer is too large for a frame in any case. */
const MAX_SIZE = 10_000_000;

/** Reads one event. It does not throw. */
export function readEvent(raw: unknown, memo: Memo): Reading {
  try {
    if (!isRecord(raw)) return { noObject: describe(raw) };
    // Read once: a getter might say something else the second time.
    const event: Record<string, unknown> = { ...raw };
    const { type } = event;
    if (typeof type !== 'string') return { noObject: 'an object without a type' };
    const measured = measureAll(event, memo);
    if (typeof measured === 'string') return { noJson: measured };
    const reading: Reading = {
      ...(measured.size > MAX_SIZE && { tooLarge: true }),
      ...(measured.surrogate && { loneSurrogate: true }),
    };
    if (!Object.hasOwn(EVENTS, type)) return { ...reading, unknownType: type };
    return { ...reading, ...fitted(event, type as AGUIEvent['type']) };
  } catch {
    return { noJson: 'it cannot be read' };
  }
}

/** Without these a run still starts and ends: everything after it depends on that. */
const RUN_EVENTS: ReadonlySet<string> = new Set(['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR']);

function fitted(event: Record<string, unknown>, type: AGUIEvent['type']): Reading {
  const fields = EVENTS[type];
  let misfits: Misfit[] | undefined;
  let usable = true;
  inspectFields(event, fields, (misfit) => {
    misfits ??= [];
    misfits.push(misfit);
    if (misfit.what === 'unknown' && /[.[]/.test(misfit.path)) return;
    const [name = ''] = misfit.path.split(/[.[]/, 1);
    delete event[name];
    if (Object.hasOwn(fields, name) && !fields[name]?.optional && !RUN_EVENTS.has(type)) usable = false;
  });
  return {
    ...(misfits && { misfits }),
    ...(usable && { event: event as unknown as AGUIEvent }),
  };
}

interface Measured {
  size: number;
  surrogate: boolean;
}

function measureAll(event: Record<string, unknown>, memo: Memo): Measured | string {
  const total: Measured = { size: 0, surrogate: false };
  for (const name of Object.keys(event)) {
    const value = event[name];
    if (value === undefined) continue;
    total.size += name.length + 4;
    const problem = addLeaf(value, total) ?? measureObject(value as object, memo, total);
    if (problem !== '') return `${name} ${problem}`;
  }
  return total;
}

/** Adds what is no object; `undefined` for an object, else the problem or an empty string. */
function addLeaf(value: unknown, total: Measured): string | undefined {
  switch (typeof value) {
    case 'string':
      total.size += value.length + 2;
      if (!isWellFormed(value)) total.surrogate = true;
      return '';
    case 'number':
      total.size += 4;
      return Number.isFinite(value) ? '' : `is or has ${value}`;
    case 'boolean':
      total.size += 4;
      return '';
    case 'object':
      if (value !== null) return undefined;
      total.size += 4;
      return '';
    default:
      return `is or has a ${typeof value}`;
  }
}

interface Frame {
  object: object;
  values: readonly unknown[];
  at: number;
  total: Measured;
}

/** Each object is walked once, however often it is referred to. */
function measureObject(root: object, memo: Memo, total: Measured): string {
  const open = new Set<object>();
  const frames: Frame[] = [];
  const add = (into: Measured, done: Measured) => {
    into.size += done.size;
    if (done.surrogate) into.surrogate = true;
  };
  const enter = (object: object, into: Measured): string => {
    const known = memo.get(object);
    if (known) {
      add(into, known);
      return '';
    }
    if (open.has(object)) return 'contains itself';
    if (ArrayBuffer.isView(object)) return 'has binary data';
    const own: Measured = { size: 2, surrogate: false };
    let values: readonly unknown[];
    if (Array.isArray(object)) {
      if (object.length > MAX_SIZE) return `has a list of ${object.length}`;
      values = object;
    } else {
      const found: unknown[] = [];
      for (const name of Object.keys(object)) {
        const value = (object as Record<string, unknown>)[name];
        if (value === undefined) continue;
        addLeaf(name, own);
        found.push(value);
      }
      values = found;
    }
    open.add(object);
    frames.push({ object, values, at: 0, total: own });
    return '';
  };
  const refused = enter(root, total);
  if (refused !== '') return refused;
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.at === frame.values.length) {
      frames.pop();
      open.delete(frame.object);
      memo.set(frame.object, frame.total);
      add(frames.at(-1)?.total ?? total, frame.total);
      continue;
    }
    const value = frame.values[frame.at];
    frame.at += 1;
    frame.total.size += 1;
    const problem = addLeaf(value, frame.total) ?? enter(value as object, frame.total);
    if (problem !== '') return problem;
  }
  return '';
}
