// Where ids and times come from: what the host gave, checked, or the runtime's own.
import { SubcontractError } from './errors.js';

/** A new id. Throws for a maker that makes none. */
export function makeId(newId: (() => string) | undefined): string {
  if (newId === undefined) return crypto.randomUUID();
  const id: unknown = newId();
  if (typeof id === 'string' && id !== '') return id;
  throw invalid(`newId must return a text that is not empty, not ${shown(id)}`);
}

/** The time in milliseconds. Throws for a clock that gives none. */
export function readClock(now: (() => number) | undefined): number {
  if (now === undefined) return Date.now();
  const time: unknown = now();
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw invalid(`now must return a finite number of milliseconds, not ${shown(time)}`);
}

function invalid(message: string): SubcontractError {
  return new SubcontractError(message, { code: 'invalid_option' });
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'number' || value == null ? String(value) : `a ${typeof value}`;
}
