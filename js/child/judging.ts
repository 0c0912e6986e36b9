// What a child hands back, judged: one return after the other, until the child is settled.
import { attemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent } from '../ag-ui/events.js';
import { taskSummary } from '../core.js';
import type { Acceptance, Gate, GateDecision } from '../gate.js';
import type { ObservedContext } from './context.js';
import type { EarlyJudge } from './early.js';
import { exhausted, holdsReturn, notTheReturnTool, prose, readReturned, stopFailure } from './ending.js';
import { failure, failureOfThrown } from './failure.js';
import type { ChildJob, Measured, Outcome } from './job.js';
import { outwardInterrupts } from './names.js';
import type { ReturnCalls } from './return-calls.js';
import type { Judged } from './return-tool.js';
import type { ChildRun, RunEnd } from './run.js';
import { type RunStop, STOPPED } from './stop.js';

/** What one run has to do with its return tool. */
export interface Run {
  stop: RunStop;
  calls: ReturnCalls;
  early: EarlyJudge | undefined;
  observed: ObservedContext;
  child: ChildRun;
  current: boolean;
  cut?: Extract<GateDecision, { action: 'retry' }>;
}

/** What follows a run: the child is settled, or is run again with feedback. */
export type Turn = { kind: 'settled'; outcome: Outcome } | { kind: 'again'; feedback: string };

/** Judges one child. */
export class Judging {
  readonly #job: ChildJob;
  readonly #measured: Measured;
  /** Attempts to tell the parent's stream about. At most `1 + maxRetries` are ever in it. */
  readonly #notices: AGUIEvent[] = [];
  #settled: Outcome | undefined;
  /** The judgement under way: returns are judged one after the other, and a host may end its stream before its tools. */
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(job: ChildJob, measured: Measured) {
    this.#job = job;
    this.#measured = measured;
  }

  /** The attempts that the parent's stream has not been told about. */
  notices(): AGUIEvent[] {
    return this.#notices.splice(0);
  }

  /** Takes an event of the child; `name` is its return tool's. Gives the judgement that comes before the event. */
  see(event: AGUIEvent, name: string, run: Run): Promise<unknown> | undefined {
    const { gate, history } = this.#job;
    if (!gate) return undefined;
    const { calls, early } = run;
    switch (event.type) {
      case 'TOOL_CALL_START':
        if (event.toolCallName !== name) return undefined;
        calls.opened(event.toolCallId);
        early?.opened(event.toolCallId);
        return undefined;
      case 'TOOL_CALL_ARGS':
        this.#readEarly(gate, event.toolCallId, event.delta, run);
        return undefined;
      case 'TOOL_CALL_END':
        early?.closed(event.toolCallId);
        return undefined;
      case 'TOOL_CALL_RESULT': {
        early?.closed(event.toolCallId);
        // A host may refuse a call itself, because its arguments are no JSON: it is judged all the same.
        if (!calls.answered(event.toolCallId)) return undefined;
        if (!run.observed.tookReturnTool()) {
          this.#settle(notTheReturnTool(name));
          return undefined;
        }
        return this.call(gate, history.argumentsOf(event.toolCallId) ?? '', event.toolCallId, run);
      }
      default:
        return undefined;
    }
  }

  /** Stops a run whose return cannot be mended any more, before the rest of it is written. */
  #readEarly(gate: Gate, toolCallId: string, delta: string, run: Run): void {
    const rejected = run.early?.read(toolCallId, delta);
    if (!rejected || this.#settled || this.#job.stop.reason) return;
    // Beside other calls it is not cut: one of them may be a return that holds, or have done something.
    if (this.#job.history.pendingToolCalls().some((id) => id !== toolCallId)) return;
    // A child that does not go on from its history would lose what it has found.
    const isLast = gate.next > gate.maxRetries;
    if (!run.observed.tookReturnTool() || !(isLast || run.observed.seeded())) return;
    const decision = gate.refuseEarly(rejected.rejection, rejected.issues, this.#job.history.soFar(toolCallId));
    this.#note(gate);
    run.current = false;
    if (decision.action === 'retry') run.cut = decision;
    else if (decision.action === 'exhausted') this.#settle(exhausted(decision));
    run.child.cut();
    run.stop.cut();
  }

  /** Judges a call of the return tool, after those that came before it. */
  call(gate: Gate, raw: string, toolCallId: string | undefined, run: Run): Promise<Judged> {
    const judged = this.#underWay.then(() => this.#judgeCall(gate, raw, toolCallId, run));
    this.#underWay = judged.catch(() => {});
    return judged;
  }

  async #judgeCall(gate: Gate, raw: string, toolCallId: string | undefined, run: Run): Promise<Judged> {
    if (this.#settled?.status === 'completed') return 'accepted before';
    if (this.#settled || this.#job.stop.reason || !run.current) return 'over';
    let decision: GateDecision;
    try {
      decision = await gate.judge({ raw, via: 'return_tool', finishReason: run.child.finishReason });
    } catch (thrown) {
      // The host would take it for the tool's error and let the child go on, unjudged.
      this.#settle(failureOfThrown(thrown));
      throw thrown;
    }
    this.#note(gate);
    if (this.#job.stop.reason) return decision;
    if (decision.action === 'accept') {
      run.calls.accepted = toolCallId;
      this.#settle(this.#accepted(decision));
    } else if (decision.action === 'exhausted') {
      this.#settle(exhausted(decision));
    }
    return decision;
  }

  /** Judges how a run has ended. */
  async end(end: RunEnd, run: Run): Promise<Turn> {
    const { child, cut } = run;
    const { gate, history, stop, identity } = this.#job;
    if (end.kind !== 'stopped') await stop.wait(this.#underWay);
    if (this.#settled) return settled(this.#settled);
    if (stop.reason) return settled(stopFailure(stop));
    if (cut) return { kind: 'again', feedback: cut.feedback };
    switch (end.kind) {
      case 'stopped':
        return settled(stopFailure(stop));
      case 'failed':
        return settled(end.failure);
      case 'interrupted':
        return settled({
          status: 'suspended',
          interrupts: outwardInterrupts(end.interrupts, identity.subagentRunId),
        });
      case 'cancelled':
        return settled(failure('aborted', "the child's run was cancelled", { status: 'cancelled' }));
      default:
    }
    if (!gate) return settled({ status: 'completed', summary: prose(end, child, history) });
    const decision = await stop.wait(this.#judgeWhatIsLeft(end, run, gate));
    if (decision === STOPPED) return settled(stopFailure(stop));
    switch (decision.action) {
      case 'accept':
        return settled(this.#accepted(decision));
      case 'retry':
        return { kind: 'again', feedback: decision.feedback };
      default:
        return settled(exhausted(decision));
    }
  }

  /** Judges what an ended run left: calls of the return tool that its host did not run, else its answer, else nothing. */
  async #judgeWhatIsLeft(end: RunEnd, { child, observed, calls }: Run, gate: Gate): Promise<GateDecision> {
    const { history, stop } = this.#job;
    const { finishReason } = child;
    let decision: GateDecision | undefined;
    for (const toolCallId of observed.tookReturnTool() && end.kind === 'ended' ? calls.unheard() : []) {
      const raw = history.argumentsOf(toolCallId);
      if (raw === undefined) continue;
      decision = await gate.judge({ raw, via: 'return_tool', finishReason });
      if (stop.reason) return decision;
      this.#note(gate);
      if (decision.action === 'accept') calls.accepted = toolCallId;
      if (decision.action !== 'retry') break;
    }
    if (decision) return decision;
    const returned = readReturned(end, child, history, gate.contract);
    if (returned) history.judgeFinalText();
    decision = returned
      ? await gate.judge({ ...returned, finishReason })
      : gate.noReturn(observed.tookReturnTool(), finishReason);
    // Of a child that was stopped meanwhile the last thing has been told.
    if (!stop.reason) this.#note(gate);
    return decision;
  }

  #accepted(accepted: Acceptance): Outcome {
    const { gate, history } = this.#job;
    const last = history.lastText((text) => gate !== undefined && holdsReturn(gate.contract, text));
    return { status: 'completed', summary: last === undefined ? null : taskSummary(last), accepted };
  }

  #settle(outcome: Outcome): void {
    this.#settled ??= outcome;
    this.#measured.settled = this.#settled;
    this.#job.stop.stop({ by: 'return' });
  }

  #note(gate: Gate): void {
    const attempt = gate.attempts.at(-1);
    if (!attempt) return;
    this.#job.attempted(attempt);
    this.#notices.push(attemptEvent(attempt, gate.maxRetries, this.#job.identity.subagentRunId));
  }
}

function settled(outcome: Outcome): Turn {
  return { kind: 'settled', outcome };
}
