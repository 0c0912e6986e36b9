// Tells apart what a child's `run` returned: a stream, a text, or a value.
import { noJson, toJsonText } from '../json-text.js';

/** What `run` resolved to. */
export type ChildOutput =
  | { kind: 'stream'; iterator: AsyncIterator<unknown> }
  | { kind: 'text'; text: string }
  /** `text` is the value's JSON; absent for `undefined`. */
  | { kind: 'value'; text?: string };

/** Reads what `run` resolved to. Throws when it is a value that JSON cannot write. */
export function readOutput(output: unknown): ChildOutput {
  if (typeof output === 'string') return { kind: 'text', text: output };
  if (isAsyncIterable(output)) return { kind: 'stream', iterator: output[Symbol.asyncIterator]() };
  if (output === undefined) return { kind: 'value' };
  const json = toJsonText(output);
  if (json.ok) return { kind: 'value', text: json.text };
  throw new TypeError(`run returned what is ${noJson(json)}`);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  );
}

/** Asks a stream to end. It is not waited for: a child that hangs would hold up whoever stops it. */
export function endStream(iterator: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => {});
  } catch {
    // A child that cannot be stopped is left behind.
  }
}
