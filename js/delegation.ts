// One delegation from start to envelope: who may read it, when it runs, and how it is stopped.
import type { AGUIEvent, SubagentStartedEvent } from './ag-ui/events.js';
import { StreamMender } from './ag-ui/mend.js';
import { type ChildJob, driveChild, type Measured, type Outcome } from './child/drive.js';
import { stopFailure } from './child/ending.js';
import { type Failure, failure, failureOfThrown } from './child/failure.js';
import { outward } from './child/names.js';
import { STOPPED, Stop } from './child/stop.js';
import { ChildTranscript } from './child/transcript.js';
import type { SubcontractAgent } from './define-agent.js';
import type { DelegateOptions, Delegation } from './delegate.js';
import type { ResultEnvelope } from './envelope.js';
import { SubcontractError } from './errors.js';
import { attemptNews, type DelegationEventBase, type DelegationNews, tell } from './observe.js';
import { type Ended, newsOfEnd, replay, type Written, write } from './outcome.js';
import { type Chosen, chooseContractFor, type Delegated, type Prepared, prepare } from './prepare.js';
import { sealOf } from './resume-seal.js';
import { makeId, readClock } from './sources.js';
import { type Parked, park } from './suspend.js';

/** How a delegation is run, by this package's own callers too. */
export interface RunOptions extends DelegateOptions {
  /** The host that runs the agent itself, with the input where it has judged the brief. */
  host?: { context: unknown; input?: unknown };
}

/** See {@link Delegation}. */
export class DelegationRun<R> implements Delegation<R> {
  readonly subagentRunId: string;
  readonly #agent: SubcontractAgent;
  readonly #brief: unknown;
  readonly #options: RunOptions;
  readonly #threadId: string;
  readonly #toolCallId: string | undefined;
  readonly #transcript: ChildTranscript | undefined;
  readonly #stop = new Stop();
  readonly #measured: Measured = { usage: [] };
  readonly #written: Promise<Written>;
  #settle!: (written: Written) => void;
  #chosen: Chosen = { ref: { source: 'none' }, contract: undefined, schemaText: undefined };
  #prepared: Prepared | undefined;
  #startedAt = 0;
  #read: 'not yet' | 'iterated' | 'drained' = 'not yet';

  constructor(agent: SubcontractAgent, brief: unknown, options: RunOptions) {
    const state = options.resume?.state;
    const { timeoutMs } = options;
    if (typeof agent?.definition?.run !== 'function')
      throw new TypeError('delegate needs an agent made by defineAgent');
    // A seal that cannot be used is misuse, and not for the child that suspends to find out.
    if (options.seal !== undefined) sealOf(options.seal);
    if (timeoutMs !== undefined && !(timeoutMs > 0)) {
      throw new RangeError(`timeoutMs must be more than 0, not ${String(timeoutMs)}`);
    }
    this.#agent = agent;
    this.#brief = brief;
    this.#options = options;
    this.subagentRunId = state?.subagent_run_id ?? options.subagentRunId ?? this.#newId();
    this.#threadId = options.threadId ?? state?.thread_id ?? this.#newId();
    this.#toolCallId = options.parentToolCallId ?? state?.tool_call_id ?? undefined;
    this.#transcript = ChildTranscript.of(options, { ref: this.subagentRunId, threadId: this.#threadId });
    this.#written = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get envelope(): Promise<ResultEnvelope<R>> {
    return this.envelopeText.then((text) => JSON.parse(text) as ResultEnvelope<R>);
  }

  get envelopeText(): Promise<string> {
    return this.#end().then(({ envelopeText }) => envelopeText);
  }

  get toolResult(): Promise<string> {
    return this.#end().then(({ toolResult }) => toolResult);
  }

  async orThrow(): Promise<ResultEnvelope<R>> {
    const { envelopeText, failure } = await this.#end();
    if (failure) throw failure.error;
    return JSON.parse(envelopeText) as ResultEnvelope<R>;
  }

  abort(reason?: unknown): void {
    this.#stop.stop({ by: 'abort', cause: reason });
  }

  [Symbol.asyncIterator](): AsyncIterator<AGUIEvent, undefined> {
    if (this.#read !== 'not yet') {
      const why =
        this.#read === 'iterated' ? 'it was iterated before' : 'its envelope was asked for first, which drains it';
      throw new SubcontractError(`a delegation can be iterated once: ${why}`, { code: 'already_iterated' });
    }
    this.#read = 'iterated';
    const events = this.#events();
    return {
      next: async () => {
        const next = await events.next();
        return next.done ? next : { done: false, value: outward(next.value, this.subagentRunId) };
      },
      return: async () => {
        this.abort('the events are no longer read');
        // A generator that never started has nothing that would settle the envelope; once stopped, it only does that.
        // One that is under way ends at once, because the abort wakes it.
        while (!(await events.next()).done);
        return { done: true, value: undefined };
      },
    };
  }

  /** What the delegation came to; runs it when nobody reads its events. */
  #end(): Promise<Written> {
    // Not at once: `const { envelope } = delegation` may be followed by a loop over the events.
    if (this.#read === 'not yet') queueMicrotask(() => this.#drain());
    return this.#written;
  }

  async #drain(): Promise<void> {
    if (this.#read !== 'not yet') return;
    this.#read = 'drained';
    const events = this.#events();
    while (!(await events.next()).done);
  }

  async *#events(): AsyncGenerator<AGUIEvent, undefined> {
    const { abortSignal, timeoutMs } = this.#options;
    const stop = this.#stop;
    try {
      this.#startedAt = this.#now();
      if (abortSignal) stop.follow(abortSignal);
      if (timeoutMs !== undefined) stop.after(timeoutMs);
      const failed = await this.#prepare();
      if (failed) {
        const stopped = stop.reason !== undefined;
        this.#finish(failed);
        if (!stopped) yield this.#notStarted(failed);
        return undefined;
      }
      const mender = new StreamMender({
        owner: this.subagentRunId,
        pendingToolCalls: this.#prepared?.history.pendingToolCalls() ?? [],
      });
      this.#tellStart();
      const started = this.#started();
      this.#transcript?.add(started);
      yield started;
      const { ignored = [], cancelled = false, ended } = this.#prepared ?? {};
      if (ended !== undefined) {
        const { outcome, written } = replay(ended);
        yield this.#finishAs(this.#ended(outcome), written).lastEvent;
        return undefined;
      }
      if (ignored.length > 0) yield this.#ignored(ignored);
      const outcome = await this.#park(cancelled ? calledOff() : yield* this.#child(mender));
      // Settled before the last events are read: nobody may be there to read them.
      const { lastEvent } = await this.#keep(outcome);
      yield* mender.close();
      yield lastEvent;
    } catch (thrown) {
      // The `now` or `newId` we were given, or a bug of ours. The envelope resolves all the same.
      this.#finish(failureOfThrown(thrown));
    } finally {
      this.#finish(stopFailure(stop));
    }
    return undefined;
  }

  async #prepare(): Promise<Failure | undefined> {
    const stop = this.#stop;
    if (stop.reason) return stopFailure(stop);
    try {
      this.#chosen = chooseContractFor(this.#agent, this.#options);
      const preparing = prepare(this.#agent, this.#chosen.contract, this.#brief, this.#options, {
        signal: stop.signal,
        transcriptRef: this.#transcript?.ref,
      });
      const prepared = await stop.wait(preparing);
      if (prepared === STOPPED) {
        // It may claim its child yet, which then has ended: stopped, and not to be waited for by whoever asks again.
        preparing.then(async ({ keep }) => keep((await this.#written).envelopeText)).catch(() => {});
        return stopFailure(stop);
      }
      this.#prepared = prepared;
      return undefined;
    } catch (thrown) {
      return failureOfThrown(thrown);
    }
  }

  /** A suspended child's state, sealed. What cannot be kept cannot be resumed: the child has failed then. */
  async #park(outcome: Outcome): Promise<Outcome> {
    if (outcome.status !== 'suspended') return outcome;
    const child = { ...this.#delegated(), id: this.#newId(), interrupts: outcome.interrupts };
    try {
      const parked = await this.#stop.wait(park(child, this.#options.seal, this.#now()));
      if (parked === STOPPED) return stopFailure(this.#stop);
      this.#parked = parked;
      return outcome;
    } catch (thrown) {
      return failureOfThrown(thrown);
    }
  }

  #parked: Parked | undefined;

  /**
   * As {@link #finish}, and what is kept of the child is kept before anybody sees it: its transcript, which the envelope refers to,
   * and what came of one that a resume claimed.
   */
  async #keep(outcome: Outcome): Promise<Written> {
    const saved = this.#transcript?.save();
    if (saved) await this.#stop.waitAfterEnd(saved);
    const ended = this.#ended(outcome);
    const written = write(ended);
    // A store that fails now costs no more than the second answer to a repeated request.
    const kept = this.#prepared?.keep(written.envelopeText);
    if (kept) await this.#stop.waitAfterEnd(kept).catch(() => {});
    return this.#finishAs(ended, written);
  }

  /** Writes the outcome down, the first time it is called, and lets go of the child. */
  #finish(outcome: Outcome): Written {
    if (this.#last) return this.#last;
    const ended = this.#ended(outcome);
    return this.#finishAs(ended, write(ended));
  }

  #last: Written | undefined;

  #delegated(): Delegated {
    return {
      runId: this.subagentRunId,
      agent: this.#agent,
      threadId: this.#threadId,
      toolCallId: this.#toolCallId,
      chosen: this.#chosen,
      prepared: this.#prepared,
    };
  }

  #ended(outcome: Outcome): Ended {
    return {
      ...this.#delegated(),
      outcome,
      measured: this.#measured,
      durationMs: this.#duration(),
      parked: this.#parked,
      transcriptRef: this.#transcript?.handle,
    };
  }

  #finishAs(ended: Ended, written: Written): Written {
    if (this.#last) return this.#last;
    this.#last = written;
    this.#tell(() => newsOfEnd(ended, written.failure));
    this.#settle(written);
    // A child that came to its own end is not told to stop.
    if (written.failure) this.#stop.stop({ by: 'return' });
    this.#stop.release();
    // Compiled for this call alone.
    if (this.#chosen.schemaText !== undefined) this.#chosen.contract?.free();
    return written;
  }

  #started(): SubagentStartedEvent {
    const { name, description } = this.#agent;
    const { parentSubagentRunId } = this.#options;
    return {
      type: 'SUBAGENT_STARTED',
      subagentRunId: this.subagentRunId,
      name,
      description,
      ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
      ...(this.#toolCallId !== undefined && { parentToolCallId: this.#toolCallId }),
      timestamp: this.#startedAt,
    };
  }

  #child(mender: StreamMender): AsyncGenerator<AGUIEvent, Outcome> {
    const events = driveChild(this.#job(mender), this.#measured);
    return this.#transcript?.record(events) ?? events;
  }

  #job(mender: StreamMender): ChildJob {
    const { parentRunId, parentSubagentRunId, messages = [], runId, host } = this.#options;
    const { subagentRunId } = this;
    const { definition } = this.#agent;
    const prepared = this.#prepared as Prepared;
    return {
      run: (ctx) => definition.run(ctx as never),
      context: {
        input: prepared.brief.input,
        messages,
        threadId: this.#threadId,
        subagentRunId,
        ...(parentRunId !== undefined && { parentRunId }),
        ...(this.#toolCallId !== undefined && { parentToolCallId: this.#toolCallId }),
        ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
        ...(host && { host: host.context }),
      },
      runId: runId ?? this.#newId(),
      identity: { subagentRunId, parentMessageIds: messageIds(messages) },
      gate: prepared.gate,
      earlyReject: this.#options.earlyReject ?? this.#agent.earlyReject,
      history: prepared.history,
      mender,
      stop: this.#stop,
      resume: prepared.resume,
      newId: () => this.#newId(),
      attempted: (attempt) => this.#tell(() => attemptNews(attempt, this.#agent.maxRetries)),
    };
  }

  /** Answers that no interrupt of the child has: it goes on without them. */
  #ignored(interruptIds: string[]): AGUIEvent {
    const { subagentRunId } = this;
    return { type: 'CUSTOM', name: 'subcontract.answers_ignored', value: { interruptIds }, subagentRunId };
  }

  #tellStart(): void {
    const { ref: contract } = this.#chosen;
    const attempts = this.#prepared?.gate?.attempts.length ?? 0;
    this.#tell(() => (this.#options.resume ? { type: 'resumed', contract, attempts } : { type: 'started', contract }));
  }

  #tell(news: () => DelegationNews): void {
    const { onEvent, parentRunId, parentSubagentRunId } = this.#options;
    if (!onEvent) return;
    const timestamp = this.#timestamp();
    const base: DelegationEventBase = {
      subagentRunId: this.subagentRunId,
      subagent: this.#agent.name,
      threadId: this.#threadId,
      ...(parentRunId !== undefined && { parentRunId }),
      ...(this.#toolCallId !== undefined && { parentToolCallId: this.#toolCallId }),
      ...(parentSubagentRunId !== undefined && { parentSubagentRunId }),
      ...(timestamp !== undefined && { timestamp }),
    };
    tell(onEvent, base, news);
  }

  /** A child that never starts has no SUBAGENT_* events; whoever shows the call can still say why. */
  #notStarted({ code, message, issues = [] }: Failure): AGUIEvent {
    const value = {
      subagentRunId: this.subagentRunId,
      name: this.#agent.name,
      ...(this.#toolCallId !== undefined && { parentToolCallId: this.#toolCallId }),
      code,
      message,
      issues,
    };
    const name = code === 'brief_rejected' ? 'subcontract.brief_rejected' : 'subcontract.not_started';
    return { type: 'CUSTOM', name, value };
  }

  #duration(): number | undefined {
    const now = this.#timestamp();
    return now === undefined ? undefined : Math.max(0, now - this.#startedAt);
  }

  /** Nothing may keep the envelope from being written, a given clock that fails included. */
  #timestamp(): number | undefined {
    try {
      return this.#now();
    } catch {
      return undefined;
    }
  }

  #newId(): string {
    return makeId(this.#options.newId);
  }

  #now(): number {
    return readClock(this.#options.now);
  }
}

function calledOff(): Failure {
  return failure('cancelled', 'what the child waited for was cancelled', { status: 'cancelled' });
}

function messageIds(messages: readonly unknown[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    const id = (message as { id?: unknown } | null)?.id;
    if (typeof id === 'string') ids.add(id);
  }
  return ids;
}
