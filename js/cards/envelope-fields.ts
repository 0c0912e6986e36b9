// What a card takes from an envelope, whole or as the parent's model sees it. It comes over a wire: every field is looked at.
import { readUsage, usageField } from '../ag-ui/usage.js';
import type { Flag, Issue, ReadonlyJson } from '../core.js';
import type { Amendment, ContractRef, Degradation } from '../envelope.js';
import { defined, isRecord, records, textOf } from '../wire.js';
import type { Card, CardAttempt, CardError, CardStatus } from './card.js';

/** An envelope, read. */
export interface EnvelopeFields {
  runId: string;
  subagent: string;
  /** Absent when there is none: `null` in the envelope. */
  result?: ReadonlyJson;
  interrupts: readonly unknown[];
  /** What it says of the card. What a parent's model sees has no attempts. */
  card: Pick<Card, 'status' | 'degraded' | 'amendments' | 'flags'> &
    Partial<Pick<Card, 'attempts' | 'contract' | 'summary' | 'usage' | 'durationMs' | 'error' | 'transcriptRef'>>;
}

/** What a parent's model sees says how a child ended only where it did not complete. */
const NOT_COMPLETED: readonly unknown[] = ['failed', 'suspended', 'cancelled'];

/** Reads an envelope; nothing for a value that is none. */
export function readEnvelope(value: unknown): EnvelopeFields | undefined {
  if (!isRecord(value) || typeof value.run_id !== 'string' || typeof value.subagent !== 'string') return undefined;
  if (!('final_result' in value)) return undefined;
  const { run_id: runId, subagent, final_result: result, contract, effort, resume, attempts } = value;
  const measured = isRecord(effort) && isRecord(effort.measured) ? effort.measured : {};
  const card = defined<EnvelopeFields['card']>({
    status: NOT_COMPLETED.includes(value.status) ? (value.status as CardStatus) : 'finished',
    attempts: Array.isArray(attempts) ? attempts.map(readAttempt) : undefined,
    contract: isRecord(contract) && typeof contract.source === 'string' ? readRef(contract) : undefined,
    summary: textOf(value.task_summary),
    degraded: list<Degradation>(value.degraded, 'message').map((note) =>
      defined({ ...note, by: textOf(note.by) ?? '', pointer: textOf(note.pointer) }),
    ),
    amendments: list<Amendment>(value.amendments, 'pointer').map((note) => ({ ...note, by: textOf(note.by) ?? '' })),
    flags: (Array.isArray(value.flags) ? value.flags : []).filter((flag) => typeof flag === 'string') as Flag[],
    ...usageIn(value),
    durationMs: Number.isFinite(measured.duration_ms) ? (measured.duration_ms as number) : undefined,
    error: readError(value.error),
    transcriptRef: textOf(value.transcript_ref),
  });
  return {
    runId,
    subagent,
    ...(result !== null && { result: result as ReadonlyJson }),
    interrupts: isRecord(resume) && Array.isArray(resume.interrupts) ? resume.interrupts : [],
    card,
  };
}

/** The usage that somebody reports, summed. */
export function usageIn(value: unknown): Partial<Pick<Card, 'usage'>> {
  return isRecord(value) ? usageField(readUsage(value.usage)) : {};
}

/** Reads an attempt, of an envelope or of a `subcontract.attempt`. */
export function readAttempt(value: unknown, index = 0): CardAttempt {
  const { attempt, outcome, via, code, issues, early } = isRecord(value) ? value : {};
  return defined<CardAttempt>({
    attempt: Number.isInteger(attempt) ? (attempt as number) : index + 1,
    outcome: outcome === 'accepted' || outcome === 'no_return' ? outcome : 'rejected',
    via: textOf(via) as CardAttempt['via'],
    code: textOf(code) as CardAttempt['code'],
    issues: readIssues(issues),
    early: early === true,
  });
}

/** Reads issues. */
export function readIssues(value: unknown): readonly Issue[] {
  return list<Issue>(value, 'message').map((issue) => ({
    ...issue,
    instancePath: textOf(issue.instancePath) ?? '',
    keyword: textOf(issue.keyword) ?? '',
  }));
}

function readRef(ref: Record<string, unknown>): ContractRef {
  return defined({ ...ref, digest: textOf(ref.digest) }) as unknown as ContractRef;
}

/** As the host has it an object, as a parent's model sees it one line: `code: message`. */
function readError(value: unknown): CardError | undefined {
  if (typeof value === 'string') {
    const [, code, message = value] = /^([a-z_]+): (.*)$/s.exec(value) ?? [];
    return errorOf(code, message);
  }
  return isRecord(value) ? errorOf(value.code, value.message, value.issues) : undefined;
}

/** Why a child failed, from what somebody says of it. */
export function errorOf(code: unknown, message: unknown, issues?: unknown): CardError {
  return defined<CardError>({
    code: textOf(code),
    message: textOf(message) ?? 'the child failed',
    issues: readIssues(issues),
  });
}

function list<T>(value: unknown, needs: string): T[] {
  return records(value).filter((item) => typeof item[needs] === 'string') as T[];
}
