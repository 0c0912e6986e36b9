// The RUN_ERROR that a thrown value stands for.
import { withoutCredentials } from '../credentials.js';
import type { RunErrorEvent } from './events.js';

/** The RUN_ERROR of a thrown value, with its code if it has one. Its message has no credentials, and fits into a frame. */
export function runErrorOf(error: unknown): RunErrorEvent {
  const { message, code } = read(error);
  return { type: 'RUN_ERROR', message, ...(code !== undefined && { code }), timestamp: Date.now() };
}

function read(error: unknown): { message: string; code: string | undefined } {
  try {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return { message: withoutCredentials(String(message)), code: typeof code === 'string' ? code : undefined };
  } catch {
    // Anything can be thrown, also what cannot be read.
    return { message: 'no reason given', code: undefined };
  }
}

/**
 * A RUN_ERROR as it may leave the host: its message without credentials, no code that is none, and nothing of what the
 * provider answered, which some adapters attach whole.
 */
export function outwardError(event: RunErrorEvent): RunErrorEvent {
  const { rawEvent: _raw, code, message, ...rest } = event;
  const said = code === undefined || code === 'undefined' || code === 'null' ? {} : { code };
  return { ...rest, message: withoutCredentials(message), ...said };
}
