// One run of a child: reads what it yields, event by event, until it ends or is stopped.
import { acceptEvent } from '../ag-ui/accept.js';
import type { AGUIEvent, Interrupt, RunErrorEvent, RunFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import type { StreamMender } from '../ag-ui/mend.js';
import { type ChildIdentity, tagChildEvent } from '../ag-ui/tag.js';
import { readUsage } from '../ag-ui/usage.js';
import { noJson, toJsonText } from '../json-text.js';
import { type Failure, failure, messageOf, oneLine } from './failure.js';
import type { History } from './history.js';
import { readEndOfTurn } from './last-turn.js';
import { type ChildOutput, endStream, readOutput } from './output.js';
import { childrenUsageOf, finishReasonOf, modelOf, readInterrupts } from './run-finished.js';
import { STOPPED, type Stop } from './stop.js';

/** A child that never waits would keep timers, and with them timeouts and aborts, from firing: it is made to. */
const TURN_EVERY = 1024;

/**
 * How many characters a child may write in all; the longest text that is judged is half of it. A child that writes without
 * end would fill the memory.
 */
const CHILD_LIMIT = 32 << 20;

/** What a run reads and writes besides its events. */
export interface RunSurroundings {
  identity: ChildIdentity;
  history: History;
  mender: StreamMender;
  stop: Stop;
  newId(): string;
  /** Takes the usage that the run reports, and which of it is its own children's. */
  addUsage(usage: TokenUsage[], ofChildren: TokenUsage[]): void;
  /** Called once, when the run first shows what it does: a failure ends it there. */
  firstSign(cause?: unknown): Failure | undefined;
  /** Called with every event of the child's own, before it goes out. */
  seen(event: AGUIEvent): Promise<unknown> | undefined;
}

/** How a run ended. */
export type RunEnd =
  | { kind: 'stopped' }
  /** The run was cut, and is to begin again. */
  | { kind: 'cut' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'interrupted'; interrupts: Interrupt[] }
  | { kind: 'cancelled' }
  /** `text`: the text it resolved to, or its deltas; absent for a stream of events. */
  | { kind: 'ended'; text?: string }
  /** `text`: JSON; absent for `undefined`. */
  | { kind: 'value'; text?: string };

/** One run. `finishReason` is the last model call's, once it is known. */
export class ChildRun {
  finishReason: string | undefined;
  /** JSON text of RUN_FINISHED.result, when the child set one. */
  resultText: string | undefined;
  readonly #around: RunSurroundings;
  #signed = false;
  #interrupts: Interrupt[] | undefined;
  #cancelled = false;
  #textId: string | undefined;
  #events = false;
  #text = '';
  #cut = false;
  /** A judgement that an event has asked for, before the event goes out. */
  #judging: Promise<unknown> | undefined;

  constructor(around: RunSurroundings) {
    this.#around = around;
  }

  /** Ends this run after the event that is being read. */
  cut(): void {
    this.#cut = true;
  }

  /** Calls `run` and reads what it returns. Yields the events of the parent's stream. */
  async *read(run: () => unknown): AsyncGenerator<AGUIEvent, RunEnd> {
    const { stop } = this.#around;
    // Whoever reads the events may have stopped at the last one before this run.
    if (stop.reason) return { kind: 'stopped' };
    let output: ChildOutput;
    try {
      const returned = await stop.wait((async () => run())());
      if (returned === STOPPED) return { kind: 'stopped' };
      output = readOutput(returned);
    } catch (thrown) {
      return this.#threw(thrown);
    }
    if (output.kind === 'stream') return yield* this.#readStream(output.iterator);
    const failed = this.#sign();
    if (failed) return { kind: 'failed', failure: failed };
    const { history } = this.#around;
    if (output.kind === 'value') {
      if (output.text !== undefined) history.addText(output.text);
      return output;
    }
    yield* this.#delta(output.text);
    yield* this.#endText();
    return { kind: 'ended', text: output.text };
  }

  async *#readStream(iterator: AsyncIterator<unknown>): AsyncGenerator<AGUIEvent, RunEnd> {
    const { stop } = this.#around;
    let ended = false;
    const end = () => {
      if (!ended) endStream(iterator);
      ended = true;
    };
    stop.atRelease(end);
    try {
      for (let count = 1; ; count += 1) {
        // A child may only listen for its abort, and asked again after it would wait for ever. One that has returned is read on.
        if (stop.reason && stop.reason.by !== 'return') return { kind: 'stopped' };
        let item: unknown;
        try {
          // The next event is asked for when the last one was taken: nothing is queued.
          const asked = (async () => iterator.next())();
          const next = await stop.wait(asked);
          if (next === STOPPED) {
            if (stop.reason?.by === 'return') await this.#lastTurn(iterator, asked);
            return { kind: 'stopped' };
          }
          if (next.done) {
            ended = true;
            break;
          }
          item = next.value;
        } catch (thrown) {
          ended = true;
          return this.#threw(thrown);
        }
        if (count % TURN_EVERY === 0) await stop.wait(new Promise((resolve) => setTimeout(resolve, 0)));
        const { events, end: itsEnd } = this.#item(item, count);
        if (this.#judging) await stop.wait(this.#judging);
        this.#judging = undefined;
        yield* events;
        if (this.#cut) return { kind: 'cut' };
        if (itsEnd) return itsEnd;
      }
      yield* this.#endText();
    } finally {
      end();
    }
    const failed = this.#sign();
    if (failed) return { kind: 'failed', failure: failed };
    if (this.#interrupts) return { kind: 'interrupted', interrupts: this.#interrupts };
    if (this.#cancelled) return { kind: 'cancelled' };
    return this.#events ? { kind: 'ended' } : { kind: 'ended', text: this.#text };
  }

  /** Reads one item. It is no generator: each one between a child and its reader costs every event a few turns. */
  #item(item: unknown, count: number): { events: AGUIEvent[]; end?: RunEnd | undefined } {
    if (typeof item === 'string') {
      const failed = this.#sign();
      return failed ? failing(failed) : { events: this.#delta(item), end: this.#tooLarge() };
    }
    let accepted: ReturnType<typeof acceptEvent>;
    try {
      accepted = acceptEvent(item);
    } catch (thrown) {
      // A getter or a proxy of the child's.
      accepted = { problem: messageOf(thrown) };
    }
    if ('problem' in accepted) {
      return failing(failure('invalid_event', `item ${count} of the child's stream: ${accepted.problem}`));
    }
    const { event } = accepted;
    this.#events = true;
    if (event.type !== 'RUN_STARTED') {
      const failed = this.#sign(event.type === 'RUN_ERROR' ? event.message : undefined);
      if (failed) return failing(failed);
    }
    const end = this.#lifecycle(event);
    const tagged = end ? undefined : tagChildEvent(event, this.#around.identity);
    return { events: tagged ? this.#send(tagged) : [], end: end ?? this.#tooLarge() };
  }

  #tooLarge(): RunEnd | undefined {
    if (this.#around.history.size <= CHILD_LIMIT) return undefined;
    return {
      kind: 'failed',
      failure: failure('child_too_large', `the child wrote more than ${CHILD_LIMIT} characters`),
    };
  }

  /** Reads a child's own RUN_*, which stay behind. A host may send several: one for each call of its model. */
  #lifecycle(event: AGUIEvent): RunEnd | undefined {
    switch (event.type) {
      case 'RUN_STARTED':
        this.#interrupts = undefined;
        this.#cancelled = false;
        return undefined;
      case 'RUN_FINISHED':
        return this.#finished(event);
      case 'RUN_ERROR': {
        this.#takeUsage(event);
        const message = typeof event.message === 'string' ? oneLine(event.message) : 'the child reported an error';
        return { kind: 'failed', failure: failure('child_error', message, { cause: event }) };
      }
      case 'TEXT_MESSAGE_START':
      case 'TOOL_CALL_START':
        if (event.subagentRunId === undefined) this.finishReason = undefined;
        return undefined;
      default:
        return undefined;
    }
  }

  #finished(event: RunFinishedEvent): RunEnd | undefined {
    this.#takeUsage(event);
    this.finishReason = finishReasonOf(event) ?? this.finishReason;
    const result = event.result === undefined ? undefined : toJsonText(event.result);
    if (result && !result.ok) {
      return { kind: 'failed', failure: failure('invalid_event', `RUN_FINISHED.result is ${noJson(result)}`) };
    }
    this.resultText = result?.text;
    const { outcome } = event;
    this.#cancelled = outcome?.type === 'cancelled';
    if (outcome?.type !== 'interrupt') return undefined;
    const interrupts = readInterrupts(outcome.interrupts, this.#around.identity.subagentRunId);
    if (!interrupts) {
      return {
        kind: 'failed',
        failure: failure('invalid_event', 'an interrupt outcome needs interrupts, each with an id and a reason'),
      };
    }
    this.#interrupts = interrupts;
    return undefined;
  }

  async #lastTurn(iterator: AsyncIterator<unknown>, asked: Promise<IteratorResult<unknown>>): Promise<void> {
    const end = await readEndOfTurn(iterator, asked);
    if (!end) return;
    this.#takeUsage(end);
    if (end.type === 'RUN_FINISHED') this.finishReason = finishReasonOf(end) ?? this.finishReason;
  }

  #takeUsage(event: RunFinishedEvent | RunErrorEvent): void {
    this.#around.addUsage(readUsage(event.usage, modelOf(event)), childrenUsageOf(event));
  }

  #delta(delta: string): AGUIEvent[] {
    if (delta === '') return [];
    this.#text += delta;
    const { subagentRunId } = this.#around.identity;
    const opened: AGUIEvent[] = [];
    if (this.#textId === undefined) {
      this.#textId = this.#around.newId();
      const messageId = this.#textId;
      opened.push(...this.#send({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', subagentRunId }));
    }
    const messageId = this.#textId;
    return [...opened, ...this.#send({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta, subagentRunId })];
  }

  #endText(): AGUIEvent[] {
    if (this.#textId === undefined) return [];
    const { subagentRunId } = this.#around.identity;
    const messageId = this.#textId;
    this.#textId = undefined;
    return this.#send({ type: 'TEXT_MESSAGE_END', messageId, subagentRunId });
  }

  #send(event: AGUIEvent): AGUIEvent[] {
    const { mender, identity, seen } = this.#around;
    const events = mender.mend(event);
    for (const out of events) {
      if ('subagentRunId' in out && out.subagentRunId === identity.subagentRunId) {
        this.#judging = seen(out) ?? this.#judging;
      }
    }
    return events;
  }

  #sign(cause?: unknown): Failure | undefined {
    if (this.#signed) return undefined;
    this.#signed = true;
    return this.#around.firstSign(cause);
  }

  #threw(thrown: unknown): RunEnd {
    const failed = this.#sign(thrown) ?? failure('child_error', messageOf(thrown), { cause: thrown });
    return { kind: 'failed', failure: failed };
  }
}

function failing(failed: Failure): { events: AGUIEvent[]; end: RunEnd } {
  return { events: [], end: { kind: 'failed', failure: failed } };
}
