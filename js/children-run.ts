// Several delegations as one: whose turn it is, whose event is next, and what a later child learns of the earlier ones.
import type { AGUIEvent } from './ag-ui/events.js';
import { failure, failureOfThrown } from './child/failure.js';
import { Stop } from './child/stop.js';
import { assertThread } from './child/transcript.js';
import { ClaimTurns, isElsewhere } from './claim-turns.js';
import { assertAgent, type SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import type { DelegateAllOptions, DelegateCall, DelegatedChild } from './delegate-all.js';
import { type Batch, DelegationRun } from './delegation.js';
import { type Earlier, earlierOf } from './earlier.js';
import { parseEnvelope, type ResultEnvelope } from './envelope.js';
import { joined } from './joined.js';
import { noJson, toJsonText } from './json-text.js';
import { merged } from './merged-events.js';
import { assertOneOf } from './misuse.js';
import { replay, type Written } from './outcome.js';
import type { Position } from './position.js';
import type { Present } from './present.js';
import { Reading } from './reading.js';
import { makeId } from './sources.js';
import { defined } from './wire.js';

/** A child that is run, or one that has ended before. */
interface Slot {
  subagentRunId: string;
  subagent: string;
  run: DelegationRun<unknown> | undefined;
  written: Promise<Written>;
}

/** See `Delegations`. */
export class ChildrenRun implements AsyncIterable<AGUIEvent> {
  readonly children: readonly DelegatedChild[];
  readonly #slots: readonly Slot[];
  readonly #options: Pick<DelegateAllOptions, 'order' | 'afterFailure'>;
  readonly #signals: readonly AbortSignal[];
  readonly #position: Position | undefined;
  readonly #earlier: Earlier[];
  readonly #reading: Reading;
  readonly #turns = new ClaimTurns();
  readonly #stop = new Stop(() => this.#stopAll());

  constructor(
    calls: readonly DelegateCall[],
    { order = 'parallel', afterFailure = 'continue', earlier = [], ...given }: DelegateAllOptions,
  ) {
    if (!Array.isArray(calls)) throw new TypeError('delegateAll needs a list of calls');
    assertOneOf('order', order, ['parallel', 'sequence']);
    assertOneOf('afterFailure', afterFailure, ['continue', 'stop']);
    if (!Array.isArray(earlier)) throw new TypeError('earlier must be a list of envelopes');
    this.#options = { order, afterFailure };
    this.#earlier = earlier.map((envelope) => earlierOf(textOf(envelope)));
    const { options, signals, position } = joined(given);
    this.#signals = signals;
    this.#position = position;
    // All are about one thread, a new one included.
    const known = options.threadId ?? threadOf(calls);
    if (options.transcripts) assertThread(known);
    const threadId = known ?? makeId(options.newId);
    const ask = () => this.#reading.ask();
    this.#slots = Array.from(calls as readonly DelegateCall[], (call, at) => {
      if (typeof call !== 'object' || call === null) throw new TypeError(`call ${at} must be { agent, brief }`);
      return this.#slot(call, { ...options, threadId }, ask);
    });
    refuseTwins(this.#slots);
    this.children = this.#slots.map((slot) => childOf(slot, ask));
    this.#reading = new Reading({
      what: 'these delegations',
      events: () => this.#events(),
      // Each child's are as they go out already.
      shown: (event) => event,
      abort: (reason) => this.abort(reason),
      given: () => this.#whenUnread(),
    });
  }

  get envelopeTexts(): Promise<string[]> {
    this.#reading.ask();
    return Promise.all(this.#slots.map(async ({ written }) => (await written).envelopeText));
  }

  get envelopes(): Promise<ResultEnvelope[]> {
    return this.envelopeTexts.then((texts) => texts.map((text) => JSON.parse(text) as ResultEnvelope));
  }

  async orThrow(): Promise<ResultEnvelope[]> {
    const envelopes = await this.envelopes;
    for (const { written } of this.#slots) {
      const { failure } = await written;
      if (failure && failure.code !== WAITS) throw failure.error;
    }
    return envelopes;
  }

  abort(reason?: unknown): void {
    this.#stop.stop({ by: 'abort', cause: reason });
  }

  [Symbol.asyncIterator](): AsyncIterator<AGUIEvent, undefined> {
    return this.#reading.iterate();
  }

  #slot({ agent, brief, toolCallId, ended, ...own }: DelegateCall, common: DelegateOptions, ask: () => void): Slot {
    if (ended !== undefined) return endedSlot(agent, ended, common.present);
    const options = { ...common, ...defined(own), ...(toolCallId !== undefined && { parentToolCallId: toolCallId }) };
    const turn = own.resume && this.#turns.next();
    const batch: Batch = {
      options,
      // They are followed once, for all.
      signals: [],
      position: this.#position,
      earlier: () => this.#earlier,
      ...(turn && { turn }),
      ask,
    };
    const run = new DelegationRun<unknown>(agent, brief, options, batch);
    // One that ends before it is claimed holds nobody up.
    if (turn) run.written.then(turn.leave);
    return { subagentRunId: run.subagentRunId, subagent: agent.name, run, written: run.written };
  }

  async *#events(): AsyncGenerator<AGUIEvent, undefined> {
    const stop = this.#stop;
    const unwatch = this.#position?.watch(() => {
      this.#timeIsOver = true;
      this.#whenUnread();
    });
    try {
      for (const signal of this.#signals) stop.follow(signal);
      if (this.#options.order === 'sequence') yield* this.#sequence();
      else yield* merged(this.#slots.flatMap(({ run }) => run ?? []));
    } catch (thrown) {
      // A bug of ours. Every envelope resolves all the same.
      for (const { run } of this.#slots) run?.notReached(failureOfThrown(thrown));
    } finally {
      unwatch?.();
      stop.release();
    }
    return undefined;
  }

  async *#sequence(): AsyncGenerator<AGUIEvent, undefined> {
    let over: { code: string; message: string } | undefined;
    for (const { run, written } of this.#slots) {
      if (run && over && !this.#stop.called) {
        const event = run.notReached(failure(over.code, over.message, { status: 'cancelled' }));
        if (event) yield event;
        continue;
      }
      if (run) yield* merged([run]);
      const { envelopeText, failure: failed } = await written;
      const earlier = earlierOf(envelopeText);
      this.#earlier.push(earlier);
      if (earlier.envelope.status === 'suspended')
        over ??= { code: WAITS, message: 'a subagent before it waits for an answer' };
      // Whoever resumed it runs the later ones as well.
      else if (failed && isElsewhere(failed.code))
        over ??= { code: failed.code, message: 'a subagent before it was resumed by somebody else' };
      else if (failed && this.#options.afterFailure === 'stop')
        over ??= { code: 'earlier_failed', message: 'a subagent before it failed' };
    }
    return undefined;
  }

  #timeIsOver = false;

  /** Nobody may read on when a tree's time is over: the children that have not begun end there all the same. */
  #whenUnread(): void {
    const unread = () => this.#timeIsOver && this.#reading.idle;
    if (!unread()) return;
    // Whoever reads on does so before this.
    setTimeout(() => {
      const refusal = unread() ? this.#position?.refusal() : undefined;
      if (!refusal) return;
      for (const { run } of this.#slots) run?.notReached(failure(refusal.code, refusal.message));
    }, 0);
  }

  #stopAll(): void {
    const { reason } = this.#stop;
    for (const { run } of this.#slots) run?.abort(reason?.by === 'abort' ? reason.cause : undefined);
  }
}

/** The code of a child behind one that is suspended. */
const WAITS = 'earlier_suspended';

function childOf({ subagentRunId, subagent, written }: Slot, ask: () => void): DelegatedChild {
  const after = <T>(read: (written: Written) => T): Promise<T> => {
    ask();
    return written.then(read);
  };
  return {
    subagentRunId,
    subagent,
    get envelope() {
      return after(({ envelopeText }) => JSON.parse(envelopeText) as ResultEnvelope);
    },
    get envelopeText() {
      return after(({ envelopeText }) => envelopeText);
    },
    get toolResult() {
      return after(({ toolResult }) => toolResult);
    },
  };
}

function endedSlot(agent: SubcontractAgent, ended: ResultEnvelope | string, present: Present | undefined): Slot {
  assertAgent(agent);
  const { name, outputContract: contract } = agent;
  const envelopeText = textOf(ended);
  const { run_id: subagentRunId, subagent, status } = parseEnvelope(envelopeText);
  if (subagent !== name) throw new TypeError(`an envelope of "${subagent}" is none of ${name}`);
  if (status === 'suspended') {
    throw new TypeError(`${name} has not ended: pass resume to go on with a child that waits`);
  }
  const { written } = replay(envelopeText, { present, contract });
  return { subagentRunId, subagent, run: undefined, written: Promise.resolve(written) };
}

function textOf(envelope: ResultEnvelope | string): string {
  if (typeof envelope === 'string') return envelope;
  const json = toJsonText(envelope);
  if (json.ok) return json.text;
  throw new TypeError(`an envelope is ${noJson(json)}`);
}

function threadOf(calls: readonly DelegateCall[]): string | undefined {
  return calls.find((call) => call?.resume?.state?.thread_id !== undefined)?.resume?.state.thread_id;
}

/** An id names one invocation. */
function refuseTwins(slots: readonly Slot[]): void {
  const ids = new Set<string>();
  for (const { subagentRunId } of slots) {
    if (ids.has(subagentRunId))
      throw new TypeError(`two of the calls have the subagentRunId ${JSON.stringify(subagentRunId)}`);
    ids.add(subagentRunId);
  }
}
