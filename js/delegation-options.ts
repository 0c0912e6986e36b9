// What a delegation is run with, checked before anything of it runs.
import { assertAgent, type SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import type { DelegateAllOptions } from './delegate-all.js';
import { assertFields, assertList, spelled } from './misuse.js';
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
  if (messages !== undefined) assertList('messages', messages);
}

/** What an option has to be; `own`: what takes it says so itself. */
type OptionKind = 'string' | 'boolean' | 'function' | 'object' | 'own';

type Shared = keyof DelegateOptions & keyof DelegateAllOptions;

const SHARED = {
  threadId: 'string',
  parentRunId: 'string',
  parentSubagentRunId: 'string',
  messages: 'own',
  abortSignal: 'own',
  timeoutMs: 'own',
  limits: 'own',
  parent: 'own',
  earlyReject: 'boolean',
  onEvent: 'function',
  newId: 'function',
  now: 'function',
  seal: 'own',
  present: 'own',
  transcripts: 'object',
} as const satisfies Record<Shared, OptionKind>;

const OF_ONE = {
  runId: 'string',
  subagentRunId: 'string',
  parentToolCallId: 'string',
  finalSchema: 'own',
  resume: 'object',
} as const satisfies Record<Exclude<keyof DelegateOptions, Shared>, OptionKind>;

const OF_ALL = { order: 'own', afterFailure: 'own', earlier: 'own' } as const satisfies Record<
  Exclude<keyof DelegateAllOptions, Shared>,
  OptionKind
>;

/** Throws a `TypeError` for an option that does not exist, or is of another kind: a misspelt limit or seal would not hold. */
export function assertDelegateOptions(options: DelegateOptions): void {
  assertOptions(options, 'delegate', { ...SHARED, ...OF_ONE });
}

/** As {@link assertDelegateOptions}, for several children. */
export function assertDelegateAllOptions(options: DelegateAllOptions): void {
  assertOptions(options, 'delegateAll', { ...SHARED, ...OF_ALL });
}

function assertOptions(options: object, what: string, kinds: Readonly<Record<string, OptionKind>>): void {
  assertFields(options, what, Object.keys(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds[name];
    if (value === undefined || kind === 'own' || (typeof value === kind && value !== null)) continue;
    throw new TypeError(`${name} must be ${kind === 'object' ? 'an' : 'a'} ${kind}, not ${spelled(value)}`);
  }
}
