// One card while its subagent lives: takes events in, gives an immutable view out.
import type { Interrupt, ResumeEntry, SubagentErrorEvent, SubagentFinishedEvent } from '../ag-ui/events.js';
import type { ReadonlyJson } from '../core.js';
import { defined } from '../wire.js';
import type { Card, CardAttempt, CardInterrupt, CardStatus } from './card.js';
import type { CardStart } from './card-start.js';
import { checkResult, returnOf } from './check.js';
import { type EnvelopeFields, errorOf, readEnvelope, usageIn } from './envelope-fields.js';
import { shared } from './share.js';
import type { CallState } from './tool-call.js';
import { ToolCalls } from './tool-calls.js';
import { Writing } from './writing.js';

/** How much of a child a card keeps. */
export interface CardLimits {
  /** Cards; beyond that the oldest ones that have ended go. Default: 100. */
  cards: number;
  /** Tool calls of a card; beyond that the oldest ones that are done go. Default: 50. */
  toolCalls: number;
  /** Characters of a call's arguments, of its result, and of a child's words. Default: 16,384. */
  text: number;
}

/** What says that a child failed, as it came. */
export interface Failing {
  code?: unknown;
  message?: unknown;
  issues?: unknown;
  metadata?: SubagentErrorEvent['metadata'];
}

/** What events and messages have said: of a card all that is not said at its start, or worked out when it is looked at. */
type Told = Pick<Card, keyof typeof NOTHING> & {
  [K in Later]?: Card[K] | undefined;
};

type Later =
  | 'startedAt'
  | 'workingSince'
  | 'durationMs'
  | 'contract'
  | 'maxAttempts'
  | 'return'
  | 'summary'
  | 'check'
  | 'error'
  | 'transcriptRef';

const NOTHING = {
  status: 'running' as CardStatus,
  connected: true,
  workedMs: 0,
  children: [],
  attempts: [],
  degraded: [],
  amendments: [],
  flags: [],
  usage: [],
  interrupts: [],
};

const ENDED: ReadonlySet<CardStatus> = new Set(['finished', 'failed', 'cancelled']);
/** The codes of a `SUBAGENT_ERROR` that say that somebody stopped the child. */
const STOPPED: ReadonlySet<unknown> = new Set(['aborted', 'cancelled']);

/** So many attempts of a child are kept, the latest. */
const ATTEMPTS = 100;

/** One card. Whoever changes it says so to the store. */
export class CardState {
  readonly id: string;
  /** What chunk events of it without an id belong to. */
  readonly chunked: { call?: string; message?: string } = {};
  /** Its words and its return, as they come. Who writes there says so by {@link changed}. */
  readonly writing: Writing;
  /** The run it is in. */
  runId: string | undefined;
  /** Whether it was built from events, which say more than messages. */
  live = false;
  #start: CardStart;
  #told: Told = NOTHING;
  readonly #calls: ToolCalls;
  #view: Card | undefined;

  constructor(id: string, start: CardStart, limits: CardLimits) {
    this.id = id;
    this.#start = start;
    this.#calls = new ToolCalls(limits);
    this.writing = new Writing(
      limits.text,
      () => this.#start.contract,
      () => this.#tell({ return: undefined, check: undefined }),
    );
  }

  get start(): CardStart {
    return this.#start;
  }

  get status(): CardStatus {
    return this.#told.status;
  }

  get hasEnded(): boolean {
    return ENDED.has(this.status);
  }

  /** The cards in it. */
  get children(): readonly string[] {
    return this.#told.children;
  }

  get interrupts(): readonly CardInterrupt[] {
    return this.#told.interrupts;
  }

  /** The name of the tool by which the child returns. */
  get returnTool(): string | undefined {
    return this.#start.contract?.returnTool;
  }

  /** What is known of its start now: a resumed child's may say less than the first one. */
  restart(start: CardStart): void {
    this.#start = { ...this.#start, ...defined({ ...start }) };
    this.changed();
  }

  /** It starts, or goes on after a suspension. */
  begin(now: number, runId: string | undefined): void {
    this.runId = runId;
    this.live = true;
    const { startedAt = now, workingSince = now } = this.#told;
    this.#tell({ status: 'running', connected: true, startedAt, workingSince, error: undefined });
    this.ask([]);
  }

  /** Another card is in it. */
  hold(id: string): void {
    this.leave(id);
    this.#tell({ children: [...this.children, id] });
  }

  /** Another card is no longer in it. */
  leave(id: string): void {
    this.#tell({ children: this.children.filter((other) => other !== id) });
  }

  changed(): void {
    this.#view = undefined;
  }

  connect(connected: boolean): boolean {
    if (this.#told.connected === connected || this.status !== 'running') return false;
    this.#tell({ connected });
    return true;
  }

  /** A tool call begins. */
  openCall(id: string, name: string): void {
    if (name !== '' && name === this.returnTool) this.writing.openReturn(id);
    else this.#calls.open(id, name);
    this.changed();
  }

  /** Its own call of that id, those of the return tool excepted. */
  call(id: string): CallState | undefined {
    return this.#calls.get(id);
  }

  /** An attempt was judged. */
  addAttempt(attempt: CardAttempt, maxRetries: unknown): void {
    const others = this.#told.attempts.filter((other) => other.attempt !== attempt.attempt);
    this.#tell({ attempts: [...others, attempt].slice(-ATTEMPTS) });
    if (Number.isInteger(maxRetries) && (maxRetries as number) >= 0)
      this.#tell({ maxAttempts: 1 + (maxRetries as number) });
  }

  /** It waits for an answer, which can be given when the run around it pauses. */
  wait(now: number): void {
    this.#end('suspended', now);
  }

  finish(event: SubagentFinishedEvent, now: number): void {
    const envelope = readEnvelope(event.result);
    if (envelope) this.take(envelope);
    else if (event.result !== undefined) this.#takeResult(event.result as ReadonlyJson);
    this.#takeUsage(event);
    this.#end(event.outcome?.type === 'suspended' ? 'suspended' : 'finished', now);
  }

  fail({ code, message, issues, metadata }: Failing, now: number): void {
    this.#takeUsage({ metadata });
    this.#tell({ error: errorOf(code, message, issues) });
    this.#end(STOPPED.has(code) ? 'cancelled' : 'failed', now);
  }

  /** The run ended, and the child with it. */
  stop(status: 'failed' | 'cancelled', message: string, now: number): void {
    this.#tell({ error: { message, issues: [] } });
    this.#end(status, now);
  }

  /** What an envelope says. */
  take({ result, card }: EnvelopeFields): void {
    const { attempts } = this.#told;
    this.#tell({ summary: undefined, error: undefined, transcriptRef: undefined, ...card });
    this.#tell({ attempts: shared(attempts, this.#told.attempts) });
    if (result !== undefined) this.#takeResult(result);
  }

  /** What a person is asked now. */
  ask(interrupts: readonly Interrupt[], status = this.status): void {
    this.#tell({ status, interrupts: interrupts.map((interrupt) => ({ interrupt })) });
    this.#calls.wait(new Set(interrupts.map(({ toolCallId }) => toolCallId)));
  }

  /** An answer, or nothing to take one back. */
  answer(interruptId: string, answer: ResumeEntry | undefined): boolean {
    const isIt = ({ interrupt }: CardInterrupt) => interrupt.id === interruptId;
    if (!this.interrupts.some(isIt)) return false;
    const interrupts = this.interrupts.map((asked) =>
      isIt(asked) ? defined<CardInterrupt>({ interrupt: asked.interrupt, answer }) : asked,
    );
    this.#tell({ interrupts });
    return true;
  }

  /** The child's final words, when messages have nothing else. */
  say(summary: string): void {
    this.#tell({ summary, status: 'finished' });
  }

  /** The card now. The same object as long as nothing came. */
  get view(): Card {
    this.#view ??= this.#show();
    return this.#view;
  }

  #show(): Card {
    const { contract: _judges, known: _known, ...start } = this.#start;
    const told = this.#told;
    const { attempts, maxAttempts = start.maxAttempts } = told;
    const settled = this.hasEnded || attempts.at(-1)?.outcome === 'accepted';
    const under = attempts.length + (settled ? 0 : 1);
    return defined<Card>({
      ...start,
      ...told,
      id: this.id,
      attempt: Math.max(1, Math.min(under, maxAttempts ?? under)),
      maxAttempts,
      toolCalls: this.#calls.views,
      omittedToolCalls: this.#calls.omitted,
      words: this.writing.words,
      return: told.return ?? this.writing.draft,
      transcriptRef: told.transcriptRef ?? this.id,
    });
  }

  #tell(said: Partial<Told>): void {
    this.#told = { ...this.#told, ...said };
    this.changed();
  }

  #end(status: CardStatus, now: number): void {
    const { workingSince = now, workedMs } = this.#told;
    this.#tell({ status, workingSince: undefined, workedMs: workedMs + Math.max(0, now - workingSince) });
    if (status !== 'suspended') {
      this.ask([]);
      this.#calls.end();
    }
    this.writing.end();
  }

  #takeResult(result: ReadonlyJson): void {
    const { amendments, contract: ref } = this.#told;
    const streamed = this.writing.draft?.value;
    const value = shared(streamed, result);
    const check = checkResult(value, this.#start, { ref, streamed, amended: amendments.length > 0 });
    this.#tell({ check, return: returnOf(value, check, this.#start.contract) });
    this.writing.dropDraft();
  }

  #takeUsage({ metadata }: Pick<Failing, 'metadata'>): void {
    this.#tell(usageIn(metadata?.subcontract));
  }
}
