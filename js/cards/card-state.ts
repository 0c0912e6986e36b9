// One card while its subagent lives: takes events in, gives an immutable view out.
import type { Interrupt, ResumeEntry, SubagentErrorEvent, SubagentFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import { readUsage, sumUsage } from '../ag-ui/usage.js';
import type { Flag, ReadonlyJson } from '../core.js';
import type { Amendment, ContractRef, Degradation } from '../envelope.js';
import { isRecord, present } from '../wire.js';
import type { CardContract } from './agents.js';
import type {
  Card,
  CardAttempt,
  CardBrief,
  CardCheck,
  CardError,
  CardInterrupt,
  CardReturn,
  CardStatus,
} from './card.js';
import { checkResult, issuesOf } from './check.js';
import { type EnvelopeFields, errorOf, readEnvelope } from './envelope-fields.js';
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

/** What is known of a subagent when it starts. */
export interface CardStart {
  agent: string;
  description?: string | undefined;
  parentToolCallId?: string | undefined;
  parentId?: string | undefined;
  brief?: CardBrief | undefined;
  contract?: CardContract | undefined;
  /** Whether the page knows the agent. */
  known: boolean;
  maxAttempts?: number | undefined;
}

/** What says that a child failed, as it came. */
export interface Failing {
  code?: unknown;
  message?: unknown;
  issues?: unknown;
  metadata?: SubagentErrorEvent['metadata'];
}

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
  /** The run it is in. */
  runId: string | undefined;
  status: CardStatus = 'running';
  /** Whether it was built from events, which say more than messages. */
  live = false;
  #start: CardStart;
  #children: readonly string[] = [];
  #connected = true;
  #startedAt: number | undefined;
  #workedMs = 0;
  #workingSince: number | undefined;
  #durationMs: number | undefined;
  #attempts: readonly CardAttempt[] = [];
  #maxAttempts: number | undefined;
  readonly #calls: ToolCalls;
  readonly #writing: Writing;
  #return: CardReturn | undefined;
  #ref: ContractRef | undefined;
  #check: CardCheck | undefined;
  #summary: string | undefined;
  #degraded: readonly Degradation[] = [];
  #amendments: readonly Amendment[] = [];
  #flags: readonly Flag[] = [];
  #usage: readonly TokenUsage[] = [];
  #interrupts: readonly CardInterrupt[] = [];
  #error: CardError | undefined;
  #transcriptRef: string | undefined;
  #view: Card | undefined;

  constructor(id: string, start: CardStart, limits: CardLimits) {
    this.id = id;
    this.#start = start;
    this.#maxAttempts = start.maxAttempts;
    this.#calls = new ToolCalls(limits);
    this.#writing = new Writing(limits.text);
  }

  get start(): CardStart {
    return this.#start;
  }

  get hasEnded(): boolean {
    return ENDED.has(this.status);
  }

  /** The cards in it. */
  get children(): readonly string[] {
    return this.#children;
  }

  get interrupts(): readonly CardInterrupt[] {
    return this.#interrupts;
  }

  /** The name of the tool by which the child returns. */
  get returnTool(): string | undefined {
    return this.#start.contract?.returnTool;
  }

  /** What is known of its start now: a resumed child's may say less than the first one. */
  restart(start: CardStart): void {
    this.#start = { ...this.#start, ...present({ ...start }) };
    this.#maxAttempts ??= start.maxAttempts;
    this.changed();
  }

  /** It starts, or goes on after a suspension. */
  begin(now: number, runId: string | undefined): void {
    this.runId = runId;
    this.live = true;
    this.status = 'running';
    this.#connected = true;
    this.#startedAt ??= now;
    this.#workingSince ??= now;
    this.#error = undefined;
    this.ask([]);
    this.changed();
  }

  /** Another card is in it. */
  hold(id: string): void {
    this.#children = [...this.#children.filter((other) => other !== id), id];
    this.changed();
  }

  /** Another card is no longer in it. */
  leave(id: string): void {
    this.#children = this.#children.filter((other) => other !== id);
    this.changed();
  }

  changed(): void {
    this.#view = undefined;
  }

  connect(connected: boolean): boolean {
    if (this.#connected === connected || this.status !== 'running') return false;
    this.#connected = connected;
    this.changed();
    return true;
  }

  /** A tool call begins. */
  openCall(id: string, name: string): void {
    this.changed();
    if (name !== '' && name === this.returnTool) {
      this.#writing.openReturn(id, this.#start.contract);
      this.#forgetReturn();
      return;
    }
    this.#calls.open(id, name);
  }

  /** Its own call of that id, those of the return tool excepted. */
  call(id: string): CallState | undefined {
    return this.#calls.get(id);
  }

  /** A piece of the return that streams in, in that call. */
  addReturn(callId: string, delta: string): void {
    this.#writing.addReturn(callId, delta);
    this.changed();
  }

  closeReturn(callId: string): void {
    this.#writing.closeReturn(callId);
    this.changed();
  }

  /** A message of the child's begins. */
  openWords(): void {
    this.#writing.openWords(this.#start.contract);
    this.changed();
  }

  addWords(delta: string): void {
    if (this.#writing.addWords(delta, this.#start.contract)) this.#forgetReturn();
    this.changed();
  }

  closeWords(): void {
    if (this.#writing.closeWords()) this.#forgetReturn();
    this.changed();
  }

  /** An attempt was judged. */
  addAttempt(attempt: CardAttempt, maxRetries: unknown): void {
    this.#attempts = [...this.#attempts.filter((other) => other.attempt !== attempt.attempt), attempt].slice(-ATTEMPTS);
    if (Number.isInteger(maxRetries) && (maxRetries as number) >= 0) this.#maxAttempts = 1 + (maxRetries as number);
    this.changed();
  }

  /** It waits for an answer, which can be given when the run around it pauses. */
  wait(now: number): void {
    this.#end('suspended', now);
  }

  finish(event: SubagentFinishedEvent, now: number): void {
    const suspended = event.outcome?.type === 'suspended';
    const envelope = readEnvelope(event.result);
    if (envelope) this.take(envelope);
    else if (event.result !== undefined) this.#takeResult(event.result as ReadonlyJson);
    this.#takeUsage(event);
    this.#end(suspended ? 'suspended' : 'finished', now);
  }

  fail({ code, message, issues, metadata }: Failing, now: number): void {
    this.#takeUsage({ metadata });
    this.#error = errorOf(code, message, issues);
    this.#end(STOPPED.has(code) ? 'cancelled' : 'failed', now);
  }

  /** The run ended, and the child with it. */
  stop(status: 'failed' | 'cancelled', message: string, now: number): void {
    this.#error = { message, issues: [] };
    this.#end(status, now);
  }

  /** What an envelope says. */
  take(envelope: EnvelopeFields): void {
    const { attempts, contract, summary, usage, durationMs, error, transcriptRef, result } = envelope;
    this.status = envelope.status;
    if (attempts) this.#attempts = shared(this.#attempts, attempts);
    this.#ref = contract ?? this.#ref;
    this.#summary = summary;
    this.#degraded = envelope.degraded;
    this.#amendments = envelope.amendments;
    this.#flags = envelope.flags;
    if (usage.length > 0) this.#usage = usage;
    this.#durationMs = durationMs ?? this.#durationMs;
    this.#error = error;
    this.#transcriptRef = transcriptRef;
    if (result !== undefined) this.#takeResult(result);
    this.changed();
  }

  /** What a person is asked now. */
  ask(interrupts: readonly Interrupt[]): void {
    this.#interrupts = interrupts.map((interrupt) => ({ interrupt }));
    this.#calls.wait(new Set(interrupts.map(({ toolCallId }) => toolCallId)));
    this.changed();
  }

  /** An answer, or nothing to take one back. */
  answer(interruptId: string, entry: ResumeEntry | undefined): boolean {
    if (!this.#interrupts.some(({ interrupt }) => interrupt.id === interruptId)) return false;
    this.#interrupts = this.#interrupts.map((asked) =>
      asked.interrupt.id === interruptId ? { interrupt: asked.interrupt, ...(entry && { answer: entry }) } : asked,
    );
    this.changed();
    return true;
  }

  /** The child's final words, when messages have nothing else. */
  say(summary: string): void {
    this.#summary = summary;
    this.status = 'finished';
    this.changed();
  }

  free(): void {
    this.#writing.end();
  }

  /** The card now. The same object as long as nothing came. */
  get view(): Card {
    this.#view ??= this.#show();
    return this.#view;
  }

  #show(): Card {
    const { agent, description, parentToolCallId, parentId, brief } = this.#start;
    const judged = this.#attempts.length;
    const settled = this.hasEnded || this.#attempts.at(-1)?.outcome === 'accepted';
    const under = judged + (settled ? 0 : 1);
    return present<Card>({
      id: this.id,
      agent,
      description,
      parentToolCallId,
      parentId,
      children: this.#children,
      status: this.status,
      connected: this.#connected,
      startedAt: this.#startedAt,
      workingSince: this.#workingSince,
      workedMs: this.#workedMs,
      durationMs: this.#durationMs,
      brief,
      contract: this.#ref,
      attempts: this.#attempts,
      attempt: Math.max(1, Math.min(under, this.#maxAttempts ?? under)),
      maxAttempts: this.#maxAttempts,
      toolCalls: this.#calls.views,
      omittedToolCalls: this.#calls.omitted,
      words: this.#writing.words,
      return: this.#return ?? this.#writing.draft,
      summary: this.#summary,
      check: this.#check,
      degraded: this.#degraded,
      amendments: this.#amendments,
      flags: this.#flags,
      usage: this.#usage,
      interrupts: this.#interrupts,
      error: this.#error,
      transcriptRef: this.#transcriptRef ?? this.id,
    });
  }

  #end(status: CardStatus, now: number): void {
    this.status = status;
    if (status !== 'suspended') {
      this.ask([]);
      this.#calls.end();
    }
    if (this.#workingSince !== undefined) this.#workedMs += Math.max(0, now - this.#workingSince);
    this.#workingSince = undefined;
    this.free();
    this.changed();
  }

  #takeResult(result: ReadonlyJson): void {
    const { contract, known } = this.#start;
    const streamed = this.#writing.draft?.value;
    const value = shared(streamed, result);
    const amended = this.#amendments.length > 0;
    const check = checkResult({ result: value, streamed, amended, ref: this.#ref, contract, known });
    this.#check = check;
    this.#return = {
      value,
      source: 'envelope',
      status: check.verdict === 'valid' ? 'complete' : check.verdict === 'invalid' ? 'rejected' : 'unread',
      issues: issuesOf(check),
      ...(contract && { schema: contract.schema }),
    };
    this.#writing.dropDraft();
  }

  #takeUsage({ metadata }: Pick<Failing, 'metadata'>): void {
    const own = metadata?.subcontract;
    const usage = isRecord(own) ? sumUsage(readUsage(own.usage)) : [];
    if (usage.length > 0) this.#usage = usage;
  }

  /** Another return is written in the place of the one that was judged. */
  #forgetReturn(): void {
    this.#return = undefined;
    this.#check = undefined;
  }
}
