// One delegation from start to envelope: who may read it, when it runs, and how it is stopped.
import { Admission } from './admission.js';
import type { AGUIEvent } from './ag-ui/events.js';
import { StreamMender } from './ag-ui/mend.js';
import { waitingEvent } from './ag-ui/waiting.js';
import { driveChild } from './child/drive.js';
import { calledOff, stopFailure } from './child/ending.js';
import { type Failure, failureOfThrown } from './child/failure.js';
import { type ChildIds, idsOf } from './child/ids.js';
import { type ChildJob, childJob, type Measured, type Outcome } from './child/job.js';
import { outward } from './child/names.js';
import { STOPPED, Stop } from './child/stop.js';
import { ChildTranscript } from './child/transcript.js';
import type { ClaimTurn } from './claim-turns.js';
import type { SubcontractAgent } from './define-agent.js';
import type { Delegation } from './delegate.js';
import { DelegationEnd } from './delegation-end.js';
import { ignoredEvent, notStartedEvent, startedEvent } from './delegation-events.js';
import { assertDelegation, type RunOptions } from './delegation-options.js';
import type { Earlier } from './earlier.js';
import type { ResultEnvelope } from './envelope.js';
import { type Joined, joined } from './joined.js';
import { attemptNews, type DelegationNews, tell } from './observe.js';
import { askedBy, type Ended, newsOfEnd, replay, type Written } from './outcome.js';
import { type Chosen, chooseContractFor, type Delegated, type Prepared, prepare } from './prepare.js';
import { Reading } from './reading.js';
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

/** See {@link Delegation}. */
export class DelegationRun<R> implements Delegation<R> {
  readonly #agent: SubcontractAgent;
  readonly #brief: unknown;
  readonly #options: RunOptions;
  readonly #part: Batch | Joined;
  readonly #ids: ChildIds;
  readonly #transcript: ChildTranscript | undefined;
  readonly #stop: Stop = new Stop(() => this.#whenUnread());
  readonly #measured: Measured = { usage: [] };
  readonly #admission = new Admission();
  readonly #watch: Stopwatch;
  readonly #reading: Reading;
  readonly #end: DelegationEnd;
  #begun = false;
  #chosen: Chosen = { ref: { source: 'none' }, contract: undefined, schemaText: undefined };
  #prepared: Prepared | undefined;
  #parked: Parked | undefined;

  constructor(agent: SubcontractAgent, brief: unknown, given: RunOptions, batch?: Batch) {
    const part = batch ?? joined(given);
    const options: RunOptions = part.options;
    assertDelegation(agent, options);
    this.#agent = agent;
    this.#brief = brief;
    this.#options = options;
    this.#part = part;
    this.#watch = new Stopwatch(options.now);
    this.#ids = idsOf(options);
    const { subagentRunId, threadId } = this.#ids;
    this.#transcript = ChildTranscript.of(options, { ref: subagentRunId, threadId });
    this.#reading = new Reading({
      what: 'a delegation',
      events: () => this.#events(),
      shown: (event) => outward(event, subagentRunId),
      abort: (reason) => this.abort(reason),
      given: () => this.#whenUnread(),
    });
    this.#end = new DelegationEnd({
      stop: this.#stop,
      transcript: this.#transcript,
      gate: () => this.#prepared?.gate,
      ended: (outcome) => this.#ended(outcome),
      over: (ended, written) => this.#over(ended, written),
    });
  }

  get subagentRunId(): string {
    return this.#ids.subagentRunId;
  }

  get envelope(): Promise<ResultEnvelope<R>> {
    return this.envelopeText.then((text) => JSON.parse(text) as ResultEnvelope<R>);
  }

  get envelopeText(): Promise<string> {
    return this.#asked().then(({ envelopeText }) => envelopeText);
  }

  get toolResult(): Promise<string> {
    return this.#asked().then(({ toolResult }) => toolResult);
  }

  async orThrow(): Promise<ResultEnvelope<R>> {
    const { envelopeText, failure } = await this.#asked();
    if (failure) throw failure.error;
    return JSON.parse(envelopeText) as ResultEnvelope<R>;
  }

  abort(reason?: unknown): void {
    // A child that came to its own end is not told to stop.
    if (this.#end.isOver) return;
    this.#stop.stop({ by: 'abort', cause: reason });
  }

  /** Ends it before it has begun. Gives the event that says so; none when it has begun. */
  notReached(failed: Failure): AGUIEvent | undefined {
    if (this.#begun || this.#end.isOver) return undefined;
    this.#end.finish(failed);
    return notStartedEvent(this.#delegated(), failed);
  }

  /** What it came to, once it has ended. It is not asked to run. */
  get written(): Promise<Written> {
    return this.#end.written;
  }

  [Symbol.asyncIterator](): AsyncIterator<AGUIEvent, undefined> {
    return this.#reading.iterate();
  }

  /** What the delegation came to; runs it when nobody reads its events. */
  #asked(): Promise<Written> {
    if ('ask' in this.#part) this.#part.ask();
    else this.#reading.ask();
    return this.#end.written;
  }

  /** Nobody may read on in a child that was stopped; what it came to is written down all the same. */
  #whenUnread(): void {
    const over = () => this.#end.isOver || !this.#stop.called || !this.#reading.idle;
    if (over()) return;
    // Whoever reads on does so before this.
    setTimeout(() => {
      if (!over()) void this.#end.keep(this.#measured.settled ?? stopFailure(this.#stop));
    }, 0);
  }

  async *#events(): AsyncGenerator<AGUIEvent, undefined> {
    if (this.#end.isOver) return undefined;
    const { timeoutMs } = this.#options;
    const stop = this.#stop;
    this.#begun = true;
    try {
      for (const signal of this.#part.signals) stop.follow(signal);
      const refused = await this.#admission.enter(this.#part.position, stop, this.#options.resume ? 'resume' : 'start');
      const startedAt = this.#watch.start();
      if (timeoutMs !== undefined) stop.after(timeoutMs);
      const failed = refused ?? (await this.#prepare());
      if (failed) {
        const stopped = stop.reason !== undefined;
        this.#end.finish(failed);
        if (!stopped) yield notStartedEvent(this.#delegated(), failed);
        return undefined;
      }
      const mender = new StreamMender({
        owner: this.subagentRunId,
        pendingToolCalls: this.#prepared?.history.pendingToolCalls() ?? [],
      });
      this.#tellStart();
      const started = startedEvent(this.#delegated(), startedAt);
      this.#transcript?.add(started);
      yield started;
      const { ignored = [], cancelled = false, ended } = this.#prepared ?? {};
      if (ended !== undefined) {
        const { outcome, written } = replay(ended, { present: this.#options.present, contract: this.#chosen.contract });
        yield this.#end.finishAs(this.#ended(outcome), written).lastEvent;
        return undefined;
      }
      if (ignored.length > 0) yield ignoredEvent(this.subagentRunId, ignored);
      const outcome = await this.#park(cancelled ? calledOff() : yield* this.#child(mender));
      // Settled before the last events are read: nobody may be there to read them.
      const { lastEvent } = await this.#end.keep(outcome);
      const waiting = waitingEvent(lastEvent);
      if (waiting) yield waiting;
      yield* mender.close(askedBy(outcome, lastEvent));
      yield lastEvent;
    } catch (thrown) {
      // The `now` or `newId` we were given, or a bug of ours. The envelope resolves all the same.
      this.#end.finish(failureOfThrown(thrown));
    } finally {
      this.#end.finish(stopFailure(stop));
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
        turn: 'turn' in this.#part ? this.#part.turn : undefined,
      });
      const prepared = await stop.wait(preparing);
      if (prepared === STOPPED) {
        // It may claim its child yet, which then has ended: stopped, and not to be waited for by whoever asks again.
        preparing.then(async ({ keep }) => keep((await this.#end.written).envelopeText)).catch(() => {});
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

  #child(mender: StreamMender): AsyncGenerator<AGUIEvent, Outcome> {
    const events = driveChild(this.#job(mender), this.#measured);
    return this.#transcript?.record(events) ?? events;
  }

  #job(mender: StreamMender): ChildJob {
    return childJob(this.#delegated(), this.#options, {
      earlier: 'earlier' in this.#part ? (this.#part.earlier?.() ?? []) : [],
      mender,
      stop: this.#stop,
      entry: this.#admission.entry,
      newId: () => this.#newId(),
      attempted: (attempt) => this.#tell(() => attemptNews(attempt, this.#agent.maxRetries)),
    });
  }

  #delegated(): Delegated {
    return { ids: this.#ids, agent: this.#agent, chosen: this.#chosen, prepared: this.#prepared };
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

  /** Lets go of the child. */
  #over(ended: Ended, { failure }: Written): void {
    this.#tell(() => newsOfEnd(ended, failure));
    // A child that came to its own end is not told to stop.
    if (failure) this.#stop.stop({ by: 'return' });
    this.#stop.release();
    this.#admission.leave(this.#prepared !== undefined);
    // Compiled for this call alone.
    if (this.#chosen.schemaText !== undefined) this.#chosen.contract?.free();
  }

  #tellStart(): void {
    const { ref: contract } = this.#chosen;
    const attempts = this.#prepared?.gate?.attempts.length ?? 0;
    this.#tell(() => (this.#options.resume ? { type: 'resumed', contract, attempts } : { type: 'started', contract }));
  }

  #tell(news: () => DelegationNews): void {
    const { onEvent } = this.#options;
    if (!onEvent) return;
    const timestamp = this.#watch.timestamp();
    const base = { ...this.#ids, subagent: this.#agent.name, ...(timestamp !== undefined && { timestamp }) };
    tell(onEvent, base, news);
  }

  #newId(): string {
    return makeId(this.#options.newId);
  }
}
