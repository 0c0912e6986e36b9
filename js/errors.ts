// The errors of this package: each with a stable `code`, the issues behind it, and its `cause`.
import type { Issue } from './core.js';

/** What an error of this package is made of. */
export interface ErrorDetail {
  /** A stable code. */
  code: string;
  /** What was violated, when that is known in detail. */
  issues?: readonly Issue[];
  /** What led to it. */
  cause?: unknown;
}

/** The common ground of this package's errors. */
export class SubcontractError extends Error {
  override name = 'SubcontractError';
  /** A stable code; codes are added, not renamed. */
  readonly code: string;
  /** What was violated; empty when the code says it all. */
  readonly issues: readonly Issue[];

  /** `message` is a sentence for people; programs go by `code`. */
  constructor(message: string, detail: ErrorDetail) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = detail.code;
    this.issues = detail.issues ?? [];
  }
}

/** A schema that does not compile: `issues` point into the schema. */
export class SchemaError extends SubcontractError {
  override name = 'SchemaError';
}

/** A brief that does not satisfy the agent's `inputSchema`: the child was not started. */
export class BriefError extends SubcontractError {
  override name = 'BriefError';
}

/** A delegation that ended without an accepted return. */
export class SubagentContractError extends SubcontractError {
  override name = 'SubagentContractError';
}

/** Resume state that was not taken up. */
export class ResumeError extends SubcontractError {
  override name = 'ResumeError';
}

/** A guard that did not do its work: it threw, or gave findings that cannot be taken. The return is not to blame. */
export class GuardError extends SubcontractError {
  override name = 'GuardError';
}

/** A router's pick that cannot be followed: nothing was started. `issues` point into the pick. */
export class RouterPickError extends SubcontractError {
  override name = 'RouterPickError';
}

/** The first issue as the end of a message; nothing where there is none. */
export function firstIssue([first]: readonly Issue[]): string {
  return first ? `: ${first.instancePath || '(root)'} ${first.message}` : '';
}
