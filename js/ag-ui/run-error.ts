// The RUN_ERROR that a thrown value stands for.
import type { RunErrorEvent } from './events.js';

/** The RUN_ERROR of a thrown value, with its code if it has one. */
export function runErrorOf(error: unknown): RunErrorEvent {
  const { message, code } = read(error);
  return { type: 'RUN_ERROR', message, ...(code !== undefined && { code }), timestamp: Date.now() };
}

/** The message goes into one frame, whatever was thrown. */
const LIMIT = 10_000;

function read(error: unknown): { message: string; code: string | undefined } {
  try {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return { message: String(message).slice(0, LIMIT), code: typeof code === 'string' ? code : undefined };
  } catch {
    // Anything can be thrown, also what cannot be read.
    return { message: 'no reason given', code: undefined };
  }
}
