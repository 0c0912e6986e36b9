// Children that are resumed together: each is claimed in its turn, so that of two requests that resume the same ones, one gets them all.
import { ResumeError } from './errors.js';
import type { Claim } from './stores/suspensions.js';

/** One child's turn among those that are resumed with it. */
export interface ClaimTurn {
  /** Claims the child when those before it have been claimed, or never will be. Throws a `ResumeError`. */
  take(claim: () => Promise<Claim>, signal: AbortSignal): Promise<Claim>;
  /** Lets go of a turn that may not have been taken. */
  leave(): void;
}

/** The codes of a child that somebody else has. */
const ELSEWHERE: ReadonlySet<string> = new Set(['resume_in_progress', 'resume_answered_differently']);

/** Whether a child was refused because somebody else has resumed it. */
export function isElsewhere(code: string | undefined): boolean {
  return code !== undefined && ELSEWHERE.has(code);
}

/** The turns of one batch, in the order in which they are asked for. */
export class ClaimTurns {
  #last: Promise<void> = Promise.resolve();
  #refused: ResumeError | undefined;

  next(): ClaimTurn {
    const before = this.#last;
    let leave = () => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = before.then(() => over);
    return { leave, take: (claim, signal) => this.#take(before, claim, signal).finally(leave) };
  }

  async #take(before: Promise<void>, claim: () => Promise<Claim>, signal: AbortSignal): Promise<Claim> {
    await before;
    signal.throwIfAborted();
    if (this.#refused) {
      const { code, issues } = this.#refused;
      throw new ResumeError('a child beside this one was resumed before', { code, issues, cause: this.#refused });
    }
    try {
      return await claim();
    } catch (error) {
      // Each request with some of the children would be no use to either.
      if (error instanceof ResumeError && isElsewhere(error.code)) this.#refused = error;
      throw error;
    }
  }
}
