// The gate's bookkeeping for one delegation: which attempt it is, and what the core decided about it.
import type { Contract } from './contract.js';
import type { Decision, Rejection, Via } from './core.js';
import type { AttemptRecord } from './envelope.js';

/** A return, as it reached the gate. */
export interface Return {
  /** The exact text. */
  raw: string;
  via: Via;
  /** The provider's finish reason, when it is known. */
  finishReason?: string | undefined;
}

/**
 * Judges the returns of one child against one contract. What it decides is the core's; it only counts.
 *
 * Attempts used before a suspension stay used.
 */
export class Gate {
  readonly contract: Contract;
  readonly maxRetries: number;
  readonly #attempts: AttemptRecord[];

  /** A gate for `contract`, going on from the attempts in `used`. */
  constructor(contract: Contract, maxRetries: number, used: readonly AttemptRecord[] = []) {
    this.contract = contract;
    this.maxRetries = maxRetries;
    this.#attempts = [...used];
  }

  /** Every attempt so far. */
  get attempts(): AttemptRecord[] {
    return [...this.#attempts];
  }

  /** The number of the attempt that comes next, from 1. */
  get next(): number {
    return this.#attempts.length + 1;
  }

  /**
   * Judges a return: its schema first, then the Standard Schema's own refinements. What goes out is the child's text to
   * the letter; a transform is run for its verdict only.
   */
  async judge({ raw, via, finishReason }: Return): Promise<Decision> {
    const { handle } = this.contract;
    const at = { attempt: this.next, maxRetries: this.maxRetries, via };
    const decision = handle.judge(raw, { ...at, finishReason });
    if (decision.action !== 'accept') return this.#record(decision, via);
    const verdict = await this.contract.judge(decision.text);
    return this.#record(verdict.ok ? decision : handle.refuseRefined(verdict.issues, at), via);
  }

  /** Spends an attempt on a call of the return tool that was given up while it streamed in. */
  refuseEarly(rejection: Rejection): Decision {
    const { next: attempt, maxRetries } = this;
    const decision = this.contract.handle.refuseEarly(rejection, { attempt, maxRetries });
    return this.#record(decision, 'return_tool', true);
  }

  /** Spends an attempt on a child that ended without a return. `couldCall`: it was given its return tool. */
  noReturn(couldCall: boolean, finishReason?: string): Decision {
    const { next: attempt, maxRetries } = this;
    return this.#record(
      this.contract.handle.judgeNoReturn({ attempt, maxRetries, returnTool: couldCall, finishReason }),
    );
  }

  #record(decision: Decision, via?: Via, early = false): Decision {
    const attempt = this.next;
    if (decision.action === 'accept') {
      this.#attempts.push({ attempt, ...(via && { via }), outcome: 'accepted' });
      return decision;
    }
    const code = decision.action === 'retry' ? decision.code : decision.reason;
    this.#attempts.push({
      attempt,
      ...(via && { via }),
      outcome: via ? 'rejected' : 'no_return',
      code,
      ...(decision.issues.length > 0 && { issues: decision.issues }),
      ...(early && { early }),
    });
    return decision;
  }
}
