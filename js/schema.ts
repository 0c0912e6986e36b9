// Schemas as applications write them: what they mean as types, and their JSON Schema text.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { SchemaError } from './errors.js';
import { noJson, toJsonText } from './json-text.js';
import { spelled } from './misuse.js';

/**
 * A schema for a brief or a return: zod 4, arktype, valibot through `toStandardJsonSchema`, any other Standard Schema
 * that converts to JSON Schema, a plain JSON Schema (object, boolean or its text), or a compiled `Contract`.
 */
export type AgentSchema = object | boolean | string;

declare const accepted: unique symbol;

/** A plain JSON Schema of which the types know what it accepts. The member is never there. */
export interface JsonSchemaOf<T> {
  readonly [accepted]?: T;
}

type StandardTypes<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T>
  : S extends JsonSchemaOf<infer T>
    ? { readonly input: T; readonly output: T }
    : { readonly input: unknown; readonly output: unknown };

/** What a schema accepts, as a type; `unknown` for a plain JSON Schema, but for the research records. */
export type InferIn<S> = StandardTypes<S> extends { readonly input: infer T } ? T : unknown;

/** What a schema's own validation makes of it, as a type; for a plain JSON Schema as {@link InferIn}. */
export type InferOut<S> = StandardTypes<S> extends { readonly output: infer T } ? T : unknown;

/** A Standard Schema's own validation: refinements and transforms that JSON Schema cannot say. */
export type OwnValidate = StandardSchemaV1.Props<unknown, unknown>['validate'];

/**
 * A schema as an agent shows it to hosts: a plain JSON Schema as no more than an object. Hosts' own types of JSON Schema know
 * no read-only lists and no boolean subschemas.
 */
export type ShownSchema<S> = S extends { readonly '~standard': unknown }
  ? S
  : S extends object
    ? Readonly<Record<string, unknown>>
    : S;

/** A schema read: its JSON Schema text, and its own validation if it has one. */
export interface SchemaSource {
  text: string;
  validate?: OwnValidate;
}

const TARGET: StandardJSONSchemaV1.Options = {
  target: 'draft-2020-12',
  libraryOptions: {
    // valibot's converter refuses refinements that are functions. Its own validation runs them after the schema.
    ignoreActions: ['check', 'check_items', 'every_item', 'partial_check', 'raw_check', 'some_item'],
  },
};

/**
 * Reads a schema. A Standard Schema is converted on its input side: that is what a model has to write.
 *
 * @throws SchemaError `no_json_schema` when a Standard Schema cannot be converted, `invalid_schema` when the value is no
 * schema at all.
 */
export function readSchema(schema: unknown): SchemaSource {
  if (typeof schema === 'string') return { text: schema };
  const standard = standardProps(schema);
  if (standard) return { text: standardText(standard), validate: standard.validate };
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) {
    throw new SchemaError(
      `a schema must be an object, a boolean, its text or a Standard Schema, not ${spelled(schema)}`,
      { code: 'invalid_schema' },
    );
  }
  return { text: schemaText(schema) };
}

type StandardProps = StandardSchemaV1.Props<unknown, unknown> & Partial<StandardJSONSchemaV1.Props<unknown, unknown>>;

/** arktype's schemas are functions, zod's are objects. */
function standardProps(schema: unknown): StandardProps | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined;
  const props = (schema as { '~standard'?: StandardProps })['~standard'];
  return typeof props?.validate === 'function' ? props : undefined;
}

/** Whether a schema is a Standard Schema, whose own validation decides and may transform. */
export function validatesItself(schema: unknown): boolean {
  return standardProps(schema) !== undefined;
}

function standardText(standard: StandardProps): string {
  if (typeof standard.jsonSchema?.input !== 'function') {
    const remedy =
      standard.vendor === 'valibot'
        ? 'wrap it with toStandardJsonSchema from @valibot/to-json-schema'
        : 'give its JSON Schema instead, or a version of the library that implements Standard JSON Schema';
    throw new SchemaError(`this ${standard.vendor} schema does not convert itself to JSON Schema: ${remedy}`, {
      code: 'no_json_schema',
    });
  }
  let converted: unknown;
  try {
    converted = standard.jsonSchema.input(TARGET);
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new SchemaError(
      `this ${standard.vendor} schema has a type that JSON Schema cannot say${why}; describe what the model writes, and transform it from there`,
      { code: 'no_json_schema', cause },
    );
  }
  return schemaText(converted);
}

/** Own enumerable members only: converters leave symbols and methods beside the schema, which are none of it. */
function schemaText(schema: unknown): string {
  const json = toJsonText(schema);
  if (json.ok) return json.text;
  throw new SchemaError(`the schema is ${noJson(json)}`, { code: 'invalid_json' });
}
