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

/** Throws a `TypeError` for what has no fields. */
export function assertObject(what: string, value: unknown): asserts value is object {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`${what} must be an object, not ${spelled(value)}`);
}

/** Throws a `TypeError` for what is no list. */
export function assertList(what: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} must be a list, not ${spelled(value)}`);
}

/** Throws a `TypeError` for a field that does not exist: a misspelt `bind` would bind to nobody. */
export function assertFields(options: unknown, what: string, known: readonly string[]): void {
  assertObject(what, options);
  for (const field of Object.keys(options)) {
    if (!known.includes(field)) throw new TypeError(`${what} has an unknown field ${JSON.stringify(field)}`);
  }
}
