// Limits of a tree of subagents: what a host may set, and the one budget that several delegations share.
import { Budget } from './budget.js';
import { spelled } from './misuse.js';
import { Position } from './position.js';

/**
 * Limits of a tree of subagents: of the children that a run starts, of those that they start, and so on. All are whole
 * numbers of at least 1, and what is absent is not limited.
 *
 * What a limit forbids is refused with one sentence that the parent's model can read; only `maxConcurrent` lets a child wait.
 */
export interface Limits {
  /** How deep the tree may grow; the children of the run that holds the limits are 1 deep. Code `max_depth_reached`. */
  maxDepth?: number;
  /** How many children one parent may start. Code `max_agents_reached`. */
  maxAgents?: number;
  /**
   * How many children may run at once in the whole tree; more wait for their turn. A child that delegates lends its place to
   * one child of its own, so that a deep tree cannot wait for itself.
   */
  maxConcurrent?: number;
  /** How many children the whole tree may start. Code `max_calls_reached`. */
  maxCalls?: number;
  /**
   * How long the whole tree may take, from its first child's start on, in milliseconds of a clock that never jumps. What
   * still runs then is stopped. Code `timeout_reached`.
   */
  timeoutMs?: number;
  /**
   * How many tokens the whole tree may use, as its children report it. What runs past it is stopped where it calls its model
   * again. Code `max_tokens_reached`.
   *
   * A child that runs `chatWithSubagents` reports its own children's tokens with its own, and says which are theirs: they count
   * once. Of one that adds them in without saying so, both count.
   */
  maxTokens?: number;
}

/** A budget that several delegations share: what one of them uses, the others no longer have. */
export interface DelegationTree {
  readonly limits: Readonly<Limits>;
  /** What was used so far. `calls` counts the children that were started, `running` the places that are taken. */
  readonly used: { readonly calls: number; readonly running: number; readonly tokens: number };
}

const NAMES: readonly (keyof Limits)[] = [
  'maxDepth',
  'maxAgents',
  'maxConcurrent',
  'maxCalls',
  'timeoutMs',
  'maxTokens',
];

/**
 * A budget for several delegations of one parent: make one for each run of it, and pass it as their `limits`.
 *
 * Throws a `TypeError` for an unknown limit, and a `RangeError` for one that is no whole number of at least 1.
 *
 * # Example: two calls of one model
 * ```ts
 * const limits = delegationTree({ maxCalls: 10, maxDepth: 2 });
 * const price = delegate(pricer, { vendor: 'Acme' }, { limits });
 * const facts = delegate(researcher, { task: 'find the price' }, { limits });
 * ```
 */
export function delegationTree(limits: Limits = {}): DelegationTree {
  return new Tree(checked(limits));
}

/** The tree itself, or a new one for plain limits. */
export function sharedTree(limits: Limits | DelegationTree): DelegationTree {
  return treeOf(limits);
}

function treeOf(limits: Limits | DelegationTree): Tree {
  return limits instanceof Tree ? limits : new Tree(checked(limits as Limits));
}

/** Where a delegation stands: at the root of the tree of its limits, and below its parent in the parent's trees. */
export function positionOf(
  limits: Limits | DelegationTree | undefined,
  parent: Position | undefined,
): Position | undefined {
  if (limits === undefined) return parent;
  const { root } = treeOf(limits);
  return parent ? root.within(parent) : root;
}

class Tree implements DelegationTree {
  readonly root: Position;
  readonly #budget: Budget;

  constructor(limits: Limits) {
    this.#budget = new Budget(limits);
    this.root = Position.root(this.#budget);
  }

  get limits(): Readonly<Limits> {
    return this.#budget.limits;
  }

  get used(): DelegationTree['used'] {
    const { calls, running, tokens } = this.#budget;
    return { calls, running, tokens };
  }
}

function checked(limits: Limits): Limits {
  // Of an instance or a list nothing would be read, and then nothing limited.
  if (!isPlain(limits)) throw new TypeError('limits must be a plain object, such as { maxCalls: 10 }');
  const kept: Limits = {};
  for (const [name, limit] of Object.entries(limits) as [keyof Limits, unknown][]) {
    if (!NAMES.includes(name))
      throw new TypeError(`there is no limit ${JSON.stringify(name)}; there are ${NAMES.join(', ')}`);
    if (limit === undefined) continue;
    if (!Number.isSafeInteger(limit) || (limit as number) < 1) {
      throw new RangeError(`${name} must be a whole number of at least 1, not ${spelled(limit)}`);
    }
    kept[name] = limit as number;
  }
  return Object.freeze(kept);
}

/** An object literal, of any realm: no list, no map, nothing that inherits its fields. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
