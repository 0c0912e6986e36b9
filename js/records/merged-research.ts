// What merges of research records look like.
import type { ByChild } from '../merge.js';
import type { ClaimedEffort, Confidence, Coverage, OpenQuestion } from './research-result.js';

/** One claim of one or several children. */
export interface MergedFinding {
  /** As the first child spells it. */
  claim: string;
  /** Every child's. */
  provenance: string[];
  /** The strongest that a child gave. */
  confidence: Confidence;
  /** What each child gave, with the finding's own further fields. */
  by_child: ByChild<{ confidence: Confidence; [field: string]: unknown }>[];
}

/** A gap that some children declared. */
export interface PartlyDeclared {
  slot: 'not_searched';
  value: string;
  /** Ids of children. */
  declared_by: string[];
  /** Ids of those that searched it. */
  searched_by: string[];
}

/** Several research records as one. */
export interface MergedResearchResult {
  findings: MergedFinding[];
  assumptions: string[];
  unresolved: (OpenQuestion & { [field: string]: unknown })[];
  /** `not_searched` is what every child that says so did not search. */
  coverage: Coverage & { partly_declared?: PartlyDeclared[]; by_child?: ByChild<object>[] };
  effort: ClaimedEffort & { by_child?: ByChild<object>[] };
  /** Fields of the author's own that are kept by child. */
  by_child?: ByChild<{ [field: string]: unknown }>[];
  [field: string]: unknown;
}
