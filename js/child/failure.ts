// How a child fails: one code, one sentence, and the error that says it to code.
import type { Issue } from '../core.js';
import { withoutCredentials } from '../credentials.js';
import { SubagentContractError, SubcontractError } from '../errors.js';

/** Why a delegation has no result. */
export interface Failure {
  status: 'failed' | 'cancelled';
  code: string;
  message: string;
  issues?: readonly Issue[];
  /** What `orThrow` throws. */
  error: SubcontractError;
}

/** What is known about a failure beside its code and its sentence. */
export interface FailureDetail {
  status?: 'failed' | 'cancelled';
  issues?: readonly Issue[];
  cause?: unknown;
}

/** A failure of the child itself or of its returns. */
export function failure(code: string, message: string, detail: FailureDetail = {}): Failure {
  const { status = 'failed', issues, cause } = detail;
  const error = new SubagentContractError(message, { code, ...(issues && { issues }), cause });
  return { status, code, message, ...(issues && { issues }), error };
}

/** The failure that one of this package's own errors stands for. */
function failureOf(error: SubcontractError): Failure {
  const { code, message, issues } = error;
  return { status: 'failed', code, message: oneLine(message), ...(issues.length > 0 && { issues }), error };
}

/** The failure that a thrown value stands for: this package's own error, or the child's. */
export function failureOfThrown(thrown: unknown): Failure {
  if (thrown instanceof SubcontractError) return failureOf(thrown);
  return failure('child_error', messageOf(thrown), { cause: thrown });
}

/** What a thrown value says. Anything can be thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return oneLine(thrown instanceof Error ? thrown.message : String(thrown));
  } catch {
    return NO_REASON;
  }
}

const NO_REASON = 'no reason given';
const LIMIT = 500;

/**
 * The parent's model and the browser read this: one line, no credentials, and not a page of somebody's output. The whole of it
 * is in the `cause`.
 */
export function oneLine(text: string): string {
  const line = withoutCredentials(text).replace(/\s+/g, ' ').trim();
  if (line === '') return NO_REASON;
  // Not in the middle of a character.
  return line.length > LIMIT ? `${line.slice(0, LIMIT).replace(/[\ud800-\udbff]$/, '')} […]` : line;
}
