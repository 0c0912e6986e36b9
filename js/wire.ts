// Values as they come over a wire: each is looked at before it is believed.

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none in what is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Whether a value is a list of objects, each of which passes. */
export function isListOf(value: unknown, passes: (item: Record<string, unknown>) => boolean = () => true): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && passes(item));
}

/** A text; nothing for what is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Sets a member: `__proto__`, and what else is inherited, is one like any other. */
export function setOwn(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Without the members that are `undefined`. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
