// Misuse, told in a sentence: what an option may be, and what it was instead.

/** So much of a text is shown. */
const SHOWN = 40;

/** A value that is none of those asked for, as a message says it. Not every value can be written as a string. */
export function spelled(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** Throws a `TypeError` for a value that is none of these. */
export function assertOneOf(name: string, value: unknown, values: readonly string[]): void {
  if (values.includes(value as string)) return;
  throw new TypeError(`${name} must be ${values.map((each) => `'${each}'`).join(' or ')}, not ${spelled(value)}`);
}
