// What a delegation is run with, checked before anything of it runs.
import { assertAgent, type SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import { spelled } from './misuse.js';
import { assertPresent } from './present.js';
import { sealOf } from './resume-seal.js';

/** How a delegation is run, by this package's own callers too. */
export interface RunOptions extends DelegateOptions {
  /** The host that runs the agent itself, with the input where it has judged the brief. */
  host?: { context: unknown; input?: unknown };
}

/** Throws for misuse: what `defineAgent` did not make, and options that nobody can follow. */
export function assertDelegation(agent: SubcontractAgent, { seal, present, timeoutMs, messages }: RunOptions): void {
  assertAgent(agent);
  // A seal that cannot be used is misuse, and not for the child that suspends to find out.
  if (seal !== undefined) sealOf(seal);
  assertPresent(present);
  if (timeoutMs !== undefined && (typeof timeoutMs !== 'number' || !(timeoutMs > 0))) {
    throw new RangeError(`timeoutMs must be a number of more than 0, not ${spelled(timeoutMs)}`);
  }
  if (messages !== undefined && !Array.isArray(messages)) throw new TypeError('messages must be a list');
}
