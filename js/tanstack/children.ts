// The children of one run: each delegating call starts one, before the engine gets to the call or when it does.
import type { AGUIEvent, Interrupt } from '../ag-ui/events.js';
import { waitingEvent } from '../ag-ui/waiting.js';
import { ClaimTurns, isElsewhere } from '../claim-turns.js';
import type { DelegateOptions } from '../delegate.js';
import type { DelegatedTask } from '../delegate-task-tool.js';
import { startedEvent } from '../delegation-events.js';
import { type Earlier, earlierOf } from '../earlier.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import { raisedInterrupts } from '../raise.js';
import type { DelegatingTools } from './agent-tool.js';
import { earlierIn } from './earlier.js';
import type { ParentRun } from './parent-run.js';
import { NOT_STARTED, suspendedContent } from './replay.js';
import { placeOf, precedes, withoutCalls } from './routed-call.js';
import { bindToParent, type SuspendedChild } from './suspension.js';
import type { Thread } from './turn.js';

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
  /** Whether the call stays open. */
  waits?: boolean;
  /** What the child waits for. */
  interrupts?: Interrupt[];
  envelopeText?: string;
}

interface Child {
  task: DelegatedTask | undefined;
  answer: Promise<Answer>;
}

/** How the calls of a run are carried out. */
export interface ChildrenOptions {
  delegating: DelegatingTools;
  /** What holds for every delegation. */
  delegation: DelegateOptions;
  /** Whether a router delegates, and not the parent's model by its calls. */
  routed: boolean;
}

/** The children of one run of a parent. */
export class Children {
  readonly #run: ParentRun;
  readonly #options: ChildrenOptions;
  /** Those that were started, and whose result nobody has asked for yet, by tool call id. */
  readonly #started = new Map<string, Child>();
  /** Calls that stay open, and keep what comes after them in a router's plan from starting. */
  readonly #waiting = new Set<string>();
  /** The children that are resumed, each claimed in its turn. */
  readonly #turns = new ClaimTurns();
  /** What later ones read of those that ended, by tool call id. */
  readonly #known = new Map<string, Earlier>();

  constructor(run: ParentRun, options: ChildrenOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Starts the child of a call. */
  start(call: DelegatingCall, thread: Thread): void {
    if (this.#started.has(call.toolCallId)) return;
    const child: Child = { task: undefined, answer: Promise.resolve(WAITS) };
    child.answer = this.#answer(child, call, thread);
    // Heard of when the engine asks for it, if it ever does.
    child.answer.catch(() => {});
    this.#started.set(call.toolCallId, child);
  }

  /** The result of a started call, as the parent's model reads it; the same once more for one that stands twice in a turn. */
  async result(toolCallId: string): Promise<string> {
    const child = this.#started.get(toolCallId);
    if (child === undefined) {
      const before = this.#run.results.get(toolCallId);
      if (before === undefined) throw new TypeError('only the calls of a model delegate');
      return before;
    }
    const { text, waits, interrupts = [], envelopeText } = await child.answer;
    // Some models count their calls anew in each turn: the next call of this id is another one.
    this.#started.delete(toolCallId);
    if (waits) this.#waiting.add(toolCallId);
    if (envelopeText !== undefined && placeOf(toolCallId)) this.#known.set(toolCallId, earlierOf(envelopeText));
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

  async #answer(child: Child, call: DelegatingCall, thread: Thread): Promise<Answer> {
    const run = this.#run;
    const { toolCallId, toolName, args } = call;
    const place = placeOf(toolCallId);
    if (this.#options.routed && place === undefined) return { text: UNKNOWN };
    if ([...this.#waiting].some((id) => precedes(placeOf(id), place))) return WAITS;
    const waiting = run.suspended.get(toolCallId);
    run.suspended.delete(toolCallId);
    if (waiting !== undefined && waiting.answers.length === 0) return stayWaiting(run, toolCallId, waiting);
    const { delegating, delegation } = this.#options;
    const text = run.briefs.get(toolCallId) ?? JSON.stringify(args ?? {});
    const { calls, results, before } = thread;
    const siblings = { calls, results, known: this.#known, read: delegating.read };
    const earlier = earlierIn(siblings, toolCallId);
    const turn = waiting && this.#turns.next();
    try {
      const task = delegating.open(
        { toolName, text, earlier, turn },
        {
          ...delegation,
          // A resumed child goes on from the run that its interrupts were raised in.
          parentRunId: waiting === undefined ? run.runId : (run.parentRunId ?? run.runId),
          parentToolCallId: toolCallId,
          messages: withoutCalls(before),
          ...(waiting && { resume: { state: waiting.state, entries: [...waiting.answers] } }),
        },
      );
      child.task = task;
      let last: AGUIEvent | undefined;
      for await (const event of task) {
        last = event;
        await run.events.put(event);
      }
      // What ended in an earlier request is told again, and was accounted for there.
      return await settle(run, task, last?.metadata?.subcontract !== undefined);
    } finally {
      turn?.leave();
    }
  }
}

/** Of a child that is not started yet, because one before it waits. */
const WAITS: Answer = { text: NOT_STARTED, waits: true };

/** A model may make calls up: beside a router it has no tool that delegates. */
const UNKNOWN = 'The call was not carried out: there is no tool of this name.';

async function settle(run: ParentRun, { delegation, toolResult }: DelegatedTask, counts: boolean): Promise<Answer> {
  if (delegation === undefined) return { text: await toolResult };
  const envelopeText = await delegation.envelopeText;
  const envelope = parseEnvelope(envelopeText);
  const { status, subagent, error, usage } = envelope;
  if (usage !== undefined && counts) run.usage.push({ subagentRunId: delegation.subagentRunId, subagent, usage });
  // The child is somebody else's, and may be running: its call must not get an answer from here.
  if (isElsewhere(error?.code) && error) run.refuse(new ResumeError(error.message, error));
  if (status !== 'suspended') return { text: await toolResult, envelopeText };
  return {
    text: suspendedContent(envelopeText),
    waits: true,
    interrupts: bindToParent(raisedInterrupts(envelope), run.runId),
  };
}

/** A child that got no answers is shown as suspended again, and its interrupts are raised again; nothing of it runs. */
async function stayWaiting(
  run: ParentRun,
  parentToolCallId: string,
  { agent, envelopeText = '', state, interrupts }: SuspendedChild,
): Promise<Answer> {
  const subagentRunId = state.subagent_run_id;
  const own = interrupts.filter((interrupt) => (interrupt.subagentRunId ?? subagentRunId) === subagentRunId);
  const timestamp = Date.now();
  await run.events.put(
    startedEvent({ ids: { threadId: run.threadId, subagentRunId, parentToolCallId }, agent }, timestamp),
  );
  const end: AGUIEvent = {
    type: 'SUBAGENT_FINISHED',
    subagentRunId,
    outcome: { type: 'suspended', ...(own.length > 0 && { interruptIds: own.map(({ id }) => id) }) },
    timestamp,
  };
  const waiting = waitingEvent(end);
  if (waiting) await run.events.put(waiting);
  await run.events.put(end);
  const bound = bindToParent(interrupts, run.runId);
  return { text: suspendedContent(envelopeText), waits: true, interrupts: bound };
}
