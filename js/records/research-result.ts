// The research record: what a research child returns, as a lenient and as a strict JSON Schema, and extensions of both.

import { assertObject } from '../misuse.js';
import type { JsonSchemaOf } from '../schema.js';
import type { JsonSchemaObject, ValueOf } from './schema-value.js';

/** How a finding is known, strongest first. */
export type Confidence = 'verified' | 'inferred' | 'reported';

/** One thing the child claims, with where it comes from. */
export interface Finding {
  claim: string;
  /** `file:line`, `table.column`, or a URL with `retrieved_at`. */
  provenance: string[];
  confidence: Confidence;
}

/** A question the child could not answer. */
export interface OpenQuestion {
  question: string;
  would_settle_it: string;
}

/** What was searched, and what was not. */
export interface Coverage {
  searched?: string[];
  not_searched?: string[];
}

/** The child's own account of its work; the host measures beside it. */
export interface ClaimedEffort {
  tool_calls?: number;
  budget_exhausted?: boolean;
}

/** What `researchResult` accepts: the named slots, open for an author's own fields. */
export interface ResearchResult {
  findings: (Finding & { [field: string]: unknown })[];
  assumptions: string[];
  unresolved: (OpenQuestion & { [field: string]: unknown })[];
  coverage: Coverage & { [field: string]: unknown };
  effort: ClaimedEffort & { [field: string]: unknown };
  transcript_ref?: string;
  [field: string]: unknown;
}

/** What `strictResearchResult` accepts: the same slots, closed and filled. */
export interface StrictResearchResult {
  findings: Finding[];
  assumptions: string[];
  unresolved: OpenQuestion[];
  coverage: Required<Coverage>;
  effort: Required<ClaimedEffort>;
  transcript_ref?: string;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const TITLE = 'research_result';
const DESCRIPTION =
  'The result of a focused piece of research. An empty list means that there is nothing to say, not that the slot was forgotten.';
const SLOTS = ['findings', 'assumptions', 'unresolved', 'coverage', 'effort'] as const;

/** Strings, which in the strict form say something. */
const text = { type: 'string' } as const;
const words = { type: 'string', minLength: 1 } as const;

/** The slots, around the schema of their strings. `x-merge` says how several children's records become one. */
function slots<S extends object, I extends object, O extends object>(string: S, count: I, closed: O) {
  return {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          claim: { ...string, description: 'One statement that can be checked on its own' },
          provenance: {
            type: 'array',
            items: string,
            description: 'Where the claim comes from: file:line, table.column, or url + retrieved_at',
            'x-merge': 'union',
          },
          confidence: {
            type: 'string',
            enum: ['verified', 'inferred', 'reported'],
            description:
              'verified: read from the source itself; inferred: concluded across sources, stated by none; reported: asserted by a source and not checked',
            'x-merge': 'strongest',
          },
        },
        required: ['claim', 'provenance', 'confidence'],
        ...closed,
      },
      'x-merge': 'dedupe:claim',
    },
    assumptions: {
      type: 'array',
      items: string,
      description: 'What had to be taken as true to proceed',
      'x-merge': 'union',
    },
    unresolved: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          question: { ...string, description: 'What could not be determined' },
          would_settle_it: { ...string, description: 'The document, query or person that would answer it' },
        },
        required: ['question', 'would_settle_it'],
        ...closed,
      },
      'x-merge': 'union',
    },
    coverage: {
      type: 'object',
      properties: {
        searched: { type: 'array', items: string, description: 'What was looked at', 'x-merge': 'union' },
        not_searched: {
          type: 'array',
          items: string,
          description: 'What was relevant and was not looked at',
          'x-merge': 'intersect:searched',
        },
      },
      ...('additionalProperties' in closed && { required: ['searched', 'not_searched'] }),
      ...closed,
    },
    effort: {
      type: 'object',
      properties: {
        tool_calls: { type: 'integer', ...count, description: 'Tool calls made', 'x-merge': 'sum' },
        budget_exhausted: {
          type: 'boolean',
          description: 'True when the work stopped for lack of budget and not because it was done',
          'x-merge': 'any',
        },
      },
      ...('additionalProperties' in closed && { required: ['tool_calls', 'budget_exhausted'] }),
      ...closed,
    },
    transcript_ref: {
      ...string,
      description: 'A handle for fetching parts of the transcript on demand; never the transcript',
      'x-merge': 'keep-by-child',
    },
  } as const;
}

const lenientSlots = /* @__PURE__ */ slots(text, {}, {});
const strictSlots = /* @__PURE__ */ slots(words, { minimum: 0 }, { additionalProperties: false });

/** The JSON Schema of a research record. */
export interface ResearchSchema {
  readonly $schema: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object | boolean>>;
  readonly required: readonly string[];
  readonly additionalProperties?: false;
}

/**
 * The contract of a research child, as a JSON Schema to pass as `outputSchema`. The five slots are
 * required, because a field that a child may omit is a field it will omit; objects stay open.
 */
export const researchResult: ResearchSchema & JsonSchemaOf<ResearchResult> = {
  $schema: DIALECT,
  title: TITLE,
  description: DESCRIPTION,
  type: 'object',
  properties: lenientSlots,
  required: SLOTS,
};

/**
 * `researchResult`, closed: no field beyond the named ones, the fields inside `coverage` and
 * `effort` are required too, and strings say something. Everything it accepts, `researchResult` accepts.
 */
export const strictResearchResult: ResearchSchema & JsonSchemaOf<StrictResearchResult> = {
  $schema: DIALECT,
  title: TITLE,
  description: DESCRIPTION,
  type: 'object',
  properties: strictSlots,
  required: SLOTS,
  additionalProperties: false,
};

/** How a research record is extended. */
export interface ExtendOptions<Optional extends string = never> {
  /** Extends `strictResearchResult`: then no field beyond the named and the added ones. */
  strict?: boolean;
  /** Added fields that a child may leave out. The others are required. */
  optional?: readonly Optional[];
  /** In place of `research_result`. */
  title?: string;
}

type Added<F extends Readonly<Record<string, JsonSchemaObject>>, Optional extends string> = {
  [Name in Exclude<keyof F, Optional>]: ValueOf<F[Name]>;
} & { [Name in Extract<keyof F, Optional>]?: ValueOf<F[Name]> };

/**
 * A research record with fields of the author's own, each as name and JSON Schema. It loosens nothing: the named slots stay as
 * they are, and an added field cannot take the name of one. How an added field merges is said by its `x-merge`; without one it
 * is kept by child.
 *
 * @throws TypeError when a field has the name of a slot, or `optional` names a field that is not added.
 */
export function extendResearchResult<
  const F extends Readonly<Record<string, JsonSchemaObject>>,
  const Optional extends Extract<keyof F, string> = never,
>(
  fields: F,
  options: ExtendOptions<Optional> & { strict: true },
): ResearchSchema & JsonSchemaOf<StrictResearchResult & Added<F, Optional>>;
export function extendResearchResult<
  const F extends Readonly<Record<string, JsonSchemaObject>>,
  const Optional extends Extract<keyof F, string> = never,
>(fields: F, options?: ExtendOptions<Optional>): ResearchSchema & JsonSchemaOf<ResearchResult & Added<F, Optional>>;
export function extendResearchResult(
  fields: Readonly<Record<string, JsonSchemaObject>>,
  options: ExtendOptions<string> = {},
): ResearchSchema {
  assertObject('the added fields', fields);
  assertObject('the options of extendResearchResult', options);
  const base: ResearchSchema = options.strict === true ? strictResearchResult : researchResult;
  const { optional = [], title = TITLE } = options;
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(base.properties, name)) throw new TypeError(`'${name}' is a slot of the research record`);
  }
  for (const name of optional) {
    if (!Object.hasOwn(fields, name)) throw new TypeError(`'${name}' is no added field`);
  }
  return {
    ...base,
    title,
    properties: { ...base.properties, ...fields },
    required: [...base.required, ...Object.keys(fields).filter((name) => !optional.includes(name))],
  };
}
