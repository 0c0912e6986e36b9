// What one set of limits has left: who may start, who waits for a place, and who must stop.
import { askLimits, type LimitsAnswer } from './core.js';
import type { SubcontractError } from './errors.js';
import type { Limits } from './limits.js';
import { startTimer } from './timer.js';

/** Why a child may not start or go on, for its parent's model. */
export interface LimitRefusal {
  code: string;
  message: string;
}

/** A parent in a tree, as one budget counts it. */
export interface Level {
  readonly budget: Budget;
  /** 0 for the run that holds the limits. */
  readonly depth: number;
  /** Children that it has started. */
  agents: number;
  /** Tokens that what stands below it has used and it has not reported itself. */
  below: number;
  /** Where it is a child itself; a root is none. */
  readonly above?: Level | undefined;
  /** The place it runs in; a root has none. */
  readonly place?: Place | undefined;
}

/**
 * One of the places in which children run: of the budget's own, or lent by a parent, which waits for its children. A lent one
 * goes back to the parent, or stays with the child when the parent has left.
 */
export class Place {
  borrower: Place | undefined;
  left = false;

  constructor(public lender: Place | undefined) {}
}

export type Asked = 'start' | 'resume' | 'go_on';

interface Waiting {
  parent: Level;
  asked: Asked;
  done(outcome: Place | LimitRefusal): void;
}

/** One set of limits and what was used of it. Children wait in the order in which they came. */
export class Budget {
  /** Children that were started. */
  calls = 0;
  /** Places of its own that are taken. */
  running = 0;
  tokens = 0;
  readonly #waiting: Waiting[] = [];
  readonly #watchers = new Set<() => void>();
  #startedAt: number | undefined;
  #expired = false;
  #stopTimer: (() => void) | undefined;

  constructor(readonly limits: Readonly<Limits>) {}

  /** Whether a child of `parent` may do what it asks for. */
  ask(parent: Level, asked: Asked): LimitsAnswer {
    // The parent waits while its child runs in its place.
    const running = this.running - (lends(parent.place) ? 1 : 0);
    const used = { depth: parent.depth + 1, agents: parent.agents, running, calls: this.calls, tokens: this.tokens };
    try {
      return askLimits(this.limits, { ...used, elapsedMs: this.#elapsed() }, asked);
    } catch (error) {
      // Nobody may wait for an answer that a fault of the core has cost.
      const { code = 'internal_error', message } = error as SubcontractError;
      return { action: 'refused', code, message };
    }
  }

  /**
   * Asks for a place. `done` hears of it, at once or when there is one; the result takes the question back.
   */
  queue(parent: Level, asked: Asked, done: Waiting['done']): () => void {
    const waiting: Waiting = { parent, asked, done };
    const first = this.#waiting.length === 0 || lends(parent.place);
    if (first && this.#answer(waiting)) return () => {};
    this.#waiting.push(waiting);
    return () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Gives a place back, or hands it to the child that it was lent to. */
  leave(place: Place): void {
    if (place.left) return;
    place.left = true;
    const { borrower, lender } = place;
    if (borrower) {
      borrower.lender = lender;
      if (lender) lender.borrower = borrower;
    } else if (lender) {
      lender.borrower = undefined;
      const at = this.#waiting.findIndex(({ parent }) => parent.place === lender);
      const next = this.#waiting[at];
      if (next && this.#answer(next)) this.#waiting.splice(at, 1);
    } else {
      this.running -= 1;
      this.#wake();
    }
  }

  /** Counts tokens that a child has used. */
  spend(tokens: number): void {
    this.tokens += tokens;
    this.#wake();
  }

  /** Hears when the time is over, until the result is called. */
  watch(expired: () => void): () => void {
    this.#watchers.add(expired);
    this.#arm();
    return () => {
      this.#watchers.delete(expired);
      if (this.#watchers.size > 0) return;
      this.#stopTimer?.();
      this.#stopTimer = undefined;
    };
  }

  /** Answers those who wait, as far as there are answers. */
  #wake(): void {
    while (this.#waiting[0] && this.#answer(this.#waiting[0])) this.#waiting.shift();
  }

  /** Answers one that asks for a place, unless it has to wait. */
  #answer({ parent, asked, done }: Waiting): boolean {
    const answer = this.ask(parent, asked);
    if (answer.action === 'wait') return false;
    if (answer.action === 'refused') {
      done(answer);
      return true;
    }
    this.#startedAt ??= performance.now();
    this.#arm();
    const lender = lends(parent.place) ? parent.place : undefined;
    const place = new Place(lender);
    if (lender) lender.borrower = place;
    else this.running += 1;
    done(place);
    return true;
  }

  /** Whole milliseconds since the first child was started, by a clock that nobody sets. */
  #elapsed(): number {
    const { timeoutMs } = this.limits;
    if (this.#startedAt === undefined) return 0;
    const elapsed = Math.max(0, Math.floor(performance.now() - this.#startedAt));
    // A timer may fire a little before its time.
    return this.#expired && timeoutMs !== undefined ? Math.max(elapsed, timeoutMs) : elapsed;
  }

  #arm(): void {
    const { timeoutMs } = this.limits;
    if (timeoutMs === undefined || this.#startedAt === undefined || this.#stopTimer !== undefined) return;
    if (this.#watchers.size === 0) return;
    this.#stopTimer = startTimer(() => this.#expire(), timeoutMs - this.#elapsed());
  }

  #expire(): void {
    this.#expired = true;
    // Whoever watches from now on hears of it too.
    this.#stopTimer = undefined;
    this.#wake();
    for (const expired of [...this.#watchers]) expired();
  }
}

/** Whether a parent's place is free for a child: it runs, and no other child has it. */
function lends(place: Place | undefined): place is Place {
  return place !== undefined && !place.left && place.borrower === undefined;
}
