// Drives one child through its runs: returns to the gate, feedback to the child, until it is settled.
import { attemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent, ResumeEntry } from '../ag-ui/events.js';
import { taskSummary } from '../core.js';
import type { Acceptance, Gate, GateDecision } from '../gate.js';
import { createContext, type ObservedContext } from './context.js';
import { EarlyJudge } from './early.js';
import { exhausted, holdsReturn, notTheReturnTool, prose, readReturned, seedNotUsed, stopFailure } from './ending.js';
import { failure, failureOfThrown } from './failure.js';
import type { ChildJob, Measured, Outcome } from './job.js';
import { ModelCalls } from './model-calls.js';
import { outwardInterrupts } from './names.js';
import { ReturnCalls } from './return-calls.js';
import { ACCEPTED, createReturnTool, type Judged, type ReturnTool } from './return-tool.js';
import { ChildRun, type RunEnd } from './run.js';
import { type RunStop, STOPPED } from './stop.js';

/** What one run has to do with its return tool. */
interface Run {
  stop: RunStop;
  calls: ReturnCalls;
  early: EarlyJudge | undefined;
  observed: ObservedContext;
  child: ChildRun;
  current: boolean;
  cut?: Extract<GateDecision, { action: 'retry' }>;
}

/** Runs a child until it is settled. What it measures goes into `measured` as it goes. */
export async function* driveChild(job: ChildJob, measured: Measured): AsyncGenerator<AGUIEvent, Outcome> {
  const driver = new Driver(job, measured);
  try {
    return yield* driver.drive();
  } catch (thrown) {
    return failureOfThrown(thrown);
  }
}

class Driver {
  readonly #job: ChildJob;
  readonly #measured: Measured;
  /** Attempts to tell the parent's stream about. At most `1 + maxRetries` are ever in it. */
  readonly #notices: AGUIEvent[] = [];
  #settled: Outcome | undefined;
  /** The judgement under way: returns are judged one after the other, and a host may end its stream before its tools. */
  #judging: Promise<unknown> = Promise.resolve();
  readonly #calls: ModelCalls;

  constructor(job: ChildJob, measured: Measured) {
    this.#job = job;
    this.#measured = measured;
    this.#calls = new ModelCalls(job, measured);
  }

  async *drive(): AsyncGenerator<AGUIEvent, Outcome> {
    const { history, mender, runId } = this.#job;
    for (let count = 1; ; count += 1) {
      const resume = count === 1 ? this.#job.resume : undefined;
      const refusal = count === 1 ? undefined : this.#job.entry?.goOn();
      if (refusal) return failure(refusal.code, refusal.message);
      const outcome = yield* this.#runOnce(count === 1 ? runId : `${runId}-${count}`, resume);
      yield* this.#closeAll(mender.closeRun());
      yield* this.#flush();
      if (outcome.kind === 'settled') return outcome.outcome;
      for (const toolCallId of history.addFeedback(outcome.feedback)) mender.drop(toolCallId);
    }
  }

  async *#runOnce(runId: string, resume: ResumeEntry[] | undefined): AsyncGenerator<AGUIEvent, Turn> {
    const job = this.#job;
    const { history } = job;
    history.beginRun();
    this.#calls.beginRun();
    const run = this.#begin(runId, resume);
    const { child } = run;
    const events = child.read(() => job.run(run.observed.context));
    let end: RunEnd;
    try {
      for (;;) {
        const next = await events.next();
        // Of a run that was cut the attempt is told when what it left open is closed.
        if (run.current) yield* this.#flush();
        if (next.done) {
          end = next.value;
          break;
        }
        yield next.value;
      }
    } finally {
      run.current = false;
      run.early?.free();
      // Whoever reads the delegation may stop at any event; the child's stream is ended with it.
      await events.return({ kind: 'stopped' });
    }
    this.#measured.finishReason = child.finishReason ?? this.#measured.finishReason;
    const turn = await this.#judgeEnd(end, run);
    if (turn.kind === 'settled' && turn.outcome.status === 'completed') yield* this.#answerReturn(run.calls);
    return turn;
  }

  #begin(runId: string, resume: ResumeEntry[] | undefined): Run {
    const { gate, history, stop, identity, mender, newId, earlyReject, context } = this.#job;
    const runStop = stop.ofRun();
    this.#job.entry?.begin(runStop.signal);
    const returnTool = gate && this.#returnTool(gate, () => run);
    const observed = createContext(context, {
      runId,
      abortSignal: runStop.signal,
      attempt: gate?.next ?? 1,
      resume,
      history: history.messages(),
      earlierMessage: this.#job.earlierMessage,
      returnTool,
    });
    const child = new ChildRun({
      identity,
      history,
      mender,
      stop,
      newId,
      addUsage: (usage, ofChildren) => this.#calls.used(usage, ofChildren),
      firstSign: (cause) => (resume && !observed.seeded() ? seedNotUsed(cause) : undefined),
      seen: (event) => {
        history.add(event);
        this.#calls.seen(event);
        return returnTool && this.#seeReturnCall(event, returnTool.name, run);
      },
    });
    const early = gate && earlyReject ? new EarlyJudge(gate.contract) : undefined;
    if (early) stop.atRelease(() => early.free());
    const run: Run = { stop: runStop, calls: new ReturnCalls(), early, observed, child, current: true };
    return run;
  }

  #returnTool(gate: Gate, run: () => Run): ReturnTool {
    return createReturnTool(gate.contract, {
      argumentsOf: (id) => this.#job.history.argumentsOf(id),
      judge: (raw, toolCallId) => {
        run().calls.judged(toolCallId);
        return this.#judge(gate, raw, toolCallId, run());
      },
    });
  }

  #seeReturnCall(event: AGUIEvent, name: string, run: Run): Promise<unknown> | undefined {
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
        return this.#judge(gate, history.argumentsOf(event.toolCallId) ?? '', event.toolCallId, run);
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
  #judge(gate: Gate, raw: string, toolCallId: string | undefined, run: Run): Promise<Judged> {
    const judged = this.#judging.then(() => this.#judgeCall(gate, raw, toolCallId, run));
    this.#judging = judged.catch(() => {});
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

  #settle(outcome: Outcome): void {
    this.#settled ??= outcome;
    this.#measured.settled = this.#settled;
    this.#job.stop.stop({ by: 'return' });
  }

  async #judgeEnd(end: RunEnd, run: Run): Promise<Turn> {
    const { child, cut } = run;
    const { gate, history, stop, identity } = this.#job;
    if (end.kind !== 'stopped') await stop.wait(this.#judging);
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

  /** The accepted call gets its result in the stream: the host that would have sent it was stopped. */
  async *#answerReturn(calls: ReturnCalls): AsyncGenerator<AGUIEvent> {
    const { mender, identity, newId } = this.#job;
    if (calls.accepted === undefined || !calls.isOpen(calls.accepted)) return;
    yield* this.#closeAll(
      mender.mend({
        type: 'TOOL_CALL_RESULT',
        messageId: newId(),
        toolCallId: calls.accepted,
        content: ACCEPTED,
        role: 'tool',
        subagentRunId: identity.subagentRunId,
      }),
    );
  }

  /** Sends events that end things, which belong to the child's history too. */
  *#closeAll(events: AGUIEvent[]): Generator<AGUIEvent> {
    const { history, identity } = this.#job;
    for (const event of events) {
      if ('subagentRunId' in event && event.subagentRunId === identity.subagentRunId) history.add(event);
      yield event;
    }
  }

  #note(gate: Gate): void {
    const attempt = gate.attempts.at(-1);
    if (!attempt) return;
    this.#job.attempted(attempt);
    this.#notices.push(attemptEvent(attempt, gate.maxRetries, this.#job.identity.subagentRunId));
  }

  *#flush(): Generator<AGUIEvent> {
    yield* this.#notices.splice(0);
  }
}

type Turn = { kind: 'settled'; outcome: Outcome } | { kind: 'again'; feedback: string };

function settled(outcome: Outcome): Turn {
  return { kind: 'settled', outcome };
}
