// `sealResume` and `openResume`: resume state as a token that a client can carry and cannot change.
import { assertString } from './boundary.js';
import { openResumeState, type ResumeExpectation } from './core.js';
import { ResumeError } from './errors.js';
import { spelled } from './misuse.js';
import type { ResumeState } from './resume.js';
import { KeyRing, type SealKey } from './seal-keys.js';
import { assertBind, bodyText, openToken, type SealTerms, sealBody, stateText, wholeTime } from './sealed-token.js';

/** How large a token may be that a client carries, in bytes of state, unless the host says otherwise. */
export const CARRIED_BYTES = 1 << 20;

/** How {@link sealResume} seals. */
export interface SealResumeOptions extends SealTerms {
  /** The first one seals. */
  keys: readonly SealKey[];
  /** How large the state may be, in bytes. Default 1 MiB, because a browser has to carry it. */
  maxBytes?: number;
}

/** What a token has to have been sealed for. A field that is `undefined` is not compared; say so for each. */
export interface SealedExpectation {
  threadId: string | undefined;
  toolCallId: string | undefined;
  subagent: string | undefined;
  /** The brief as the client replayed it: white space and the order of members change nothing. */
  brief: string | undefined;
  contractDigest?: string | undefined;
}

/** How {@link openResume} opens. */
export interface OpenResumeOptions {
  /** Those that may have sealed it, in any order. */
  keys: readonly SealKey[];
  /** Milliseconds since the epoch. */
  now: number;
  expect: SealedExpectation;
  /** Whose it has to be. Without it, it has to be nobody's in particular. */
  bind?: string | undefined;
  /**
   * What to do when the contract has another digest than `expect.contractDigest`. `'refuse'`, the default; `'revalidate'`:
   * go on, and judge the return by the contract that holds now.
   */
  onContractChange?: 'refuse' | 'revalidate';
  /** As in {@link SealResumeOptions}. */
  maxBytes?: number;
}

/**
 * Seals resume state. The token is HMAC-SHA-256 over everything in it; it can be read by whoever holds it, so use
 * {@link resumeSeal} with `encrypt` or with a `store` where the child's messages are not for the client's eyes.
 *
 * Throws a `ResumeError` `resume_too_large`, `resume_brief_not_json`, or `resume_unreadable` for what is no state or holds
 * what JSON cannot carry, and a `TypeError` or `RangeError` for keys and times that are none.
 */
export function sealResume(state: ResumeState, options: SealResumeOptions): string {
  assertFields(options, 'sealResume', SEALING);
  const keys = new KeyRing(options.keys);
  const body = sizedBody(stateText(state, options), sizeLimit(options.maxBytes, CARRIED_BYTES));
  return sealBody('plain', body, keys.sealing);
}

/**
 * Opens a token that {@link sealResume} made.
 *
 * Throws a `ResumeError` with the code of the first thing that does not hold: `resume_unreadable`, `resume_truncated`,
 * `resume_unknown_version`, `resume_unknown_key`, `resume_tampered`, `resume_too_large`, `resume_encrypted`,
 * `resume_other_agent`, `resume_other_thread`, `resume_other_tool_call`, `resume_other_bind`, `resume_contract_changed`,
 * `resume_brief_changed`, `resume_brief_not_json`, `resume_expired`. What is misuse, a time or an expectation that is none
 * among it, is a `TypeError` or a `RangeError`: nothing goes uncompared by mistake.
 */
export function openResume(token: string, options: OpenResumeOptions): ResumeState {
  assertString(token);
  assertFields(options, 'openResume', OPENING);
  const keys = new KeyRing(options.keys);
  assertExpectation(options.expect);
  assertBind(options.bind);
  wholeTime(options.now);
  checkTokenSize(token, sizeLimit(options.maxBytes, CARRIED_BYTES));
  const { form, body } = openToken(token, keys);
  if (form === 'encrypted') {
    throw new ResumeError('the resume token is encrypted: open it with resumeSeal({ keys }).open()', {
      code: 'resume_encrypted',
    });
  }
  return openBody(bodyText(body), options);
}

/** Reads an opened body and compares it with what is expected. Throws a `ResumeError`. */
export function openBody(
  text: string,
  { now, expect, bind, onContractChange }: Omit<OpenResumeOptions, 'keys' | 'now'> & { now: number | undefined },
): ResumeState {
  const { contractDigest, ...others } = expect;
  const expected: ResumeExpectation = {
    ...others,
    ...(onContractChange !== 'revalidate' && { contractDigest }),
    now: now === undefined ? undefined : wholeTime(now),
    bind: bind ?? null,
  };
  return openResumeState(text, expected);
}

const SEALING: readonly string[] = ['keys', 'now', 'ttl', 'bind', 'maxBytes'] satisfies (keyof SealResumeOptions)[];
const OPENING: readonly string[] = [
  'keys',
  'now',
  'expect',
  'bind',
  'onContractChange',
  'maxBytes',
] satisfies (keyof OpenResumeOptions)[];

/** Throws a `TypeError` for a field that does not exist: a misspelt `bind` would bind to nobody. */
export function assertFields(options: object, what: string, known: readonly string[]): void {
  for (const field of Object.keys(options)) {
    if (!known.includes(field)) throw new TypeError(`${what} has an unknown field ${JSON.stringify(field)}`);
  }
}

/** What {@link SealedExpectation} has: the first four have to be said. */
const EXPECTED = [
  'threadId',
  'toolCallId',
  'subagent',
  'brief',
  'contractDigest',
] as const satisfies readonly (keyof SealedExpectation)[];

/** Throws a `TypeError` for a field that is forgotten, misspelt or no text: none of these may pass for "not compared". */
export function assertExpectation(expect: SealedExpectation): void {
  if (typeof expect !== 'object' || expect === null) throw new TypeError('expect must say what was sealed');
  assertFields(expect, 'expect', EXPECTED);
  for (const field of EXPECTED) {
    const value: unknown = expect[field];
    const said = field in expect || field === 'contractDigest';
    if (said && (value === undefined || typeof value === 'string')) continue;
    throw new TypeError(`expect.${field} must be a text, or undefined where it is not to be compared`);
  }
}

/** A limit in bytes, or the default. Throws a `RangeError`: what is no number would be no limit. */
export function sizeLimit(maxBytes: number | undefined, otherwise: number): number {
  if (maxBytes === undefined) return otherwise;
  if (typeof maxBytes === 'number' && maxBytes > 0) return maxBytes;
  throw new RangeError(`maxBytes must be a number of bytes above 0, not ${spelled(maxBytes)}`);
}

/** A body's bytes. Throws a `ResumeError` when there are too many. */
export function sizedBody(text: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(text);
  if (body.length > maxBytes) throw tooLarge(maxBytes, `${body.length}`);
  return body;
}

/** Throws a `ResumeError` for a token that no body of this size makes, before it is read. */
export function checkTokenSize(token: string, maxBytes: number): void {
  // Base64url takes four characters for three bytes; the other parts and a cipher's own bytes are few.
  if (token.length > (maxBytes / 3) * 4 + 512) throw tooLarge(maxBytes, 'more');
}

function tooLarge(maxBytes: number, found: string): ResumeError {
  return new ResumeError(
    `the child's state may have ${maxBytes} bytes and has ${found}: give seal a store, or raise maxBytes`,
    { code: 'resume_too_large' },
  );
}
