// The research record: what a research child returns, as a lenient and as a strict JSON Schema.

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

const claim = {
  type: 'string',
  minLength: 1,
  description: 'One statement that can be checked on its own',
} as const;

const provenance = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'Where the claim comes from: file:line, table.column, or url + retrieved_at',
} as const;

const confidence = {
  type: 'string',
  enum: ['verified', 'inferred', 'reported'],
  description:
    'verified: read from the source itself; inferred: concluded across sources, stated by none; reported: asserted by a source and not checked',
} as const;

const assumptions = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'What had to be taken as true to proceed',
} as const;

const question = {
  type: 'string',
  minLength: 1,
  description: 'What could not be determined',
} as const;

const wouldSettleIt = {
  type: 'string',
  minLength: 1,
  description: 'The document, query or person that would answer it',
} as const;

const searched = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'What was looked at',
} as const;

const notSearched = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: 'What was relevant and was not looked at',
} as const;

const toolCalls = { type: 'integer', minimum: 0, description: 'Tool calls made' } as const;

const budgetExhausted = {
  type: 'boolean',
  description: 'True when the work stopped for lack of budget and not because it was done',
} as const;

const transcriptRef = {
  type: 'string',
  minLength: 1,
  description: 'A handle for fetching parts of the transcript on demand; never the transcript',
} as const;

/**
 * The contract of a research child, as a JSON Schema to pass as `outputSchema`. The five slots are
 * required, because a field that a child may omit is a field it will omit; objects stay open.
 */
export const researchResult = {
  $schema: DIALECT,
  title: TITLE,
  description: DESCRIPTION,
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: { claim, provenance, confidence },
        required: ['claim', 'provenance', 'confidence'],
      },
    },
    assumptions,
    unresolved: {
      type: 'array',
      items: {
        type: 'object',
        properties: { question, would_settle_it: wouldSettleIt },
        required: ['question', 'would_settle_it'],
      },
    },
    coverage: {
      type: 'object',
      properties: { searched, not_searched: notSearched },
    },
    effort: {
      type: 'object',
      properties: { tool_calls: toolCalls, budget_exhausted: budgetExhausted },
    },
    transcript_ref: transcriptRef,
  },
  required: ['findings', 'assumptions', 'unresolved', 'coverage', 'effort'],
} as const;

/**
 * `researchResult`, closed: no field beyond the named ones, and the fields inside `coverage` and
 * `effort` are required too. Everything it accepts, `researchResult` accepts.
 */
export const strictResearchResult = {
  $schema: DIALECT,
  title: TITLE,
  description: DESCRIPTION,
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: { claim, provenance, confidence },
        required: ['claim', 'provenance', 'confidence'],
        additionalProperties: false,
      },
    },
    assumptions,
    unresolved: {
      type: 'array',
      items: {
        type: 'object',
        properties: { question, would_settle_it: wouldSettleIt },
        required: ['question', 'would_settle_it'],
        additionalProperties: false,
      },
    },
    coverage: {
      type: 'object',
      properties: { searched, not_searched: notSearched },
      required: ['searched', 'not_searched'],
      additionalProperties: false,
    },
    effort: {
      type: 'object',
      properties: { tool_calls: toolCalls, budget_exhausted: budgetExhausted },
      required: ['tool_calls', 'budget_exhausted'],
      additionalProperties: false,
    },
    transcript_ref: transcriptRef,
  },
  required: ['findings', 'assumptions', 'unresolved', 'coverage', 'effort'],
  additionalProperties: false,
} as const;
