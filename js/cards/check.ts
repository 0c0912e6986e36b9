// The page's own verdict on a result, by the contract that it knows.
import type { ReadonlyJson } from '../core.js';
import type { ContractRef } from '../envelope.js';
import { isRecord } from '../wire.js';
import type { CardContract } from './agents.js';
import type { CardCheck, CardReturn } from './card.js';
import type { CardStart } from './card-start.js';
import { shared } from './share.js';

/** What there is to compare a result with. */
export interface Beside {
  /** What streamed through the page last; absent when nothing did. */
  streamed: ReadonlyJson | undefined;
  /** Whether the envelope says that the result was changed. */
  amended: boolean;
  /** What the child was held to, when the envelope says it. */
  ref: ContractRef | undefined;
}

/** Judges the result in an envelope. */
export function checkResult(
  result: ReadonlyJson,
  { contract, known }: Pick<CardStart, 'contract' | 'known'>,
  { streamed, amended, ref }: Beside,
): CardCheck {
  if (ref?.source === 'none') return { verdict: 'unchecked', reason: 'no_contract' };
  if (contract === undefined) return { verdict: 'unchecked', reason: known ? 'no_contract' : 'unknown_agent' };
  if (ref?.digest !== undefined && ref.digest !== contract.contract.digest) {
    return { verdict: 'unchecked', reason: 'other_contract' };
  }
  const verdict = contract.contract.checkValue(result);
  if (!verdict.ok) return { verdict: 'invalid', code: verdict.code, issues: verdict.issues };
  return { verdict: 'valid', streamed: compared(result, streamed, amended) };
}

const STATUS = { valid: 'complete', invalid: 'rejected', unchecked: 'unread' } as const;

/** A result as the card's return, with what the check has against it. */
export function returnOf(value: ReadonlyJson, check: CardCheck, contract: CardContract | undefined): CardReturn {
  return {
    value,
    source: 'envelope',
    status: STATUS[check.verdict],
    issues: check.verdict === 'invalid' ? check.issues : [],
    ...(contract && { schema: contract.schema }),
  };
}

function compared(result: ReadonlyJson, streamed: ReadonlyJson | undefined, amended: boolean) {
  if (streamed === undefined) return 'unseen';
  const own = withoutRef(result);
  const before = withoutRef(streamed);
  if (shared(before, own) === before) return 'same';
  return amended ? 'amended' : 'different';
}

/** A child's own `transcript_ref` is replaced by the host's. */
function withoutRef(value: ReadonlyJson): ReadonlyJson {
  if (!isRecord(value)) return value;
  const { transcript_ref: _ref, ...own } = value;
  return own as ReadonlyJson;
}
