// Drives one child through its runs: returns to the gate, feedback to the child, until it is settled.
import { attemptEvent } from '../ag-ui/attempt.js';
import type { AGUIEvent, Interrupt, ResumeEntry, TokenUsage } from '../ag-ui/events.js';
import type { StreamMender } from '../ag-ui/mend.js';
import type { ChildIdentity } from '../ag-ui/tag.js';
import type { Decision, Flag } from '../core.js';
import { taskSummary } from '../core.js';
import type { Gate, Return } from '../gate.js';
import { type AgentContext, type ContextBase, createContext, type ObservedContext } from './context.js';
import { exhausted, prose, readReturned, seedNotUsed, stopFailure } from './ending.js';
import { type Failure, failure, failureOfThrown } from './failure.js';
import type { History } from './history.js';
import { ReturnCalls } from './return-calls.js';
import { ACCEPTED, createReturnTool, type ReturnTool } from './return-tool.js';
import { ChildRun, type RunEnd } from './run.js';
import { STOPPED, type Stop } from './stop.js';

/** A child that is ready to start. */
export interface ChildJob {
  run(ctx: AgentContext): unknown;
  context: ContextBase;
  /** The first run's id; the later ones are made from it. */
  runId: string;
  identity: ChildIdentity;
  /** Absent in prose mode. */
  gate: Gate | undefined;
  history: History;
  mender: StreamMender;
  stop: Stop;
  /** The answers to the child's interrupts, when it was suspended. */
  resume: ResumeEntry[] | undefined;
  newId(): string;
}

/** How a child ended. */
export type Outcome =
  | { status: 'completed'; summary: string | null; resultText?: string; flags?: Flag[] }
  | { status: 'suspended'; interrupts: Interrupt[] }
  | Failure;

/** What was measured while the child ran. */
export interface Measured {
  usage: TokenUsage[];
  finishReason?: string | undefined;
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
  /** The judgement under way: a host may run its tools beside its stream, and end the stream first. */
  #judging: Promise<unknown> = Promise.resolve();

  constructor(job: ChildJob, measured: Measured) {
    this.#job = job;
    this.#measured = measured;
  }

  async *drive(): AsyncGenerator<AGUIEvent, Outcome> {
    const { history, mender, runId } = this.#job;
    for (let count = 1; ; count += 1) {
      const resume = count === 1 ? this.#job.resume : undefined;
      const outcome = yield* this.#runOnce(count === 1 ? runId : `${runId}-${count}`, resume);
      yield* this.#closeAll(mender.close());
      yield* this.#flush();
      if (outcome.kind === 'settled') return outcome.outcome;
      history.addFeedback(outcome.feedback);
    }
  }

  async *#runOnce(runId: string, resume: ResumeEntry[] | undefined): AsyncGenerator<AGUIEvent, Turn> {
    const job = this.#job;
    const { history, gate, stop } = job;
    history.beginRun();
    const calls = new ReturnCalls();
    let current = true;
    const returnTool =
      gate &&
      this.#returnTool(gate, calls, {
        isCurrent: () => current,
        finishReason: () => run.finishReason,
      });
    const observed = createContext(job.context, {
      runId,
      attempt: gate?.next ?? 1,
      resume,
      history: history.messages(),
      returnTool,
    });
    const run: ChildRun = new ChildRun({
      identity: job.identity,
      history,
      mender: job.mender,
      stop,
      newId: job.newId,
      addUsage: (usage) => this.#measured.usage.push(...usage),
      firstSign: (cause) => (resume && !observed.seeded() ? seedNotUsed(cause) : undefined),
      seen: (event) => {
        history.add(event);
        return returnTool && this.#seeReturnCall(event, returnTool, calls, run);
      },
    });
    const events = run.read(() => job.run(observed.context));
    let end: RunEnd;
    try {
      for (;;) {
        const next = await events.next();
        yield* this.#flush();
        if (next.done) {
          end = next.value;
          break;
        }
        yield next.value;
      }
    } finally {
      current = false;
      // Whoever reads the delegation may stop at any event; the child's stream is ended with it.
      await events.return({ kind: 'stopped' });
    }
    this.#measured.finishReason = run.finishReason ?? this.#measured.finishReason;
    const turn = await this.#judgeEnd(end, run, observed);
    if (turn.kind === 'settled' && turn.outcome.status === 'completed') yield* this.#answerReturn(calls);
    return turn;
  }

  #returnTool(
    gate: Gate,
    calls: ReturnCalls,
    turn: { isCurrent(): boolean; finishReason(): string | undefined },
  ): ReturnTool {
    const driver = this;
    const { history, stop } = this.#job;
    return createReturnTool(gate.contract, {
      argumentsOf: (id) => history.argumentsOf(id),
      judge: (raw, toolCallId) => {
        calls.judged(toolCallId);
        const judging = driver.#judge(
          gate,
          { raw, via: 'return_tool', finishReason: turn.finishReason() },
          toolCallId,
          calls,
        );
        driver.#judging = judging.catch(() => {});
        return judging;
      },
      get standing() {
        if (driver.#settled?.status === 'completed') return 'accepted';
        return driver.#settled || stop.reason || !turn.isCurrent() ? 'over' : 'open';
      },
    });
  }

  /** A host may refuse a call itself, because its arguments are no JSON: it is judged all the same, when its result shows up. */
  #seeReturnCall(event: AGUIEvent, tool: ReturnTool, calls: ReturnCalls, run: ChildRun): Promise<unknown> | undefined {
    const { gate, history } = this.#job;
    if (event.type === 'TOOL_CALL_START') {
      if (event.toolCallName === tool.name) calls.opened(event.toolCallId);
      return undefined;
    }
    if (event.type !== 'TOOL_CALL_RESULT' || !calls.answered(event.toolCallId) || !gate) return undefined;
    const raw = history.argumentsOf(event.toolCallId) ?? '';
    return this.#judge(gate, { raw, via: 'return_tool', finishReason: run.finishReason }, event.toolCallId, calls);
  }

  async #judge(gate: Gate, returned: Return, toolCallId: string | undefined, calls: ReturnCalls): Promise<Decision> {
    let decision: Decision;
    try {
      decision = await gate.judge(returned);
    } catch (thrown) {
      // The host would take it for the tool's error and let the child go on, unjudged.
      this.#settle(failureOfThrown(thrown));
      throw thrown;
    }
    this.#note(gate);
    if (this.#job.stop.reason) return decision;
    if (decision.action === 'accept') {
      calls.accepted = toolCallId;
      this.#settle(this.#accepted(decision));
    } else if (decision.action === 'exhausted') {
      this.#settle(exhausted(decision));
    }
    return decision;
  }

  #settle(outcome: Outcome): void {
    this.#settled ??= outcome;
    this.#job.stop.stop({ by: 'return' });
  }

  async #judgeEnd(end: RunEnd, run: ChildRun, observed: ObservedContext): Promise<Turn> {
    const { gate, history, stop } = this.#job;
    if (end.kind !== 'stopped') await stop.wait(this.#judging);
    if (this.#settled) return settled(this.#settled);
    switch (end.kind) {
      case 'stopped':
        return settled(stopFailure(stop));
      case 'failed':
        return settled(end.failure);
      case 'interrupted':
        return settled({ status: 'suspended', interrupts: end.interrupts });
      case 'cancelled':
        return settled(failure('aborted', "the child's run was cancelled", { status: 'cancelled' }));
      default:
    }
    if (!gate) return settled({ status: 'completed', summary: prose(end, run, history) });
    const returned = readReturned(end, run, history);
    if (returned) history.judgeFinalText();
    const decision = returned
      ? await stop.wait(gate.judge({ ...returned, finishReason: run.finishReason }))
      : gate.noReturn(observed.tookReturnTool(), run.finishReason);
    if (decision === STOPPED) return settled(stopFailure(stop));
    this.#note(gate);
    switch (decision.action) {
      case 'accept':
        return settled(this.#accepted(decision));
      case 'retry':
        return { kind: 'again', feedback: decision.feedback };
      default:
        return settled(exhausted(decision));
    }
  }

  #accepted(decision: Extract<Decision, { action: 'accept' }>): Outcome {
    const { text, flags } = decision;
    const last = this.#job.history.lastText;
    const summary = last === undefined ? null : taskSummary(last);
    return { status: 'completed', summary, resultText: text, ...(flags.length > 0 && { flags }) };
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
    if (attempt) this.#notices.push(attemptEvent(attempt, gate.maxRetries, this.#job.identity.subagentRunId));
  }

  *#flush(): Generator<AGUIEvent> {
    yield* this.#notices.splice(0);
  }
}

type Turn = { kind: 'settled'; outcome: Outcome } | { kind: 'again'; feedback: string };

function settled(outcome: Outcome): Turn {
  return { kind: 'settled', outcome };
}
