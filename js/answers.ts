// The answers to a suspended child's interrupts, judged by AG-UI's rules before the child goes on.
import type { Interrupt, ResumeEntry } from './ag-ui/events.js';
import { type Contract, withContract } from './contract.js';
import type { Issue } from './core.js';
import { firstIssue, ResumeError } from './errors.js';
import { noJson, toJsonText } from './json-text.js';
import { spelled } from './misuse.js';
import { resumeTokenIn, withoutResumeToken, withResumeToken } from './raise.js';
import type { ResumeState } from './resume.js';
import { isRecord } from './wire.js';

/** Throws a `ResumeError` `resume_answer_malformed` for what is no list of answers: it comes from a client. */
export function assertAnswers(resume: unknown): asserts resume is readonly ResumeEntry[] {
  if (Array.isArray(resume) && resume.every((entry) => typeof entry?.interruptId === 'string')) return;
  refuse('resume_answer_malformed', 'resume must be a list of answers, each with an interruptId');
}

/** The answers that a child goes on with. */
export interface Answers {
  /** One for each open interrupt, in the interrupts' order. */
  entries: ResumeEntry[];
  /** Ids that no interrupt of the child has: a producer goes on without them, and says so. */
  ignored: string[];
}

/**
 * Matches answers with a child's open interrupts: one resume covers them all, each answered once. The same answer twice is
 * one; what is no answer to an open interrupt is ignored. An expired interrupt can only be cancelled, and a payload
 * satisfies the interrupt's `responseSchema`.
 *
 * `trusted`: nobody but the host has had the interrupts' schemas in hand. Else they are taken as written by a model.
 *
 * Throws a `ResumeError`: `resume_answer_malformed`, `resume_answered_twice`, `resume_unanswered`, `resume_expired` or
 * `resume_payload_rejected`.
 */
export function matchAnswers(
  interrupts: readonly Interrupt[],
  given: readonly ResumeEntry[],
  { now, trusted }: { now: number; trusted: boolean },
): Answers {
  const open = new Map(interrupts.map((interrupt) => [interrupt.id, interrupt]));
  const byId = new Map<string, ResumeEntry>();
  const ignored: string[] = [];
  for (const entry of given) {
    checkShape(entry);
    const { interruptId } = entry;
    const before = byId.get(interruptId);
    if (!open.has(interruptId)) {
      if (!ignored.includes(interruptId)) ignored.push(interruptId);
    } else if (before === undefined) {
      byId.set(interruptId, entry);
    } else if (said(before) !== said(entry)) {
      refuse('resume_answered_twice', `the interrupt ${shown(interruptId)} has two different answers`);
    }
  }
  const entries = interrupts.map((interrupt) => {
    const entry = byId.get(interrupt.id);
    if (entry === undefined) {
      const others = ignored.length > 0 ? `; there are answers to ${ignored.slice(0, 3).map(spelled).join(', ')}` : '';
      return refuse('resume_unanswered', `the interrupt ${shown(interrupt.id)} has no answer${others}`);
    }
    if (entry.status === 'resolved') checkResolved(interrupt, entry, now, trusted);
    return withTokenOf(interrupt, entry);
  });
  return { entries, ignored };
}

/**
 * The answers to a suspended child, matched, and whether they call it off: a cancelled answer to what the child asked
 * itself. A state that has expired can be called off, and no more.
 *
 * Throws a `ResumeError`, see {@link matchAnswers}.
 */
export function judgeAnswers(
  { interrupts, expires_at: until, subagent_run_id: own }: ResumeState,
  given: readonly ResumeEntry[],
  how: { now: number; trusted: boolean },
): Answers & { cancelled: boolean } {
  const answers = matchAnswers(interrupts, given, how);
  const off = interrupts.filter((_, index) => answers.entries[index]?.status === 'cancelled');
  const expired = until !== undefined && how.now > until;
  const cancelled =
    off.some(({ subagentRunId = own }) => subagentRunId === own) || (expired && off.length === interrupts.length);
  if (expired && !cancelled) {
    refuse('resume_expired', 'this child was suspended too long ago to be resumed, and can only be cancelled');
  }
  return { ...answers, cancelled };
}

/** When the first of the interrupts expires, in milliseconds since the epoch. */
export function earliestExpiry(interrupts: readonly Interrupt[]): number | undefined {
  const times = interrupts.map(({ expiresAt }) => Date.parse(expiresAt ?? '')).filter(Number.isFinite);
  return times.length > 0 ? Math.min(...times) : undefined;
}

function checkShape(entry: ResumeEntry | null | undefined): void {
  const { interruptId, status, metadata } = entry ?? ({} as Partial<ResumeEntry>);
  if (typeof interruptId !== 'string' || (status !== 'resolved' && status !== 'cancelled')) {
    refuse('resume_answer_malformed', 'an answer needs an interruptId, and a status that is resolved or cancelled');
  }
  // The child's own host reads it, when the child has been claimed.
  if (metadata !== undefined && !isRecord(metadata)) {
    refuse('resume_answer_malformed', `the metadata of the answer to ${shown(interruptId)} must be an object`);
  }
  said(entry as ResumeEntry);
}

function checkResolved(interrupt: Interrupt, { payload }: ResumeEntry, now: number, trusted: boolean): void {
  const { id, responseSchema } = interrupt;
  if (hasExpired(interrupt, now)) {
    refuse('resume_expired', `the interrupt ${shown(id)} has expired and can only be cancelled`);
  }
  if (responseSchema === undefined) return;
  const issues = payloadIssues(responseSchema, payload, trusted);
  if (issues.length === 0) return;
  const why = firstIssue(issues);
  throw new ResumeError(`the answer to the interrupt ${shown(id)} does not satisfy its responseSchema${why}`, {
    code: 'resume_payload_rejected',
    issues,
  });
}

/** Whether an interrupt can only be cancelled any more. */
export function hasExpired({ expiresAt }: Interrupt, now: number): boolean {
  // What is no time cannot be told from a time that has passed.
  return expiresAt !== undefined && !(Date.parse(expiresAt) > now);
}

/** What an interrupt's schema has against a payload. Throws a `SchemaError` for one that does not compile. */
export function payloadIssues(schema: object, payload: unknown, trusted: boolean): readonly Issue[] {
  const judge = (contract: Contract) => {
    const verdict = contract.checkValue(payload);
    return verdict.ok ? [] : verdict.issues;
  };
  return withContract(schema, judge, trusted ? {} : { trust: 'model' });
}

/** The token of a child further down is the one in the state, whatever the client has sent along. */
function withTokenOf(interrupt: Interrupt, entry: ResumeEntry): ResumeEntry {
  const token = resumeTokenIn(interrupt);
  const own = withoutResumeToken(entry);
  return token === undefined ? own : withResumeToken(own, token);
}

/** What an answer says. Throws a `ResumeError` for a payload that JSON cannot carry: a store could not tell it from another. */
function said({ interruptId, status, payload }: ResumeEntry): string {
  if (payload === undefined) return status;
  const json = toJsonText(payload);
  if (json.ok) return `${status} ${json.text}`;
  return refuse('resume_answer_malformed', `the answer to the interrupt ${shown(interruptId)} is ${noJson(json)}`);
}

function shown(id: string): string {
  return JSON.stringify(id);
}

function refuse(code: string, message: string): never {
  throw new ResumeError(message, { code });
}
