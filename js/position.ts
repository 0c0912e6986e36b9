// Where a delegation stands in the trees of subagents whose limits hold for it.
import type { TokenUsage } from './ag-ui/events.js';
import { type Asked, type Budget, type Level, type LimitRefusal, Place } from './budget.js';

/** A parent in all trees that it is part of, the innermost first. */
export class Position {
  constructor(private readonly levels: readonly Level[]) {}

  /** The root of a tree. */
  static root(budget: Budget): Position {
    return new Position([{ budget, depth: 0, agents: 0, below: 0 }]);
  }

  /** A root of which the parent is itself a child in other trees. */
  within(outer: Position): Position {
    const known = new Set(outer.levels.map(({ budget }) => budget));
    return new Position([...this.levels.filter(({ budget }) => !known.has(budget)), ...outer.levels]);
  }

  /** Asks for a child of this parent to be started, or resumed. */
  enter(asked: 'start' | 'resume'): Entry {
    return new Entry(this.levels, asked);
  }

  /** Why no child of this parent may be started now; nothing when one may, be it after a wait. */
  refusal(): LimitRefusal | undefined {
    return firstRefusal(this.levels, 'start');
  }

  /** Hears when the time of one of its trees is over, until the result is called. */
  watch(expired: (refusal: LimitRefusal) => void): () => void {
    return watchTime(this.levels, 'go_on', expired);
  }
}

/** Where the children stand that delegate, by their runs' abort signals, which contexts carry however they are copied. */
const positions = new WeakMap<AbortSignal, Position>();

/** Where the child stands whose `ctx.abortSignal` this is; nothing for one that no tree counts. */
export function positionBehind(signal: AbortSignal | undefined): Position | undefined {
  return signal && positions.get(signal);
}

/** A child's way into its trees: counted when it asks, let in when there is a place for it in each. */
export class Entry {
  /** Why it may not start; nothing once it may. */
  readonly arrived: Promise<LimitRefusal | undefined>;
  readonly #levels: readonly Level[];
  readonly #counts: boolean;
  #places: Place[] = [];
  #takeBack: (() => void) | undefined;
  #left = false;
  /** The child as a parent, once it runs. */
  #own: readonly Level[] = [];
  #position: Position | undefined;

  constructor(levels: readonly Level[], asked: 'start' | 'resume') {
    this.#levels = levels;
    const refusal = firstRefusal(levels, asked);
    // A resumed child was counted when it was started.
    this.#counts = asked === 'start' && !refusal;
    if (this.#counts) this.#count(1);
    // Counted, it does not ask to be counted again.
    this.arrived = refusal ? Promise.resolve(refusal) : this.#arrive();
  }

  /** A run of the child begins: what delegates with this signal's context stands below the child. */
  begin(signal: AbortSignal): void {
    if (!this.#position) {
      // Places are taken from the outermost tree in.
      const places = this.#places.toReversed();
      this.#own = this.#levels.map((above, index) => {
        const { budget, depth } = above;
        return { budget, depth: depth + 1, agents: 0, below: 0, above, place: places[index] };
      });
      this.#position = new Position(this.#own);
    }
    positions.set(signal, this.#position);
  }

  /** Why the child may not call its model again. */
  goOn(): LimitRefusal | undefined {
    return firstRefusal(this.#levels, 'go_on');
  }

  /** Counts what the child reports. `ofChildren` is its own children's part: what they were counted for is not counted again. */
  spend(usage: readonly TokenUsage[], ofChildren: readonly TokenUsage[] = []): void {
    const reported = tokensIn(usage);
    const theirs = Math.min(tokensIn(ofChildren), reported);
    for (const [index, level] of this.#levels.entries()) {
      const own = this.#own[index];
      const known = Math.min(theirs, own?.below ?? 0);
      if (own) own.below -= known;
      if (reported > known) spend(level, reported - known);
    }
  }

  /** Gives its places back, or its turn in the queue. `started`: whether it counts as a child that was started. */
  leave(started: boolean): void {
    if (this.#left) return;
    this.#left = true;
    this.#takeBack?.();
    if (this.#counts && !started) this.#count(-1);
    const levels = this.#levels.toReversed();
    for (const [index, place] of this.#places.entries()) levels[index]?.budget.leave(place);
  }

  #count(by: 1 | -1): void {
    for (const level of this.#levels) {
      level.agents += by;
      level.budget.calls += by;
    }
  }

  /** Places are taken from the outermost tree in: children of the same trees never wait for each other. */
  async #arrive(): Promise<LimitRefusal | undefined> {
    for (const level of this.#levels.toReversed()) {
      if (this.#left) return undefined;
      const outcome = await this.#placeIn(level);
      if (!(outcome instanceof Place)) return outcome;
      if (this.#left) level.budget.leave(outcome);
      else this.#places.push(outcome);
    }
    // While it waited for one tree, another may have used up what it had.
    return firstRefusal(this.#levels, 'resume');
  }

  /** Waits for a place in one tree, as long as the others have time. */
  #placeIn(level: Level): Promise<Place | LimitRefusal> {
    const others = this.#levels.filter((other) => other !== level);
    let unwatch = () => {};
    return new Promise<Place | LimitRefusal>((done) => {
      const takeBack = level.budget.queue(level, 'resume', done);
      this.#takeBack = takeBack;
      unwatch = watchTime(others, 'resume', (refusal) => {
        takeBack();
        done(refusal);
      });
    }).finally(() => unwatch());
  }
}

/** Counts tokens in the tree, and for each parent above. */
function spend(level: Level, tokens: number): void {
  for (let above: Level | undefined = level; above !== undefined; above = above.above) above.below += tokens;
  level.budget.spend(tokens);
}

/** All tokens of a report. A sum over models of which one tells no total has a total that is too small. */
function tokensIn(usage: readonly TokenUsage[]): number {
  let tokens = 0;
  for (const { totalTokens = 0, inputTokens = 0, outputTokens = 0 } of usage) {
    tokens += Math.max(totalTokens, inputTokens + outputTokens);
  }
  return Math.ceil(tokens);
}

/** Hears when the time of one of these trees is over, with what that means for a child. */
function watchTime(levels: readonly Level[], asked: Asked, expired: (refusal: LimitRefusal) => void): () => void {
  const watches = levels.map((level) =>
    level.budget.watch(() => {
      const answer = level.budget.ask(level, asked);
      if (answer.action === 'refused') expired({ code: answer.code, message: answer.message });
    }),
  );
  return () => {
    for (const unwatch of watches) unwatch();
  };
}

function firstRefusal(levels: readonly Level[], asked: Asked): LimitRefusal | undefined {
  for (const level of levels) {
    const answer = level.budget.ask(level, asked);
    if (answer.action === 'refused') return { code: answer.code, message: answer.message };
  }
  return undefined;
}
