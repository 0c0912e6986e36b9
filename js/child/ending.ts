// How a run's end is read: as the child's answer, as a return, or as a failure.
import { type Contract, readReturn } from '../contract.js';
import type { GateDecision, Return } from '../gate.js';
import { type Failure, failure } from './failure.js';
import type { History } from './history.js';
import type { ChildRun, RunEnd } from './run.js';
import type { Stop } from './stop.js';

/** The failure that a stop stands for. */
export function stopFailure(stop: Stop): Failure {
  const { reason: why } = stop;
  if (why?.by === 'timeout') {
    return failure('child_timeout', `the child did not end within ${why.timeoutMs} ms`);
  }
  if (why?.by === 'limit') return failure(why.code, why.message);
  const cause = why?.by === 'abort' ? why.cause : undefined;
  return failure('aborted', 'the delegation was stopped', { status: 'cancelled', cause });
}

/** The failure of the last attempt. */
export function exhausted(decision: Extract<GateDecision, { action: 'exhausted' }>): Failure {
  return failure(decision.code, decision.message, { issues: decision.issues });
}

/** The failure of a resumed child that did not take up its own history. */
export function seedNotUsed(cause: unknown): Failure {
  const message =
    'a resumed child must start from ctx.seed([...]): it did not call ctx.seed, so its own history and its open tool call are missing';
  return failure('seed_not_used', message, { cause });
}

/** The failure of a child with a tool of its own under the return tool's name: one of the two would get the other's calls. */
export function notTheReturnTool(name: string): Failure {
  const message = `the child called ${JSON.stringify(name)}, which is its return tool's name, without having taken the return tool from ctx.tools: rename its own tool, or give the contract another title`;
  return failure('return_tool_conflict', message);
}

/** The child's answer without a contract. */
export function prose(end: RunEnd, run: ChildRun, history: History): string | null {
  if (end.kind === 'value') return end.text ?? null;
  const text = (end.kind === 'ended' ? end.text : undefined) ?? history.finalText;
  if (text !== undefined && text.trim() !== '') return text;
  if (run.resultText === undefined) return null;
  const result: unknown = JSON.parse(run.resultText);
  return typeof result === 'string' ? result : run.resultText;
}

/** What an ended run handed back without its return tool; nothing, when that is no candidate. */
export function readReturned(end: RunEnd, run: ChildRun, history: History, contract: Contract): Return | undefined {
  if (end.kind === 'value') return end.text === undefined ? undefined : { raw: end.text, via: 'value' };
  if (end.kind !== 'ended') return undefined;
  if (end.text !== undefined) return end.text.trim() === '' ? undefined : { raw: end.text, via: 'text' };
  if (run.resultText !== undefined) return { raw: run.resultText, via: 'value' };
  const { finalText } = history;
  return finalText !== undefined && hasValue(contract, finalText) ? { raw: finalText, via: 'text' } : undefined;
}

/** Whether a text holds a return, be it a bad or a cut one, and not prose alone. */
export function holdsReturn(contract: Contract, text: string): boolean {
  const verdict = readReturn(contract, text, { intake: 'lenient' });
  return verdict.ok || verdict.code !== 'no_return';
}

/** Whether a text holds a whole return, be it a bad one. */
function hasValue(contract: Contract, text: string): boolean {
  const verdict = readReturn(contract, text, { intake: 'lenient' });
  return verdict.ok || (verdict.code !== 'no_return' && verdict.code !== 'truncated');
}

/** What becomes of a child that was suspended, when what it waited for is cancelled. */
export function calledOff(): Failure {
  return failure('cancelled', 'what the child waited for was cancelled', { status: 'cancelled' });
}
