// What a delegation takes over from the child that delegates, and from the trees whose limits hold for it.
import type { AgentContext } from './child/context.js';
import type { DelegateOptions } from './delegate.js';
import { positionOf } from './limits.js';
import { type Position, positionBehind } from './position.js';

/** What of a child's context says that it delegates. */
export type ParentContext = Pick<AgentContext, 'abortSignal' | 'threadId' | 'runId' | 'subagentRunId'>;

/** A delegation's options with its parent's ids, what stops it, and where it stands. */
export interface Joined<Options extends DelegateOptions = DelegateOptions> {
  options: Omit<Options, 'parent' | 'limits' | 'abortSignal'>;
  signals: readonly AbortSignal[];
  position: Position | undefined;
}

/** Joins a delegation to its parent. Throws for limits that are none, and for signals that cannot stop it. */
export function joined<Options extends DelegateOptions>(given: Options): Joined<Options> {
  const { parent, limits, abortSignal, ...own } = given;
  if (abortSignal !== undefined && !isSignal(abortSignal)) throw new TypeError('abortSignal must be an AbortSignal');
  // Without its signal the child would neither be stopped with its parent nor counted in its parent's trees.
  if (parent !== undefined && !isSignal(parent?.abortSignal))
    throw new TypeError('parent must be the context that run was called with');
  const signals = [abortSignal, parent?.abortSignal].filter((signal) => signal !== undefined);
  const position = positionOf(limits, parent && positionBehind(parent.abortSignal));
  if (!parent) return { options: own, signals, position };
  const options = {
    ...own,
    threadId: own.threadId ?? parent.threadId,
    parentRunId: own.parentRunId ?? parent.runId,
    parentSubagentRunId: own.parentSubagentRunId ?? parent.subagentRunId,
  };
  return { options, signals, position };
}

function isSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}
