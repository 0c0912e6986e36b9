// One conversation as the server keeps it: its messages, its runs, and what they came to.
import { type StreamChunk, StreamProcessor, type UIMessage } from '@tanstack/ai';
import { type Interrupt, memoryTranscripts, type Seal, transcriptSpanTool } from 'subcontract';
import { toSubagentResponse } from 'subcontract/tanstack';
import { answer, type ChatRequest, type ChatServer } from '../chat.js';
import { EARLIER } from '../conversation.js';
import { type Figures, freeSummary, measure } from '../measure.js';
import type { Line } from '../provider.js';
import { framesOf } from '../sse-frames.js';
import { Watch } from '../watch.js';
import { RunLog } from './run-log.js';

/** A question and what came of it: a run, and those that went on after it had waited for a person. */
interface Turn {
  /** The conversation up to the question, which is its last message. */
  messages: UIMessage[];
  runs: { runId: string; log: RunLog }[];
  watch: Watch;
}

/** What a page is told when it opens the conversation, as the client of TanStack AI reads it. */
export interface Opened {
  messages: UIMessage[];
  activeRun: { runId: string } | null;
  interrupts: { runId: string; pending: Interrupt[] } | null;
}

export class Thread {
  readonly #line: Line;
  readonly #server: ChatServer;
  readonly #conversation = new StreamProcessor({ initialMessages: EARLIER.map(earlierMessage) });
  #turn: Turn | undefined;
  #stop: AbortController | undefined;
  readonly #stops = new Map<string, AbortController>();
  #measured: { turn: Turn; runs: number; figures: Promise<Figures> } | undefined;

  constructor(
    readonly id: string,
    { line, seal }: { line: Line; seal: Seal },
  ) {
    this.#line = line;
    this.#server = {
      line,
      seal,
      order: 'parallel',
      store: memoryTranscripts(),
      approvals: { executions: [] },
      runs: [],
      stops: this.#stops,
    };
  }

  get running(): boolean {
    return this.#stop !== undefined;
  }

  /** Starts a run, which goes on whether somebody reads it or not: a page that is reloaded has stopped nothing. */
  start(request: ChatRequest): void {
    if (this.running) throw new Error('a run of this conversation is under way');
    const turn = request.resume !== undefined && this.#turn !== undefined ? this.#turn : this.#ask(request);
    const log = new RunLog();
    const stop = new AbortController();
    turn.runs.push({ runId: request.runId, log });
    this.#stop = stop;
    this.#follow(request, turn, log, stop).finally(() => {
      this.#stop = undefined;
      this.#stops.clear();
      log.end();
    });
  }

  /** Stops the run, or of its children one. */
  stop(subagentRunId?: string): void {
    const stop = subagentRunId === undefined ? this.#stop : this.#stops.get(subagentRunId);
    stop?.abort();
  }

  /** The frames of a run after the first `offset`, and what follows. Undefined for one that this turn does not have. */
  read(runId: string, offset: number, signal: AbortSignal): AsyncIterable<string> | undefined {
    return this.#turn?.runs.find((run) => run.runId === runId)?.log.from(offset, signal);
  }

  /** The same for a page that has seen nothing of the turn: what went before the run is told as part of it. */
  replay(runId: string, offset: number, signal: AbortSignal): AsyncIterable<string> | undefined {
    const runs = this.#turn?.runs ?? [];
    const last = runs.findIndex((run) => run.runId === runId);
    if (last < 0) return undefined;
    return skip(
      offset,
      told(
        runs.slice(0, last + 1).map(({ log }) => log),
        signal,
      ),
    );
  }

  open(): Opened {
    const turn = this.#turn;
    const runId = turn?.runs.at(-1)?.runId;
    if (turn !== undefined && runId !== undefined && this.running) {
      return { messages: turn.messages, activeRun: { runId }, interrupts: null };
    }
    const pending = turn?.watch.interrupts ?? [];
    return {
      messages: this.#conversation.getMessages(),
      activeRun: null,
      interrupts: runId !== undefined && pending.length > 0 ? { runId, pending } : null,
    };
  }

  /** One tool call of a child, with its result. */
  span(ref: string, toolCallId: string): Promise<string> {
    const tool = transcriptSpanTool({ store: this.#server.store, threadId: this.id });
    return tool.execute({ ref, tool_call_id: toolCallId });
  }

  /** What the latest children put into the parent's window, beside what else they might have; while none has ended, undefined. */
  figures(): Promise<Figures> | undefined {
    const turn = this.#turn;
    if (this.running || turn === undefined) return undefined;
    const children = turn.watch.children.filter(({ envelope }) => envelope !== undefined);
    const runs = turn.runs.length;
    const known = this.#measured?.turn === turn && this.#measured.runs === runs;
    if (children.length > 0 && !known) this.#measured = { turn, runs, figures: this.#measure(children) };
    return this.#measured?.figures;
  }

  async #measure(children: Watch['children']): Promise<Figures> {
    const requests = [...this.#line.requests];
    const summaries = new Map(
      await Promise.all(
        children.map(async (child) => [child.subagentRunId, await freeSummary(this.#line, child)] as const),
      ),
    );
    // The summaries were asked for over the same line, and are none of the conversation's requests.
    this.#line.requests.splice(requests.length);
    return measure(requests, children, summaries);
  }

  #ask({ messages }: ChatRequest): Turn {
    const question = messages.findLast(({ role }) => role === 'user');
    const id = question !== undefined && 'id' in question ? question.id : crypto.randomUUID();
    const before = this.#conversation.getMessages();
    // Asked again, a question takes the place of what followed it.
    const known = before.findIndex((message) => message.id === id);
    this.#conversation.setMessages(known < 0 ? before : before.slice(0, known));
    this.#conversation.addUserMessage(textOf(question), id);
    this.#turn = { messages: this.#conversation.getMessages(), runs: [], watch: new Watch(() => {}) };
    return this.#turn;
  }

  async #follow(request: ChatRequest, { watch }: Turn, log: RunLog, stop: AbortController): Promise<void> {
    for await (const frame of framesOf(toSubagentResponse(answer(this.#server, request, stop)))) {
      const { event } = frame;
      watch.take(event);
      // The children's own events are not the conversation's.
      if (!('subagentRunId' in event)) this.#conversation.processChunk(event as unknown as StreamChunk);
      log.append(frame);
    }
  }
}

/** Several runs as one: it begins as the last one does, and none of the others ends it. */
async function* told(logs: RunLog[], signal: AbortSignal): AsyncGenerator<string> {
  const last = logs.at(-1);
  if (last === undefined) return;
  let first = true;
  for await (const frame of last.from(0, signal)) {
    yield frame;
    if (!first) continue;
    first = false;
    for (const earlier of logs.slice(0, -1)) yield* earlier.inner;
  }
}

async function* skip(count: number, frames: AsyncIterable<string>): AsyncGenerator<string> {
  let index = 0;
  for await (const frame of frames) {
    if (index >= count) yield frame;
    index += 1;
  }
}

function earlierMessage({ role, content }: (typeof EARLIER)[number], index: number): UIMessage {
  return { id: `earlier-${index + 1}`, role, parts: [{ type: 'text', content }] };
}

function textOf(message: ChatRequest['messages'][number] | undefined): string {
  if (message === undefined) return '';
  if ('parts' in message) return message.parts.map((part) => (part.type === 'text' ? part.content : '')).join('');
  return typeof message.content === 'string' ? message.content : '';
}
