// Makes one AG-UI run of what chat() yields: one start, one terminal with the usage of the whole tree, and in between nothing that a strict client refuses.
import type { StreamChunk } from '@tanstack/ai';
import { acceptEvent } from '../ag-ui/accept.js';
import type { AGUIEvent, Interrupt, Metadata, RunErrorEvent, RunFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import { StreamMender } from '../ag-ui/mend.js';
import { causedBy, outwardError, runErrorOf } from '../ag-ui/run-error.js';
import { readUsage } from '../ag-ui/usage.js';
import { modelOf } from '../child/run-finished.js';
import { followSignal } from '../followers.js';
import { defined, isRecord } from '../wire.js';
import { interleave } from './mailbox.js';
import type { ParentRun } from './parent-run.js';
import { isWaitingContent } from './replay.js';
import { visibleInterrupts } from './run-middleware.js';
import { totalUsage } from './usage.js';

/** The events of a run, from what follows its RUN_STARTED to its terminal. */
export async function* runStream(
  chunks: AsyncIterator<StreamChunk>,
  run: ParentRun,
): AsyncGenerator<AGUIEvent, void, undefined> {
  const mender = new StreamMender({ pendingToolCalls: run.suspended.keys() });
  const parentUsage: TokenUsage[] = [];
  let terminal: RunFinishedEvent | RunErrorEvent | undefined;
  let thrown: { error: unknown } | undefined;
  const stopped = stoppedFor(PATIENCE_MS, run);
  try {
    for await (const chunk of interleave<unknown>(chunks, run.events, () => stopped.long)) {
      const accepted = acceptEvent(chunk);
      // An adapter's slip must not cost the whole run; a client would refuse all of it.
      if ('problem' in accepted) continue;
      const { event } = accepted;
      if (event.type === 'RUN_STARTED') continue;
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') {
        // One RUN_FINISHED for each model call; which was the last shows only at the end.
        terminal = event;
        parentUsage.push(...readUsage(event.usage, modelOf(event)));
        if (event.type === 'RUN_ERROR') break;
      } else if (!(event.type === 'TOOL_CALL_RESULT' && isWaitingContent(event.content))) {
        // A child that waits has no result yet.
        yield* mender.mend(specified(event));
      }
    }
  } catch (error) {
    terminal = runErrorOf(error);
    thrown = { error };
  } finally {
    stopped.release();
  }
  if (run.refusal) terminal = runErrorOf(run.refusal);
  else if (run.signal.aborted) terminal = undefined;
  else if (run.model.silent && !isLastWord(terminal)) terminal = brokenOff(terminal);
  const last = ending(terminal, run, parentUsage, mender);
  // In a run that was stopped nobody asks what its children wait for.
  yield* mender.close(askedIn(last));
  // The client is told no more than its event says.
  yield thrown && last.type === 'RUN_ERROR' ? causedBy(last, thrown.error) : last;
}

/** How long a stopped run is waited for: an adapter, a tool or a hook of the application may ignore its signal. */
const PATIENCE_MS = 250;

/** Whether a run was stopped so long ago. */
function stoppedFor(ms: number, { signal, events }: ParentRun) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state = { long: false, release: () => {} };
  const unfollow = followSignal(signal, () => {
    timer = setTimeout(() => {
      state.long = true;
      events.wake();
    }, ms);
  });
  state.release = () => {
    unfollow();
    clearTimeout(timer);
  };
  return state;
}

/** Whether a terminal ends the run whatever came after it: an error, or the wait for an answer. */
function isLastWord(terminal: RunFinishedEvent | RunErrorEvent | undefined): boolean {
  return terminal?.type === 'RUN_ERROR' || terminal?.outcome?.type === 'interrupt';
}

/** The end of a run whose model said nothing, or not all. What a call before it came to is no end of the run. */
function brokenOff(before: RunFinishedEvent | RunErrorEvent | undefined): RunErrorEvent {
  return defined<RunErrorEvent>({
    type: 'RUN_ERROR',
    message: "the model's answer did not come, or broke off",
    code: 'no_answer',
    metadata: before?.metadata,
  });
}

/** A run without a terminal of its own was stopped, from outside or by a middleware. */
function ending(
  terminal: RunFinishedEvent | RunErrorEvent | undefined,
  run: ParentRun,
  parentUsage: TokenUsage[],
  mender: StreamMender,
): RunFinishedEvent | RunErrorEvent {
  const { threadId, runId } = run;
  const { usage: _own, ...own } = terminal ?? { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } };
  const common = { timestamp: Date.now(), ...account(run, parentUsage, terminal?.metadata) };
  if (own.type === 'RUN_ERROR') return outwardError({ ...own, ...common });
  // An adapter's own may be anything.
  const { outcome, ...rest } = own;
  // A child's call under the id that the client knows it by.
  const named = (interrupt: Interrupt): Interrupt =>
    interrupt.toolCallId === undefined
      ? interrupt
      : { ...interrupt, toolCallId: mender.toolCallId(interrupt.toolCallId, interrupt.subagentRunId) };
  const finished: RunFinishedEvent = { ...rest, ...common, threadId, runId };
  if (outcome?.type === 'success' || outcome?.type === 'cancelled') return { ...finished, outcome };
  if (outcome?.type !== 'interrupt' || !Array.isArray(outcome.interrupts)) return finished;
  const interrupts = visibleInterrupts(outcome.interrupts, run).map(named);
  return interrupts.length === 0 ? finished : { ...finished, outcome: { type: 'interrupt', interrupts } };
}

function askedIn(last: RunFinishedEvent | RunErrorEvent): ReadonlySet<string> | undefined {
  if (last.type === 'RUN_ERROR' || last.outcome?.type !== 'interrupt') return undefined;
  return new Set(last.outcome.interrupts.map(({ id }) => id));
}

/** The usage of the whole tree in one entry, and whose it was in the metadata. */
function account(run: ParentRun, parentUsage: TokenUsage[], metadata: Metadata | undefined) {
  const sum = totalUsage([...parentUsage, ...run.usage.flatMap(({ usage }) => usage)]);
  const parent = totalUsage(parentUsage);
  const children = run.usage.map(({ subagentRunId, subagent, usage }) => ({
    subagentRunId,
    subagent,
    usage: totalUsage(usage) ?? {},
  }));
  const own = children.length > 0 && { subcontract: { usage: { ...(parent && { parent }), children } } };
  return { ...(sum && { usage: [sum] }), metadata: { ...metadata, ...own } };
}

/** As the protocol has it: without the engine's in-process fields, and with a message id of its own for a tool's result. */
function specified(event: AGUIEvent): AGUIEvent {
  switch (event.type) {
    case 'TOOL_CALL_START': {
      const { toolName: _alias, ...rest } = event as typeof event & { toolName?: string };
      return rest;
    }
    case 'TOOL_CALL_END': {
      const { input: _parsed, ...rest } = event as typeof event & { input?: unknown };
      return rest.subagentRunId === undefined ? rest : withoutParsedInput(rest);
    }
    case 'TOOL_CALL_RESULT':
      // 0.58 gives it the id of the assistant's message.
      return { ...event, messageId: `tool-${event.toolCallId}` };
    default:
      return event;
  }
}

/** The parsed arguments are for the client that runs the parent's client tools; of a child's call they would be a rounded copy. */
function withoutParsedInput(event: AGUIEvent): AGUIEvent {
  const tanstack = event.metadata?.tanstack;
  if (!isRecord(tanstack)) return event;
  const { input: _parsed, ...rest } = tanstack;
  return { ...event, metadata: { ...event.metadata, tanstack: rest } };
}
