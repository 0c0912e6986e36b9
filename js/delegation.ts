// One delegation from start to envelope: who may read it, when it runs, and how it is stopped.
import type { AGUIEvent } from './ag-ui/events.js';
import { StreamMender } from './ag-ui/mend.js';
import { driveChild } from './child/drive.js';
import { stopFailure } from './child/ending.js';
import { type Failure, failure, failureOfThrown } from './child/failure.js';
import type { ChildJob, Measured, Outcome } from './child/job.js';
import { outward } from './child/names.js';
import { STOPPED, Stop } from './child/stop.js';
import { ChildTranscript } from './child/transcript.js';
import type { ClaimTurn } from './claim-turns.js';
import { assertAgent, type SubcontractAgent } from './define-agent.js';
import type { DelegateOptions, Delegation } from './delegate.js';
import { ignoredEvent, notStartedEvent, startedEvent } from './delegation-events.js';
import { type Earlier, tellOf } from './earlier.js';
import type { ResultEnvelope } from './envelope.js';
import { type Joined, joined } from './joined.js';
import { spelled } from './misuse.js';
import { attemptNews, type DelegationEventBase, type DelegationNews, tell } from './observe.js';
import { type Ended, newsOfEnd, replay, type Written, write } from './outcome.js';
import type { Entry } from './position.js';
import { type Chosen, chooseContractFor, type Delegated, type Prepared, prepare } from './prepare.js';
import { assertPresent } from './present.js';
import { Reading } from './reading.js';
import { sealOf } from './resume-seal.js';
import { makeId } from './sources.js';
import { Stopwatch } from './stopwatch.js';
import { type Parked, park } from './suspend.js';

/** What a delegation is part of, when it is one of several. */
export interface Batch extends Joined {
  /** The children before it, in a sequence. */
  earlier?(): readonly Earlier[];
  /** When it is claimed, where it is resumed with others. */
  turn?: ClaimTurn;
  /** Somebody wants to know what it comes to: the batch runs it, in its turn. */
  ask(): void;
}

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
  readonly #part: Batch | Joined;
  readonly #threadId: string;
  readonly #toolCallId: string | undefined;
  readonly #transcript: ChildTranscript | undefined;
  readonly #stop: Stop = new Stop(() => this.#whenUnread());
  readonly #measured: Measured = { usage: [] };
  readonly #reading: Reading;
  readonly #written: Promise<Written>;
  #settle!: (written: Written) => void;
  #chosen: Chosen = { ref: { source: 'none' }, contract: undefined, schemaText: undefined };
  #prepared: Prepared | undefined;
  #entry: Entry | undefined;
  #begun = false;
  readonly #watch: Stopwatch;

  constructor(agent: SubcontractAgent, brief: unknown, given: RunOptions, batch?: Batch) {
    const part = batch ?? joined(given);
    const options: RunOptions = part.options;
    const state = options.resume?.state;
    const { timeoutMs } = options;
    assertAgent(agent);
    // A seal that cannot be used is misuse, and not for the child that suspends to find out.
    if (options.seal !== undefined) sealOf(options.seal);
    assertPresent(options.present);
    if (timeoutMs !== undefined && (typeof timeoutMs !== 'number' || !(timeoutMs > 0))) {
      throw new RangeError(`timeoutMs must be a number of more than 0, not ${spelled(timeoutMs)}`);
    }
    if (options.messages !== undefined && !Array.isArray(options.messages))
      throw new TypeError('messages must be a list');
    this.#agent = agent;
    this.#brief = brief;
    this.#options = options;
    this.#part = part;
    this.#watch = new Stopwatch(options.now);
    this.subagentRunId = state?.subagent_run_id ?? options.subagentRunId ?? this.#newId();
    this.#threadId = options.threadId ?? state?.thread_id ?? this.#newId();
    this.#toolCallId = options.parentToolCallId ?? state?.tool_call_id ?? undefined;
    this.#transcript = ChildTranscript.of(options, { ref: this.subagentRunId, threadId: this.#threadId });
    this.#reading = new Reading({
      what: 'a delegation',
      events: () => this.#events(),
      shown: (event) => outward(event, this.subagentRunId),
      abort: (reason) => this.abort(reason),
      given: () => this.#whenUnread(),
    });
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
    // A child that came to its own end is not told to stop.
    if (this.#last) return;
    this.#stop.stop({ by: 'abort', cause: reason });
  }

  /** Ends it before it has begun. Gives the event that says so; none when it has begun. */
  notReached(failed: Failure): AGUIEvent | undefined {
    if (this.#begun || this.#last) return undefined;
    this.#finish(failed);
    return notStartedEvent(this.#announced(), failed);
  }

  /** What it came to, once it has ended. It is not asked to run. */
  get written(): Promise<Written> {
    return this.#written;
  }

  [Symbol.asyncIterator](): AsyncIterator<AGUIEvent, undefined> {
    return this.#reading.iterate();
  }

  /** What the delegation came to; runs it when nobody reads its events. */
  #end(): Promise<Written> {
    if ('ask' in this.#part) this.#part.ask();
    else this.#reading.ask();
    return this.#written;
  }

  /** Nobody may read on in a child that was stopped; what it came to is written down all the same. */
  #whenUnread(): void {
    const over = () => this.#last !== undefined || !this.#stop.called || !this.#reading.idle;
    if (over()) return;
    // Whoever reads on does so before this.
    setTimeout(() => {
      if (!over()) void this.#keep(this.#measured.settled ?? stopFailure(this.#stop));
    }, 0);
  }

  async *#events(): AsyncGenerator<AGUIEvent, undefined> {
    if (this.#last) return undefined;
    const { timeoutMs } = this.#options;
    const stop = this.#stop;
    this.#begun = true;
    try {
      for (const signal of this.#part.signals) stop.follow(signal);
      const refused = await this.#enter();
      const startedAt = this.#watch.start();
      if (timeoutMs !== undefined) stop.after(timeoutMs);
      const failed = refused ?? (await this.#prepare());
      if (failed) {
        const stopped = stop.reason !== undefined;
        this.#finish(failed);
        if (!stopped) yield notStartedEvent(this.#announced(), failed);
        return undefined;
      }
      const mender = new StreamMender({
        owner: this.subagentRunId,
        pendingToolCalls: this.#prepared?.history.pendingToolCalls() ?? [],
      });
      this.#tellStart();
      const started = startedEvent(this.#announced(), startedAt);
      this.#transcript?.add(started);
      yield started;
      const { ignored = [], cancelled = false, ended } = this.#prepared ?? {};
      if (ended !== undefined) {
        const { outcome, written } = replay(ended, { present: this.#options.present, contract: this.#chosen.contract });
        yield this.#finishAs(this.#ended(outcome), written).lastEvent;
        return undefined;
      }
      if (ignored.length > 0) yield ignoredEvent(this.subagentRunId, ignored);
      const outcome = await this.#park(cancelled ? calledOff() : yield* this.#child(mender));
      // Settled before the last events are read: nobody may be there to read them.
      const { lastEvent } = await this.#keep(outcome);
      yield* mender.close(askedBy(outcome, lastEvent));
      yield lastEvent;
    } catch (thrown) {
      // The `now` or `newId` we were given, or a bug of ours. The envelope resolves all the same.
      this.#finish(failureOfThrown(thrown));
    } finally {
      this.#finish(stopFailure(stop));
    }
    return undefined;
  }

  /** Waits for the child's turn in the trees that it is part of; why it may not start, if it may not. */
  async #enter(): Promise<Failure | undefined> {
    const { position } = this.#part;
    if (!position || this.#stop.reason) return undefined;
    const entry = position.enter(this.#options.resume ? 'resume' : 'start');
    this.#entry = entry;
    const refusal = await this.#stop.wait(entry.arrived);
    if (refusal === STOPPED) return undefined;
    if (refusal) return failure(refusal.code, refusal.message);
    this.#unwatch = position.watch((over) => this.#stop.stop({ by: 'limit', ...over }));
    return undefined;
  }

  #unwatch: (() => void) | undefined;

  async #prepare(): Promise<Failure | undefined> {
    const stop = this.#stop;
    if (stop.reason) return stopFailure(stop);
    try {
      this.#chosen = chooseContractFor(this.#agent, this.#options);
      const preparing = prepare(this.#agent, this.#chosen.contract, this.#brief, this.#options, {
        signal: stop.signal,
        transcriptRef: this.#transcript?.ref,
        turn: 'turn' in this.#part ? this.#part.turn : undefined,
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
      const parked = await this.#stop.wait(park(child, this.#options.seal, this.#watch.now()));
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
  #keep(outcome: Outcome): Promise<Written> {
    this.#keeping ??= this.#keepOnce(outcome);
    return this.#keeping;
  }

  #keeping: Promise<Written> | undefined;

  async #keepOnce(outcome: Outcome): Promise<Written> {
    const saved = this.#transcript?.save();
    if (saved) await this.#stop.waitAfterEnd(saved);
    const ended = this.#ended(saved && !this.#transcript?.handle ? await this.#unkept(outcome) : outcome);
    const written = write(ended);
    // A store that fails now costs no more than the second answer to a repeated request.
    const kept = this.#prepared?.keep(written.envelopeText);
    if (kept) await this.#stop.waitAfterEnd(kept).catch(() => {});
    return this.#finishAs(ended, written);
  }

  /** The outcome of a child whose transcript could not be kept: nothing in it leads there. */
  async #unkept(outcome: Outcome): Promise<Outcome> {
    const { gate } = this.#prepared ?? {};
    if (outcome.status !== 'completed' || !outcome.accepted || !gate) return outcome;
    try {
      const accepted = await this.#stop.waitAfterEnd(gate.withoutTranscript(outcome.accepted));
      return accepted === STOPPED ? outcome : { ...outcome, accepted };
    } catch {
      // It was accepted; that its schema's own validation fails now is no fault of the child's.
      return outcome;
    }
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
      durationMs: this.#watch.duration(),
      parked: this.#parked,
      transcriptRef: this.#transcript?.handle,
      present: this.#options.present,
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
    this.#unwatch?.();
    this.#entry?.leave(this.#prepared !== undefined);
    // Compiled for this call alone.
    if (this.#chosen.schemaText !== undefined) this.#chosen.contract?.free();
    return written;
  }

  #announced() {
    const { parentSubagentRunId } = this.#options;
    return {
      subagentRunId: this.subagentRunId,
      agent: this.#agent,
      toolCallId: this.#toolCallId,
      parentSubagentRunId,
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
    const earlier = 'earlier' in this.#part ? (this.#part.earlier?.() ?? []) : [];
    const told = tellOf(earlier, messages, this.#agent.inputContract === undefined && prepared.gate === undefined);
    return {
      run: (ctx) => definition.run(ctx as never),
      context: {
        input: prepared.brief.input,
        messages: told.messages,
        earlier: told.earlier,
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
      earlierMessage: told.message,
      mender,
      stop: this.#stop,
      entry: this.#entry,
      resume: prepared.resume,
      newId: () => this.#newId(),
      attempted: (attempt) => this.#tell(() => attemptNews(attempt, this.#agent.maxRetries)),
    };
  }

  #tellStart(): void {
    const { ref: contract } = this.#chosen;
    const attempts = this.#prepared?.gate?.attempts.length ?? 0;
    this.#tell(() => (this.#options.resume ? { type: 'resumed', contract, attempts } : { type: 'started', contract }));
  }

  #tell(news: () => DelegationNews): void {
    const { onEvent, parentRunId, parentSubagentRunId } = this.#options;
    if (!onEvent) return;
    const timestamp = this.#watch.timestamp();
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

  #newId(): string {
    return makeId(this.#options.newId);
  }
}

/** What a child that is suspended asks; nothing of one that is not, whatever its own children wait for. */
function askedBy(outcome: Outcome, lastEvent: AGUIEvent): ReadonlySet<string> | undefined {
  if (outcome.status !== 'suspended' || lastEvent.type !== 'SUBAGENT_FINISHED') return undefined;
  return new Set(outcome.interrupts.map(({ id }) => id));
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
