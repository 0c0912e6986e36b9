// What a card takes from an envelope, whole or as the parent's model sees it. It comes over a wire: every field is looked at.
import type { TokenUsage } from '../ag-ui/events.js';
import { readUsage, sumUsage } from '../ag-ui/usage.js';
import type { Flag, Issue, ReadonlyJson } from '../core.js';
import type { Amendment, ContractRef, Degradation } from '../envelope.js';
import type { CardAttempt, CardError, CardStatus } from './card.js';

/** An envelope, read. */
export interface EnvelopeFields {
  runId: string;
  subagent: string;
  status: CardStatus;
  /** Absent when there is none: `null` in the envelope. */
  result?: ReadonlyJson;
  /** Absent in what a parent's model sees. */
  attempts?: readonly CardAttempt[];
  contract?: ContractRef;
  summary?: string;
  degraded: readonly Degradation[];
  amendments: readonly Amendment[];
  flags: readonly Flag[];
  usage: readonly TokenUsage[];
  durationMs?: number;
  error?: CardError;
  transcriptRef?: string;
  interrupts: readonly unknown[];
}

const STATUSES: ReadonlyMap<unknown, CardStatus> = /* @__PURE__ */ new Map([
  ['failed', 'failed'],
  ['suspended', 'suspended'],
  ['cancelled', 'cancelled'],
]);

/** Reads an envelope; nothing for a value that is none. */
export function readEnvelope(value: unknown): EnvelopeFields | undefined {
  if (!isRecord(value) || typeof value.run_id !== 'string' || typeof value.subagent !== 'string') return undefined;
  if (!('final_result' in value)) return undefined;
  const { run_id: runId, subagent, final_result: result, contract, effort, resume } = value;
  const measured = isRecord(effort) && isRecord(effort.measured) ? effort.measured : {};
  const summary = text(value.task_summary);
  const error = readError(value.error);
  const transcriptRef = text(value.transcript_ref);
  return {
    runId,
    subagent,
    // What a parent's model sees says so only of what was not completed.
    status: STATUSES.get(value.status) ?? 'finished',
    ...(result !== null && { result: result as ReadonlyJson }),
    ...(Array.isArray(value.attempts) && { attempts: value.attempts.map(readAttempt) }),
    ...(isRecord(contract) && typeof contract.source === 'string' && { contract: readRef(contract) }),
    ...(summary !== undefined && { summary }),
    degraded: list<Degradation>(value.degraded, 'message').map(({ pointer, ...degraded }) => ({
      ...degraded,
      by: text(degraded.by) ?? '',
      ...(typeof pointer === 'string' && { pointer }),
    })),
    amendments: list<Amendment>(value.amendments, 'pointer').map((amendment) => ({
      ...amendment,
      by: text(amendment.by) ?? '',
    })),
    flags: strings(value.flags) as Flag[],
    usage: sumUsage(readUsage(value.usage)),
    ...(Number.isFinite(measured.duration_ms) && { durationMs: measured.duration_ms as number }),
    ...(error && { error }),
    ...(transcriptRef !== undefined && { transcriptRef }),
    interrupts: isRecord(resume) && Array.isArray(resume.interrupts) ? resume.interrupts : [],
  };
}

/** Reads an attempt, of an envelope or of a `subcontract.attempt`. */
export function readAttempt(value: unknown, index = 0): CardAttempt {
  const record = isRecord(value) ? value : {};
  const { attempt, outcome, via, code } = record as Partial<CardAttempt>;
  return {
    attempt: Number.isInteger(attempt) ? (attempt as number) : index + 1,
    outcome: outcome === 'accepted' || outcome === 'no_return' ? outcome : 'rejected',
    ...(typeof via === 'string' && { via }),
    ...(typeof code === 'string' && { code }),
    issues: readIssues(record.issues),
    early: record.early === true,
  };
}

/** Reads issues. */
export function readIssues(value: unknown): readonly Issue[] {
  return list<Issue>(value, 'message').map((issue) => ({
    ...issue,
    instancePath: text(issue.instancePath) ?? '',
    keyword: text(issue.keyword) ?? '',
  }));
}

function readRef({ digest, ...ref }: Record<string, unknown>): ContractRef {
  return { ...ref, ...(typeof digest === 'string' && { digest }) } as unknown as ContractRef;
}

/** As the host has it an object, as a parent's model sees it one line: `code: message`. */
function readError(value: unknown): CardError | undefined {
  if (typeof value === 'string') {
    const [, code, message] = /^([a-z_]+): (.*)$/s.exec(value) ?? [];
    return { ...(code !== undefined && { code }), message: message ?? value, issues: [] };
  }
  if (!isRecord(value)) return undefined;
  const code = text(value.code);
  return {
    ...(code !== undefined && { code }),
    message: text(value.message) ?? 'the child failed',
    issues: readIssues(value.issues),
  };
}

function list<T>(value: unknown, needs: string): T[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item) && typeof item[needs] === 'string') : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
