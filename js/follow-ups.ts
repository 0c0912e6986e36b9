// Open questions as briefs for another call, and their answers folded back.
import { ask } from './boundary.js';
import type { Contract } from './contract.js';
import type { ResultEnvelope } from './envelope.js';
import { recordText } from './json-text.js';
import { type ChildResult, type Mergeable, type Merged, type MergeOptions, mergeResults } from './merge.js';
import { assertList, assertObject } from './misuse.js';

/** An open question as a brief: what to ask another child instead of guessing. */
export interface FollowUp {
  question: string;
  /** What the children that ask it say would settle it. */
  would_settle_it: string[];
  /** Where nobody need look again: one list, which all of them share. */
  already_searched: string[];
  /** Ids of the children of a merge that ask it; empty for a result alone. */
  asked_by: string[];
}

/**
 * The open questions of a result, an envelope or a merged record, each once. A string is the JSON text of one of them.
 *
 * @throws SubcontractError `unreadable_record` when it is no JSON, or a value that has none.
 */
export function followUps(value: unknown): FollowUp[] {
  const text = recordText(value ?? null, 'the record', 'unreadable_record');
  const { questions, already_searched } = JSON.parse(ask('OpenQuestions', text)) as {
    questions: Omit<FollowUp, 'already_searched'>[];
    already_searched: string[];
  };
  return questions.map(({ question, would_settle_it, asked_by }) => ({
    question,
    would_settle_it,
    already_searched,
    asked_by,
  }));
}

/** A question, and the child that was sent to answer it. */
export interface Answer<R = unknown> {
  /** As the follow-up spells it. */
  question: string;
  /** What came back. The question stays open when the child failed, or asks it itself. */
  answer: ResultEnvelope<R> | ChildResult<R>;
}

/**
 * Merges answers into the record that asked: their findings, assumptions and new questions are part of it, and a question that
 * was answered moves from `unresolved` to `settled`, with who answered it.
 *
 * @throws SubcontractError as {@link mergeResults}.
 */
export function markSettled<R = unknown>(
  contract: Contract<R> | object | string,
  record: Mergeable<R>,
  answers: readonly Answer<R>[],
  options: MergeOptions = {},
): Merged<R> {
  assertList('answers', answers);
  const settled = answers.map((each, at) => {
    assertObject(`answers[${at}]`, each);
    const { question, answer } = each;
    if (typeof answer !== 'object' || answer === null)
      throw new TypeError(`answers[${at}].answer must be an envelope or { id, result }`);
    return { question, by: 'run_id' in answer ? answer.run_id : answer.id };
  });
  return mergeResults(contract, [record, ...answers.map(({ answer }) => answer), { settled }], options);
}
