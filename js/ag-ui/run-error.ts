// The RUN_ERROR that a thrown value stands for.
import { withoutCredentials } from '../credentials.js';
import { SubcontractError } from '../errors.js';
import type { RunErrorEvent } from './events.js';

/**
 * The RUN_ERROR of a thrown value. An error of this package's says what it is, with its code and without credentials; of any other
 * the client is only told that the run failed, because its text may hold what is not for the client.
 */
export function runErrorOf(error: unknown): RunErrorEvent {
  const { message, code } = error instanceof SubcontractError ? error : STREAM_FAILED;
  return { type: 'RUN_ERROR', message: withoutCredentials(message), code, timestamp: Date.now() };
}

const STREAM_FAILED = { message: 'the run failed', code: 'stream_failed' };

const causes = new WeakMap<object, { error: unknown }>();

/** Keeps what an event stands for, for the host alone. */
export function causedBy(event: RunErrorEvent, error: unknown): RunErrorEvent {
  causes.set(event, { error });
  return event;
}

/** What {@link causedBy} has kept. */
export function causeOf(event: object): { error: unknown } | undefined {
  return causes.get(event);
}

/**
 * A RUN_ERROR as it may leave the host: its message without credentials, no code that is none, and nothing of what the
 * provider answered, which some adapters attach whole.
 */
export function outwardError(event: RunErrorEvent): RunErrorEvent {
  const { rawEvent: _raw, error, code, message, ...rest } = event as RunErrorEvent & { error?: { message?: unknown } };
  const said = typeof code !== 'string' || code === 'undefined' || code === 'null' ? {} : { code };
  // Some adapters have the message in an `error`, as TanStack AI once had it.
  const text = [message, error?.message].find((each): each is string => typeof each === 'string' && each !== '');
  return { ...rest, message: withoutCredentials(text ?? STREAM_FAILED.message), ...said };
}
