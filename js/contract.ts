// Contracts: a schema compiled once, which judges text and values, and is itself a Standard Schema.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { ContractHandle } from './contract-handle.js';
import type { Flag, Issue, Json, Rejection, Verdict } from './core.js';
import { type Core, mainCore } from './instance.js';
import { toJsonText } from './json-text.js';
import { assertOneOf } from './misuse.js';
import { refine, rewrite } from './refine.js';
import { type InferIn, type InferOut, type OwnValidate, readSchema } from './schema.js';
import { type ContractStream, type Intake, LiveStream, type StreamOptions } from './stream.js';
import { isRecord } from './wire.js';

/** How a schema is compiled. */
export interface CompileOptions {
  /** The dialect of a schema without `$schema`. Default: 2020-12. */
  dialect?: 'draft4' | 'draft6' | 'draft7' | '2019-09' | '2020-12';
  /**
   * Whether `format` is checked. Default: `assert` for a JSON Schema; `annotate` for a Standard Schema, whose own
   * validation decides.
   */
  formats?: 'assert' | 'annotate';
  /** Schemas by URI, which a `$ref` to elsewhere resolves from. Nothing is ever fetched. */
  schemas?: Record<string, object | boolean | string>;
  /**
   * Who wrote the schema. `model`: tight limits on size, depth and references, patterns that run in linear time only, and
   * unknown keywords refused. Default: `author`.
   */
  trust?: 'author' | 'model';
}

/** The input side of {@link Contract} as a Standard Schema that also converts to JSON Schema. */
type StandardProps<In, Out> = StandardSchemaV1.Props<In, Out> & StandardJSONSchemaV1.Props<In, Out>;

/** A compiled schema. Bad data is a verdict; only misuse throws. */
export interface Contract<In = unknown, Out = In> {
  /** `sha256-…` of the schema's canonical form. */
  readonly digest: string;
  /** The schema as a JSON value. */
  readonly jsonSchema: Json;
  /** The schema's text. */
  readonly schemaText: string;
  /** The schema's `title`. */
  readonly title: string | undefined;
  /** Judges JSON text by the schema. */
  check(text: string | Uint8Array): Verdict<In>;
  /** Judges a JavaScript value by the schema. What JSON cannot carry is `invalid_json`, not rewritten. */
  checkValue(value: unknown): Verdict<In>;
  /** Whether JSON text satisfies the schema; faster than {@link check}. */
  isValid(text: string | Uint8Array): boolean;
  /**
   * Judges JSON text by the schema and then by the Standard Schema's own validation. A transform's result replaces value
   * and text. Throws a `SchemaError` when that validation throws (`validation_threw`), and when its transform makes what is
   * no JSON, say a `Date` (`transform_not_json`).
   */
  judge(text: string | Uint8Array): Promise<Verdict<Out>>;
  /**
   * Judges JSON text while it streams in: definite violations at the character that proves them, the value so far for a page,
   * and at the end the verdict on the whole text.
   */
  stream(options?: StreamOptions): ContractStream<In>;
  /** For hosts that take Standard Schemas: validates synchronously unless the schema's own validation is asynchronous. */
  readonly '~standard': StandardProps<In, Out>;
  /** Gives the compiled schema's memory back; the contract cannot be used after. Garbage collection does it too. */
  free(): void;
  /** As `free`, for `using`. */
  [Symbol.dispose](): void;
  /** @internal */
  readonly handle: ContractHandle;
  /** @internal */
  readonly validate: OwnValidate | undefined;
}

/**
 * Compiles a schema.
 *
 * @throws SchemaError when it is no valid schema of its dialect, refers to a schema that was not given, or cannot be
 * converted to JSON Schema.
 */
export function compileContract<const S extends object | boolean | string>(
  schema: S,
  options: CompileOptions = {},
): Contract<InferIn<S>, InferOut<S>> {
  if (isContract(schema) && Object.keys(options).length === 0) return schema as Contract<InferIn<S>, InferOut<S>>;
  return compileBy({ core: mainCore, engine: 'own' }, schema, options);
}

/** What judges a contract's values: an engine, in a core that has it. */
export interface Engine {
  core: Core;
  engine: 'own' | 'reference';
}

/** Compiles a schema for an engine. */
export function compileBy<const S extends object | boolean | string>(
  { core, engine }: Engine,
  schema: S,
  options: CompileOptions,
): Contract<InferIn<S>, InferOut<S>> {
  const { text, validate } = isContract(schema)
    ? { text: schema.schemaText, validate: schema.validate }
    : readSchema(schema);
  const json = JSON.stringify({ engine, ...wireOptions(options, validate !== undefined) });
  return new CompiledContract(new ContractHandle(text, json, core), validate) as Contract<InferIn<S>, InferOut<S>>;
}

/** Whether a value is a contract of this package. */
export function isContract(value: unknown): value is Contract {
  return value instanceof CompiledContract;
}

/** How a return is read. */
export interface ReadOptions {
  /** How the provider said the generation ended: after `length`, an otherwise complete number or literal is `truncated`. */
  finishReason?: string | undefined;
  /** How much may stand around the JSON. Default: `strict`. */
  intake?: Intake;
}

/**
 * Reads a return as a model wrote it and judges it by the contract's schema.
 *
 * By strict intake a blank text is read as `{}`, which some providers send for a call without arguments.
 *
 * By lenient intake the return is one fenced block or one JSON value amid prose; reasoning is skipped. The verdict's `flags` say
 * what stood around it, its `text` is the value's. Two values are `ambiguous`, no value is `no_return`; a value that is cut or
 * malformed stays so: nothing is closed, mended or guessed.
 */
export function readReturn<In, Out>(
  contract: Contract<In, Out>,
  rawText: string | Uint8Array,
  options: ReadOptions = {},
): Verdict<In> {
  return contract.handle.readReturn(rawText, options.finishReason, isLenient(options.intake)) as Verdict<In>;
}

function isLenient(intake: Intake = 'strict'): boolean {
  assertOneOf('intake', intake, ['strict', 'lenient']);
  return intake === 'lenient';
}

/** A brief, read: its exact text, and the input the child gets, which a transform may have made of it. */
export type BriefVerdict<Out> = { ok: true; input: Out; text: string; flags: Flag[] } | Rejection;

/**
 * Reads a brief as a parent model wrote it: the schema, then the Standard Schema's own validation, whose result is the
 * child's input. Unlike a return it need not be JSON after a transform, for it stays in this process.
 */
export async function readBrief<In, Out>(contract: Contract<In, Out>, text: string): Promise<BriefVerdict<Out>> {
  const verdict = readReturn(contract, text);
  if (!verdict.ok) return verdict;
  const refined = await refine(contract.validate, verdict.value);
  if ('issues' in refined)
    return { ok: false, code: 'refinement_failed', issues: refined.issues, flags: verdict.flags };
  return { ok: true, input: refined.value as Out, text: verdict.text, flags: verdict.flags };
}

function wireOptions(options: CompileOptions, standard: boolean): Record<string, unknown> {
  const { dialect, formats, schemas = {}, trust = 'author', ...unknown } = options;
  for (const name of Object.keys(unknown)) throw new TypeError(`unknown option '${name}'`);
  const texts = Object.entries(schemas).map(([uri, schema]) => [uri, readSchema(schema).text]);
  return {
    ...(dialect !== undefined && { dialect }),
    formats: formats ?? (standard ? 'annotate' : 'assert'),
    schemas: Object.fromEntries(texts),
    trust,
  };
}

class CompiledContract implements Contract {
  readonly '~standard': StandardProps<unknown, unknown>;
  #digest: string | undefined;

  constructor(
    readonly handle: ContractHandle,
    readonly validate: OwnValidate | undefined,
  ) {
    this['~standard'] = {
      version: 1,
      vendor: 'subcontract',
      validate: (value) => this.#standardValidate(value),
      jsonSchema: {
        input: (options) => this.#convert(options),
        output: (options) => this.#convert(options),
      },
    };
  }

  get digest(): string {
    this.#digest ??= this.handle.digest;
    return this.#digest;
  }

  get jsonSchema(): Json {
    return JSON.parse(this.handle.schemaText) as Json;
  }

  get schemaText(): string {
    return this.handle.schemaText;
  }

  get title(): string | undefined {
    return this.handle.title;
  }

  check(text: string | Uint8Array): Verdict {
    return this.handle.check(text);
  }

  checkValue(value: unknown): Verdict {
    const json = toJsonText(value);
    return json.ok ? this.handle.check(json.text) : notJson(json.instancePath, json.message);
  }

  isValid(text: string | Uint8Array): boolean {
    return this.handle.isValid(text);
  }

  async judge(text: string | Uint8Array): Promise<Verdict> {
    const verdict = this.handle.check(text);
    if (!verdict.ok || this.validate === undefined) return verdict;
    const refined = await refine(this.validate, verdict.value);
    const { flags } = verdict;
    if ('issues' in refined) return { ok: false, code: 'refinement_failed', issues: refined.issues, flags };
    const out = rewrite({ text: verdict.text, flags }, refined.value);
    if ('issues' in out) return { ok: false, code: 'refinement_failed', issues: out.issues, flags };
    return { ok: true, value: JSON.parse(out.text) as unknown, text: out.text, flags: out.flags };
  }

  stream(options: StreamOptions = {}): ContractStream {
    return new LiveStream(this.handle, isLenient(options.intake));
  }

  #standardValidate(value: unknown): StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>> {
    const verdict = this.checkValue(value);
    if (!verdict.ok) return { issues: verdict.issues.map(toStandardIssue) };
    return this.validate?.(verdict.value) ?? { value: verdict.value };
  }

  #convert({ target }: StandardJSONSchemaV1.Options): Record<string, unknown> {
    const schema = this.jsonSchema;
    const dialect = (schema as { $schema?: unknown } | null)?.$schema;
    const wanted = target === 'draft-07' ? 'draft-07' : '2020-12';
    if (!['draft-2020-12', 'draft-07'].includes(target) || (typeof dialect === 'string' && !dialect.includes(wanted))) {
      throw new Error(`this contract's schema cannot be given as ${target}`);
    }
    return isRecord(schema) ? schema : schema === true ? {} : { not: {} };
  }

  free(): void {
    this.handle.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** What `use` makes of a contract, or of a schema, which is compiled for that alone. */
export function withContract<T>(
  given: Contract | object | string,
  use: (contract: Contract) => T,
  options?: CompileOptions,
): T {
  if (isContract(given)) return use(given);
  const contract = compileContract(given, options);
  try {
    return use(contract);
  } finally {
    contract.free();
  }
}

function notJson(instancePath: string, message: string): Rejection {
  const issue: Issue = { instancePath, schemaPath: '', keyword: 'invalid_json', params: {}, message };
  return { ok: false, code: 'invalid_json', issues: [issue], flags: [] };
}

function toStandardIssue(issue: Issue): StandardSchemaV1.Issue {
  const path = issue.instancePath
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { message: issue.message, path };
}
