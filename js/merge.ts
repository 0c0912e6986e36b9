// Merging several children's returns into one record, of which nothing is lost.
import { type Contract, withContract } from './contract.js';
import type { Flag, Issue, Json } from './core.js';
import type { Amendment, Degradation, EnvelopeStatus, ResultEnvelope } from './envelope.js';
import { recordText, wellFormedJson } from './json-text.js';
import type { MergedResearchResult } from './records/merged-research.js';
import type { Finding } from './records/research-result.js';

/** A child of a merge, under an id of the caller's: what it returned, or why it did not. */
export type ChildResult<R = unknown> = { id: string; subagent?: string; input?: unknown; transcript_ref?: string } & (
  | { result: R }
  | { error: string | { code: string; message: string; issues?: readonly Issue[] } }
);

/** What a merged record keeps of a child. */
export interface MergedChild<R = unknown> {
  /** The envelope's `run_id`, or the id that the child was given under. */
  id: string;
  subagent?: string;
  status: EnvelopeStatus;
  task_summary?: string;
  /** The whole return. */
  result?: R;
  /** A return that does not satisfy the contract it was merged under; its child counts as failed. */
  returned?: unknown;
  error?: { code: string; message: string; issues?: Issue[] };
  degraded?: Degradation[];
  amendments?: Amendment[];
  flags?: Flag[];
  effort?: unknown;
  input?: unknown;
  transcript_ref?: string;
}

/** What one child has. */
export interface ByChild<V = unknown> {
  id: string;
  value: V;
}

/** Children that differ where one value is shown. */
export interface Disagreement {
  /** RFC 6901 pointer into `merged`. */
  at: string;
  /** What each child says, in call order. */
  values: ByChild[];
}

/** A question that a child answered. */
export interface Settled {
  question: string;
  /** The child's id. */
  by: string;
  /** Whether that child returned, and does not ask the question itself. A merge finds it. */
  holds?: boolean;
}

/** What several returns come to, and each of them. Wire names are snake case. */
export interface Merged<R = unknown> {
  /** In the contract's shape, or `{ by_child }` for a contract without rules; null when no child has a result. */
  merged: MergedValue<R> | null;
  disagreements: Disagreement[];
  settled?: Settled[];
  /** In call order, each once. */
  children: MergedChild<R>[];
  /** The digest of the contract. */
  contract: string;
  schema_version: number;
}

/** What merges of a contract's values look like; known for research records. */
export type MergedValue<R> = R extends { findings: Finding[]; assumptions: string[] } ? MergedResearchResult : unknown;

/** Whatever stands for one or several children. A string is the JSON text of one of the others: its numbers stay exact. */
export type Mergeable<R = unknown> =
  | ResultEnvelope<R>
  | ChildResult<R>
  | Merged<R>
  | MergedChild<R>
  | { settled: readonly Settled[] }
  | string;

/** How children are merged. */
export interface MergeOptions {
  /** Ids in call order, where the children are given in another, such as that of their arrival. */
  order?: readonly string[];
}

/**
 * Merges what children returned, in call order. How each property merges is said by the contract's `x-merge`; what it does not
 * say is kept by child. A merged record can be merged again, in any grouping, and a child that comes twice counts once.
 *
 * A child that failed stays as a failure. A result that does not satisfy the contract makes its child a failed one.
 *
 * @param contract the contract, or its schema, which is then compiled for this call
 * @throws SubcontractError `merge_no_children`, `merge_conflict` (two different children under one id), `merge_unreadable`,
 * `merge_other_contract`, `merge_unknown_version`, `merge_rule` (an `x-merge` that there is not).
 */
export function mergeResults<R = unknown>(
  contract: Contract<R> | object | string,
  children: readonly Mergeable<R>[],
  options: MergeOptions = {},
): Merged<R> {
  return JSON.parse(mergeResultsText(contract, children, options)) as Merged<R>;
}

/** As {@link mergeResults}, as JSON text, in which numbers stay exact. */
export function mergeResultsText<R = unknown>(
  contract: Contract<R> | object | string,
  children: readonly Mergeable<R>[],
  options: MergeOptions = {},
): string {
  if (!Array.isArray(children)) throw new TypeError('children must be a list, in call order');
  const texts = children.map((child, at) => recordText(child, `children[${at}]`, 'merge_unreadable'));
  const order = wellFormedJson(options.order ?? []);
  // A text may not reach out of its place: each is read alone by the core, which is given it as a string.
  const request = `{"children":[${texts.map((text) => wellFormedJson(text)).join(',')}],"order":${order}}`;
  return withContract(contract, ({ handle }) => handle.merge(request));
}

/** The JSON Schema that every merge under a contract satisfies. */
export function mergedContract(contract: Contract | object | string): { [keyword: string]: Json } {
  return JSON.parse(withContract(contract, ({ handle }) => handle.mergedSchema())) as { [keyword: string]: Json };
}
