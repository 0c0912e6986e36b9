// The second gate: a Standard Schema's own validation after the schema, and the text its result stands for.
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { askIn, call, withInput } from './boundary.js';
import type { Flag, Issue } from './core.js';
import { SchemaError } from './errors.js';
import { escapeToken, isPlainObject, type NotJson, noJson, toJsonText, toPointer } from './json-text.js';
import type { OwnValidate } from './schema.js';

/** More changed places than these are reported as one, the root. */
const PLACES = 50;

/** What the schema's own validation says of a value: what it made of it, or what is wrong. */
export type Refined = { value: unknown } | { issues: Issue[] };

/**
 * Runs a schema's own validation, which may be asynchronous.
 *
 * @throws SchemaError `validation_threw` when it throws, or gives what is no result: whoever wrote the value is not to blame for that.
 */
export async function refine(validate: OwnValidate | undefined, value: unknown): Promise<Refined> {
  if (validate === undefined) return { value };
  try {
    const result: StandardSchemaV1.Result<unknown> = await validate(value);
    if (result.issues === undefined) return { value: result.value };
    return {
      issues: result.issues.map(({ path, message }) =>
        refinement(toPointer(path), typeof message === 'string' ? message : "refused by the schema's own validation"),
      ),
    };
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new SchemaError(`the schema's own validation failed${why}`, { code: 'validation_threw', cause });
  }
}

/** An issue of a schema's own validation. */
function refinement(instancePath: string, message: string): Issue {
  return { instancePath, schemaPath: '', keyword: 'refinement', params: {}, message };
}

/** A value as the text it goes out as. `places`: pointers to what was changed; none when the text is the given one. */
export type Rewritten = { text: string; flags: Flag[]; places: string[] } | { issues: Issue[] };

/**
 * The text of what a transform made of `given`. What it left in its place, or moved inside its array, keeps its text to the
 * letter: JavaScript's numbers would round a long id. A number that JSON cannot carry is an issue with its place, never rewritten.
 *
 * @throws SchemaError `transform_not_json` when the transform makes what no JSON text stands for, say a Date: no other
 * return would mend that.
 */
export function rewrite(given: { text: string; flags: Flag[] }, value: unknown): Rewritten {
  const places: string[] = [];
  // Read again: a validation may have changed what it was given.
  const before: unknown = JSON.parse(given.text);
  let recipe: string;
  try {
    recipe = recipeOf(before, value, '', places);
  } catch (thrown) {
    const { instancePath, message, notFinite }: NotJson =
      thrown instanceof NoJson ? thrown : { instancePath: '', message: 'the value cannot be read' };
    if (notFinite) return { issues: [refinement(instancePath, message)] };
    const why = noJson({ instancePath, message });
    throw new SchemaError(`what the schema's own validation made of the return is ${why}`, {
      code: 'transform_not_json',
    });
  }
  if (recipe === KEPT) return { ...given, places };
  const json = call((core) => withInput(core, given.text, (length) => askIn(core, 'Rebuild', length, recipe)));
  const { text, flags } = JSON.parse(json) as { text: string; flags: Flag[] };
  return { text, flags, places: places.length > PLACES ? [''] : places };
}

/** The recipe of what is the same. The core's `rebuild` says what recipes are. */
const KEPT = 'true';

class NoJson extends Error {
  constructor(
    readonly instancePath: string,
    message: string,
    readonly notFinite: boolean,
  ) {
    super(message);
  }
}

/** It goes down only where both sides are containers, so no deeper than the text that `before` was read from. */
function recipeOf(before: unknown, after: unknown, path: string, places: string[]): string {
  if (isSame(before, after)) return KEPT;
  if (Array.isArray(before) && Array.isArray(after)) return arrayRecipe(before, after, path, places);
  if (isPlainObject(before) && isPlainObject(after)) return objectRecipe(before, after, path, places);
  places.push(path);
  return fresh(after, path);
}

function fresh(value: unknown, path: string): string {
  const json = toJsonText(value);
  if (!json.ok) throw new NoJson(path + json.instancePath, json.message, json.notFinite === true);
  return JSON.stringify(json.text);
}

function objectRecipe(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  path: string,
  places: string[],
): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const at = `${path}/${escapeToken(name)}`;
    let recipe: string;
    if (Object.hasOwn(before, name)) {
      recipe = recipeOf(before[name], value, at, places);
    } else {
      places.push(at);
      recipe = fresh(value, at);
    }
    members.push(`${JSON.stringify(name)}:${recipe}`);
  }
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name) && after[name] !== undefined) continue;
    places.push(`${path}/${escapeToken(name)}`);
  }
  return `{${members.join(',')}}`;
}

function arrayRecipe(before: unknown[], after: unknown[], path: string, places: string[]): string {
  const changed: number[] = [];
  const items: string[] = Array.from(after, (item, at) => {
    if (at < before.length && isSame(before[at], item)) return KEPT;
    changed.push(at);
    return '';
  });
  if (changed.length === 0 && before.length === after.length) return KEPT;
  // One item that differs where all others are in their place has not come from elsewhere.
  let moved = before.length !== after.length;
  const index = moved || changed.length > 1 ? indexOf(before) : undefined;
  const within: string[] = [];
  for (const at of changed) {
    const item = after[at];
    const from = index?.get(keyOf(item))?.find((other) => isSame(before[other], item));
    const place = `${path}/${at}`;
    if (from !== undefined) {
      moved = true;
      items[at] = String(from);
    } else if (at < before.length) {
      items[at] = recipeOf(before[at], item, place, within);
    } else {
      items[at] = fresh(item, place);
    }
  }
  places.push(...(moved ? [path] : within));
  return `[${items.join(',')}]`;
}

function isSame(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, at) => isSame(item, after[at]));
  }
  if (!isPlainObject(before) || !isPlainObject(after)) return Object.is(before, after);
  const names = Object.keys(after).filter((name) => after[name] !== undefined);
  if (names.length !== Object.keys(before).length) return false;
  return names.every((name) => Object.hasOwn(before, name) && isSame(before[name], after[name]));
}

/** Where items of this text are. What two different values may share, `recipeOf` tells apart. */
function indexOf(items: unknown[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    const found = index.get(key);
    // A few are enough to find one that is the same.
    if (found === undefined) index.set(key, [at]);
    else if (found.length < 4) found.push(at);
  }
  return index;
}

/** Members in order: a transform may have written them in another one. */
function keyOf(item: unknown): string {
  const json = toJsonText(item);
  if (!json.ok || typeof item !== 'object' || item === null) return json.ok ? json.text : '';
  return JSON.stringify(item, (_, value: unknown) =>
    isPlainObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value,
  );
}
