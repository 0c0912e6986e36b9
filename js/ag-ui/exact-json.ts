// The exact JSON text behind a parsed value, for whoever writes events to a wire: JavaScript's numbers round large integers.

const texts = new WeakMap<object, string>();

/** `JSON.parse`, remembering the text of an object or array. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null) texts.set(value, text);
  return value;
}

/** The text that a value of {@link parseExact} was read from. */
export function exactText(value: object): string | undefined {
  return texts.get(value);
}
