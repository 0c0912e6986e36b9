// The exact JSON text behind a parsed value, for whoever writes events to a wire: JavaScript's numbers round large integers.
import type { AGUIEvent } from './events.js';

const texts = new WeakMap<object, string>();

/** `JSON.parse`, remembering the text of an object or array. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null) texts.set(value, text);
  return value;
}

/** One event as one line of JSON, its `result` to the letter where the text behind it is known. */
export function eventText(event: AGUIEvent): string {
  const { result, ...rest } = event as AGUIEvent & { result?: unknown };
  const text = typeof result === 'object' && result !== null ? texts.get(result) : undefined;
  if (text === undefined) return JSON.stringify(event);
  // Between its tokens a JSON text may have line breaks, which would end a frame.
  return `${JSON.stringify(rest).slice(0, -1)},"result":${text.replace(/[\r\n]/g, ' ')}}`;
}
