// `subcontract.attempt`: the event that tells a stream's reader how one return of a child was judged.
import type { Issue } from '../core.js';
import type { AttemptRecord } from '../envelope.js';
import type { CustomEvent } from './events.js';
import { clip } from './inspect.js';

/** The payload of a `subcontract.attempt`: one judged return, or one end of the child without a return. */
export interface AttemptNotice extends AttemptRecord {
  /** How many attempts there are after the first. */
  maxRetries: number;
}

/**
 * The event that follows each attempt, tagged with the child. A card shows it; no model reads it.
 *
 * Its issues say what is wrong, never what the whole value was: text of the return (member names, and what a refinement
 * says) is cut at 80 characters. The envelope has the issues in full.
 */
export interface AttemptEvent extends CustomEvent {
  name: typeof ATTEMPT;
  value: AttemptNotice;
}

const ATTEMPT = 'subcontract.attempt';

/** Whether an event is a {@link AttemptEvent}. */
export function isAttemptEvent(event: { type: string; name?: unknown }): event is AttemptEvent {
  return event.type === 'CUSTOM' && event.name === ATTEMPT;
}

/** The event of one attempt. */
export function attemptEvent(attempt: AttemptRecord, maxRetries: number, subagentRunId: string): AttemptEvent {
  const { issues, ...rest } = attempt;
  const value = { ...rest, ...(issues && { issues: issues.map(shownIssue) }), maxRetries };
  return { type: 'CUSTOM', name: ATTEMPT, value, subagentRunId };
}

/** The params in which the core puts text that the child wrote. */
const CHILD_TEXT = ['additionalProperty', 'unevaluatedProperty', 'propertyName', 'property', 'found'];

function shownIssue({ instancePath, schemaPath, keyword, params, message }: Issue): Issue {
  const shown = { ...params };
  for (const name of CHILD_TEXT) {
    const value = shown[name];
    if (typeof value === 'string') shown[name] = clip(value);
  }
  return {
    instancePath: instancePath.split('/').map(clip).join('/'),
    schemaPath,
    keyword,
    params: shown,
    // What a Standard Schema says is its author's to choose, and may be the value without quotes.
    message: keyword === 'refinement' ? clip(message) : message.replace(QUOTED, clipQuoted),
  };
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

function clipQuoted(quoted: string, text: string): string {
  const shown = clip(text);
  return shown === text ? quoted : `"${shown}"`;
}
