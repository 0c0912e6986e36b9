// Where ids and times come from: what the host gave, checked, or the runtime's own.
import { SubcontractError } from './errors.js';
import { spelled } from './misuse.js';

/** A new id. Throws for a maker that makes none. */
export function makeId(newId: (() => string) | undefined): string {
  if (newId === undefined) return crypto.randomUUID();
  const id: unknown = newId();
  if (typeof id === 'string' && id !== '') return id;
  throw invalid(`newId must return a text that is not empty, not ${spelled(id)}`);
}

/** The time in milliseconds. Throws for a clock that gives none. */
export function readClock(now: (() => number) | undefined): number {
  if (now === undefined) return Date.now();
  const time: unknown = now();
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw invalid(`now must return a finite number of milliseconds, not ${spelled(time)}`);
}

function invalid(message: string): SubcontractError {
  return new SubcontractError(message, { code: 'invalid_option' });
}
