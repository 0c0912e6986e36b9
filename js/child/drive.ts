// Drives one child through its runs, each with feedback on the one before, until it is settled.
import type { AGUIEvent, ResumeEntry } from '../ag-ui/events.js';
import { ownerOf } from '../ag-ui/owner.js';
import { createContext } from './context.js';
import { EarlyJudge } from './early.js';
import { seedNotUsed } from './ending.js';
import { failure, failureOfThrown } from './failure.js';
import type { ChildJob, Measured, Outcome } from './job.js';
import { Judging, type Run, type Turn } from './judging.js';
import { ModelCalls } from './model-calls.js';
import { ReturnCalls } from './return-calls.js';
import { ACCEPTED, createReturnTool } from './return-tool.js';
import { ChildRun, type RunEnd } from './run.js';

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
  readonly #judging: Judging;
  readonly #calls: ModelCalls;

  constructor(job: ChildJob, measured: Measured) {
    this.#job = job;
    this.#measured = measured;
    this.#judging = new Judging(job, measured);
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
      yield* this.#judging.notices();
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
        if (run.current) yield* this.#judging.notices();
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
    const turn = await this.#judging.end(end, run);
    if (turn.kind === 'settled' && turn.outcome.status === 'completed') yield* this.#answerReturn(run.calls);
    return turn;
  }

  #begin(runId: string, resume: ResumeEntry[] | undefined): Run {
    const { gate, history, stop, identity, mender, newId, earlyReject, context } = this.#job;
    const runStop = stop.ofRun();
    this.#job.entry?.begin(runStop.signal);
    const judging = this.#judging;
    const returnTool =
      gate &&
      createReturnTool(gate.contract, {
        argumentsOf: (id) => history.argumentsOf(id),
        judge: (raw, toolCallId) => {
          run.calls.judged(toolCallId);
          return judging.call(gate, raw, toolCallId, run);
        },
      });
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
        return returnTool && judging.see(event, returnTool.name, run);
      },
    });
    const early = gate && earlyReject ? new EarlyJudge(gate.contract) : undefined;
    if (early) stop.atRelease(() => early.free());
    const run: Run = { stop: runStop, calls: new ReturnCalls(), early, observed, child, current: true };
    return run;
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
      if (ownerOf(event) === identity.subagentRunId) history.add(event);
      yield event;
    }
  }
}
