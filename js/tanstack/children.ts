// The children of one run: each delegating call starts one, before the engine gets to the call or when it does.
import type { ModelMessage } from '@tanstack/ai';
import type { AGUIEvent, Interrupt } from '../ag-ui/events.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import type { DelegationObserver } from '../observe.js';
import { raisedInterrupts } from '../raise.js';
import type { DelegatingTools, Task } from './agent-tool.js';
import type { ParentRun } from './parent-run.js';
import { suspendedContent } from './replay.js';
import { bindToParent, type SuspendedChild } from './suspension.js';

/** A delegating call of the parent's. */
export interface DelegatingCall {
  toolCallId: string;
  toolName: string;
  /** The arguments, of which the exact text is not known. */
  args: unknown;
}

/** What the engine is told of a call. */
interface Answer {
  text: string;
  /** What the child waits for. */
  interrupts: Interrupt[];
}

interface Child {
  task: Task | undefined;
  answer: Promise<Answer>;
}

/** The children of one run of a parent. */
export class Children {
  readonly #run: ParentRun;
  readonly #delegating: DelegatingTools;
  readonly #onEvent: DelegationObserver | undefined;
  /** Those that were started, and whose result nobody has asked for yet, by tool call id. */
  readonly #started = new Map<string, Child>();

  constructor(run: ParentRun, delegating: DelegatingTools, onEvent: DelegationObserver | undefined) {
    this.#run = run;
    this.#delegating = delegating;
    this.#onEvent = onEvent;
  }

  /** Starts the child of a call; `messages` is the thread before it. */
  start(call: DelegatingCall, messages: readonly ModelMessage[]): void {
    if (this.#started.has(call.toolCallId)) return;
    const child: Child = { task: undefined, answer: Promise.resolve({ text: '', interrupts: [] }) };
    child.answer = this.#answer(child, call, messages);
    // Heard of when the engine asks for it, if it ever does.
    child.answer.catch(() => {});
    this.#started.set(call.toolCallId, child);
  }

  /** The result of a started call, as the parent's model reads it. */
  async result(toolCallId: string): Promise<string> {
    const child = this.#started.get(toolCallId);
    if (child === undefined) throw new TypeError('only the calls of a model delegate');
    const { text, interrupts } = await child.answer;
    // Some models count their calls anew in each turn: the next call of this id is another one.
    this.#started.delete(toolCallId);
    // In the order of the calls, whichever child was first.
    this.#run.interrupts.push(...interrupts);
    this.#run.results.set(toolCallId, text);
    return text;
  }

  /** Stops those whose result nobody will ask for. */
  leave(): void {
    for (const { task } of this.#started.values()) task?.delegation?.abort('the call was given up');
    this.#started.clear();
  }

  async #answer(child: Child, call: DelegatingCall, messages: readonly ModelMessage[]): Promise<Answer> {
    const { toolCallId, toolName, args } = call;
    const run = this.#run;
    const waiting = run.suspended.get(toolCallId);
    run.suspended.delete(toolCallId);
    if (waiting !== undefined && waiting.answers.length === 0) return stayWaiting(run, toolCallId, waiting);
    const task = this.#delegating.open(toolName, run.briefs.get(toolCallId) ?? JSON.stringify(args ?? {}), {
      threadId: run.threadId,
      // A resumed child goes on from the run that its interrupts were raised in.
      parentRunId: waiting === undefined ? run.runId : (run.interruptedRunId ?? run.runId),
      parentToolCallId: toolCallId,
      messages,
      abortSignal: run.signal,
      seal: run.seal ?? 'none',
      ...(run.present && { present: run.present }),
      ...(run.transcripts && { transcripts: run.transcripts }),
      ...(this.#onEvent && { onEvent: this.#onEvent }),
      ...(waiting && { resume: { state: waiting.state, entries: [...waiting.answers] } }),
    });
    child.task = task;
    let last: AGUIEvent | undefined;
    for await (const event of task) {
      last = event;
      await run.events.put(event);
    }
    // What ended in an earlier request is told again, and was accounted for there.
    const counts = last?.metadata?.subcontract !== undefined;
    return settle(run, task, counts);
  }
}

async function settle(run: ParentRun, { delegation, toolResult }: Task, counts: boolean): Promise<Answer> {
  if (delegation === undefined) return { text: await toolResult, interrupts: [] };
  const envelopeText = await delegation.envelopeText;
  const envelope = parseEnvelope(envelopeText);
  const { status, subagent, error, usage } = envelope;
  if (usage !== undefined && counts) run.usage.push({ subagentRunId: delegation.subagentRunId, subagent, usage });
  // The child is somebody else's, and may be running: its call must not get an answer from here.
  if (error !== undefined && CLAIMED.has(error.code)) run.refuse(new ResumeError(error.message, error));
  if (status !== 'suspended') return { text: await toolResult, interrupts: [] };
  return {
    text: suspendedContent(envelopeText),
    interrupts: bindToParent(raisedInterrupts(envelope), run.runId),
  };
}

const CLAIMED: ReadonlySet<string> = new Set(['resume_in_progress', 'resume_answered_differently']);

/** A child that got no answers is shown as suspended again, and its interrupts are raised again; nothing of it runs. */
async function stayWaiting(
  run: ParentRun,
  parentToolCallId: string,
  { agent, envelopeText, state, interrupts }: SuspendedChild,
): Promise<Answer> {
  const { name, description } = agent;
  const subagentRunId = state.subagent_run_id;
  const own = interrupts.filter((interrupt) => (interrupt.subagentRunId ?? subagentRunId) === subagentRunId);
  const timestamp = Date.now();
  await run.events.put({
    type: 'SUBAGENT_STARTED',
    subagentRunId,
    name,
    description,
    parentToolCallId,
    timestamp,
  });
  await run.events.put({
    type: 'SUBAGENT_FINISHED',
    subagentRunId,
    outcome: { type: 'suspended', ...(own.length > 0 && { interruptIds: own.map(({ id }) => id) }) },
    timestamp,
  });
  return { text: suspendedContent(envelopeText), interrupts: bindToParent(interrupts, run.runId) };
}
