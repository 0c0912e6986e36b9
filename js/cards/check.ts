// The page's own verdict on a result, by the contract that it knows.
import type { Issue, ReadonlyJson } from '../core.js';
import type { ContractRef } from '../envelope.js';
import { isRecord } from '../wire.js';
import type { CardContract } from './agents.js';
import type { CardCheck } from './card.js';
import { shared } from './share.js';

/** What there is to check. */
export interface Checked {
  result: ReadonlyJson;
  /** What streamed through the page last; absent when nothing did. */
  streamed: ReadonlyJson | undefined;
  /** Whether the envelope says that the result was changed. */
  amended: boolean;
  /** What the child was held to, when the envelope says it. */
  ref: ContractRef | undefined;
  contract: CardContract | undefined;
  /** Whether the page knows the agent. */
  known: boolean;
}

/** Judges the result in an envelope. */
export function checkResult({ result, streamed, amended, ref, contract, known }: Checked): CardCheck {
  if (ref?.source === 'none') return { verdict: 'unchecked', reason: 'no_contract' };
  if (contract === undefined) return { verdict: 'unchecked', reason: known ? 'no_contract' : 'unknown_agent' };
  if (ref?.digest !== undefined && ref.digest !== contract.contract.digest) {
    return { verdict: 'unchecked', reason: 'other_contract' };
  }
  const verdict = contract.contract.checkValue(result);
  if (!verdict.ok) return { verdict: 'invalid', code: verdict.code, issues: verdict.issues };
  return { verdict: 'valid', streamed: compared(result, streamed, amended) };
}

/** What a check has against a result. */
export function issuesOf(check: CardCheck): readonly Issue[] {
  return check.verdict === 'invalid' ? check.issues : [];
}

function compared(result: ReadonlyJson, streamed: ReadonlyJson | undefined, amended: boolean) {
  if (streamed === undefined) return 'unseen';
  if (shared(streamed, result) === streamed || sameBut(result, streamed)) return 'same';
  return amended ? 'amended' : 'different';
}

/** A child's own `transcript_ref` is replaced by the host's. */
function sameBut(result: ReadonlyJson, streamed: ReadonlyJson): boolean {
  if (!isRecord(result) || !isRecord(streamed)) return false;
  const { transcript_ref: _ours, ...own } = result;
  const { transcript_ref: _theirs, ...before } = streamed;
  return shared(before, own) === before;
}
