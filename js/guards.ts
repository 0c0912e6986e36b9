// Guards: named checks of an accepted return beyond its schema, which amend it, mark it as degraded, or reject it.
import type { Contract } from './contract.js';
import { amendText, type Flag, type Issue } from './core.js';
import type { Amendment, Degradation } from './envelope.js';
import { firstIssue, GuardError, SubcontractError } from './errors.js';
import { noJson, toJsonText } from './json-text.js';

/** One of the child's own tool calls, as it went over the stream; never a call of its return tool. */
export interface ToolCallEvidence {
  id: string;
  name: string;
  /** The arguments' text. */
  args: string;
  /** The result's text; absent while there is none. */
  result?: string;
}

/** What the host saw the child do. */
export interface Evidence {
  readonly toolCalls: readonly ToolCallEvidence[];
}

/** What a guard says. `pointer` is an RFC 6901 pointer into the result; without one it is about the whole. */
export type GuardFinding =
  /**
   * The result goes out with `value` at `pointer`: in place of what is there, or as a new member or last item. The changed
   * result must satisfy the contract.
   */
  | { action: 'amend'; pointer: string; value: unknown }
  /** The result is accepted, and the parent's model reads why not to trust it fully. */
  | { action: 'degrade'; pointer?: string; message: string }
  /** The return goes back to the child, and spends an attempt. */
  | { action: 'reject'; pointer?: string; message: string };

/** What a guard knows beside the result and the evidence. */
export interface GuardContext {
  /** The result's exact text. */
  readonly text: string;
  readonly contract: Contract;
  /** Aborted when the delegation is stopped. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Looks at a result that satisfies its schema, before the schema's own validation (refinements, transforms). `result` is
 * the guard's own copy. It may be asynchronous, and is waited for.
 */
export type GuardCheck<Result = never> = (
  result: Result,
  evidence: Evidence,
  context: GuardContext,
) => readonly GuardFinding[] | Promise<readonly GuardFinding[]>;

/** A check with its name; a function is named by its own `name`. */
export type Guard<Result = never> = GuardCheck<Result> | { readonly name: string; readonly check: GuardCheck<Result> };

/** A guard, checked. */
export interface NamedGuard {
  readonly name: string;
  readonly check: GuardCheck;
}

/**
 * Checks the guards of a definition.
 *
 * @throws TypeError when one is no guard or has no name, or when two have the same one: the envelope names them.
 */
export function nameGuards(guards: readonly Guard[]): NamedGuard[] {
  if (!Array.isArray(guards)) throw new TypeError('guards must be a list');
  const names = new Set<string>();
  return guards.map((guard: Guard, index) => {
    const check = typeof guard === 'function' ? guard : guard?.check;
    if (typeof check !== 'function')
      throw new TypeError(`guard ${index + 1} is neither a function nor { name, check }`);
    const { name } = guard;
    if (typeof name !== 'string' || name.trim() === '') {
      throw new TypeError(`guard ${index + 1} has no name: give a named function or { name, check }`);
    }
    if (names.has(name)) throw new TypeError(`two guards are called ${JSON.stringify(name)}`);
    names.add(name);
    return { name, check };
  });
}

/** What the guards made of a return. */
export interface Guarded {
  text: string;
  flags: Flag[];
  amendments: Amendment[];
  degraded: Degradation[];
  /** Why it is rejected; empty when it is not. */
  issues: Issue[];
}

/**
 * Runs guards one after the other, each on the result as the ones before it left it: of two that amend one pointer the later
 * one wins, and both are listed. All of them run, so that a child learns of every rejection at once.
 *
 * @throws GuardError when a guard throws, gives what are no findings, or amends a result to what its contract refuses.
 */
export async function runGuards(
  guards: readonly NamedGuard[],
  given: { text: string; flags: Flag[] },
  evidence: Evidence,
  { contract, signal }: { contract: Contract; signal?: AbortSignal | undefined },
): Promise<Guarded> {
  const out: Guarded = { ...given, amendments: [], degraded: [], issues: [] };
  for (const guard of guards) {
    let findings: unknown;
    try {
      const context: GuardContext = { text: out.text, contract, signal };
      findings = await guard.check(JSON.parse(out.text) as never, evidence, context);
      // Each is read once, and what a getter throws is the guard's fault as well.
      if (Array.isArray(findings)) findings = findings.map((finding) => ({ ...finding }));
    } catch (cause) {
      throw new GuardError(`guard ${guard.name} failed${cause instanceof Error ? `: ${cause.message}` : ''}`, {
        code: 'guard_failed',
        cause,
      });
    }
    if (!Array.isArray(findings)) throw refused(guard, 'it must give a list of findings');
    const before = out.amendments.length;
    for (const finding of findings) take(guard, finding, out);
    if (out.amendments.length === before) continue;
    const verdict = contract.check(out.text);
    if (!verdict.ok) {
      throw refused(guard, `the contract refuses what it amended${firstIssue(verdict.issues)}`, verdict.issues);
    }
    out.text = verdict.text;
    out.flags = verdict.flags;
  }
  return out;
}

function take(guard: NamedGuard, finding: unknown, out: Guarded): void {
  const { name: by } = guard;
  const { action, pointer, message, value } = (finding ?? {}) as Record<string, unknown>;
  if (pointer !== undefined && typeof pointer !== 'string') throw refused(guard, 'a pointer must be a string');
  if (action === 'amend') {
    if (pointer === undefined) throw refused(guard, 'an amendment needs a pointer');
    const json = toJsonText(value);
    if (!json.ok) throw refused(guard, `the value for ${pointer || '(root)'} is ${noJson(json)}`);
    let text: string;
    try {
      text = amendText(out.text, pointer, json.text);
    } catch (error) {
      if (!(error instanceof SubcontractError) || error.code !== 'cannot_amend') throw error;
      throw refused(guard, error.message);
    }
    if (text !== out.text) out.amendments.push({ pointer, by });
    out.text = text;
    return;
  }
  if (action !== 'degrade' && action !== 'reject')
    throw refused(guard, "a finding's action is amend, degrade or reject");
  if (typeof message !== 'string' || message.trim() === '')
    throw refused(guard, `a finding to ${action} needs a message`);
  if (action === 'degrade') out.degraded.push({ by, ...(pointer !== undefined && { pointer }), message });
  else out.issues.push({ instancePath: pointer ?? '', schemaPath: '', keyword: by, params: {}, message });
}

function refused(guard: NamedGuard, why: string, issues: readonly Issue[] = []): GuardError {
  return new GuardError(`guard ${guard.name}: ${why}`, { code: 'guard_failed', issues });
}
