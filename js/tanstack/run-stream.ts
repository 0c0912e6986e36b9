// Makes one AG-UI run of what chat() yields: one start, one terminal with the usage of the whole tree, and in between nothing that a strict client refuses.
import type { StreamChunk } from '@tanstack/ai';
import type { AGUIEvent, RunErrorEvent, RunFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import { interleave } from './mailbox.js';
import { OpenItems } from './open-items.js';
import type { ParentRun } from './parent-run.js';
import { isSuspendedContent } from './replay.js';
import { visibleInterrupts } from './run-middleware.js';
import { readUsage, sumUsage } from './usage.js';

const STOPPED = { message: 'the run was stopped', code: 'aborted' };
const FAILED = { message: 'the parent run failed', code: 'parent_failed' };

/** The events of a run, from RUN_STARTED to its terminal. */
export async function* runStream(
  chunks: AsyncIterator<StreamChunk>,
  run: ParentRun,
  parentRunId: string | undefined,
): AsyncGenerator<AGUIEvent, void, undefined> {
  const { threadId, runId } = run;
  // chat() starts its run after the pending tools of a resume have run; a child may not come before its run.
  yield {
    type: 'RUN_STARTED',
    threadId,
    runId,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    timestamp: Date.now(),
  };
  const open = new OpenItems();
  const parentUsage: TokenUsage[] = [];
  let last: RunFinishedEvent | undefined;
  try {
    // chat()'s chunks are AG-UI events, but for the shape of `usage`, which readUsage takes either way.
    const events = chunks as AsyncIterator<AGUIEvent>;
    for await (const event of interleave(events, run.events)) {
      switch (event.type) {
        case 'RUN_STARTED':
          break;
        case 'RUN_FINISHED':
          // One for each model call; which was the last shows only at the end.
          parentUsage.push(...readUsage(event.usage));
          last = event;
          break;
        case 'RUN_ERROR':
          yield* open.closeAll(FAILED);
          yield failure(event, run, parentUsage);
          return;
        case 'TOOL_CALL_RESULT':
          // A child that waits has no result yet.
          if (!isSuspendedContent(event.content)) yield* open.admit(resultOf(event));
          break;
        default:
          yield* open.admit(specified(event));
      }
    }
  } catch (error) {
    yield* open.closeAll(FAILED);
    yield failure(errorEvent(error), run, parentUsage);
    return;
  }
  yield* open.closeAll(STOPPED);
  yield finish(run.signal.aborted ? undefined : last, run, parentUsage);
}

/** A run that ended without a terminal of its own was stopped, from outside or by a middleware. */
function finish(last: RunFinishedEvent | undefined, run: ParentRun, parentUsage: TokenUsage[]): RunFinishedEvent {
  const { threadId, runId } = run;
  const { usage, metadata } = account(run, parentUsage);
  const outcome = last === undefined ? ({ type: 'cancelled' } as const) : last.outcome;
  return {
    ...last,
    type: 'RUN_FINISHED',
    threadId,
    runId,
    timestamp: Date.now(),
    ...(outcome === undefined ? {} : { outcome }),
    ...(outcome?.type === 'interrupt'
      ? { outcome: { ...outcome, interrupts: visibleInterrupts(outcome.interrupts, run) } }
      : {}),
    ...(usage === undefined ? {} : { usage }),
    metadata: { ...last?.metadata, ...metadata },
  };
}

function failure(event: RunErrorEvent, run: ParentRun, parentUsage: TokenUsage[]): RunErrorEvent {
  const { usage, metadata } = account(run, [...parentUsage, ...readUsage(event.usage)]);
  return {
    ...event,
    ...(usage === undefined ? {} : { usage }),
    metadata: { ...event.metadata, ...metadata },
  };
}

/** The usage of the whole tree in one entry, and whose it was in the metadata. */
function account(run: ParentRun, parentUsage: TokenUsage[]) {
  const sum = sumUsage([...parentUsage, ...run.usage.flatMap(({ usage }) => usage)]);
  const parent = sumUsage(parentUsage);
  const children = run.usage.map(({ subagentRunId, subagent, usage }) => ({
    subagentRunId,
    subagent,
    usage: sumUsage(usage) ?? {},
  }));
  return {
    usage: sum === undefined ? undefined : [sum],
    metadata:
      children.length === 0
        ? {}
        : { subcontract: { usage: { ...(parent === undefined ? {} : { parent }), children } } },
  };
}

/** The RUN_ERROR of a thrown value. */
export function errorEvent(error: unknown): RunErrorEvent {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return {
    type: 'RUN_ERROR',
    message: error instanceof Error ? error.message : String(error),
    ...(typeof code === 'string' ? { code } : {}),
    timestamp: Date.now(),
  };
}

/** 0.58 gives a tool's result the id of the assistant's message; a result is a message of its own. */
function resultOf(event: Extract<AGUIEvent, { type: 'TOOL_CALL_RESULT' }>): AGUIEvent {
  return { ...event, messageId: `tool-${event.toolCallId}` };
}

/** Without the engine's in-process extras, which are no fields of the protocol. */
function specified(event: AGUIEvent): AGUIEvent {
  if (event.type === 'TOOL_CALL_START' && 'toolName' in event) {
    const { toolName: _alias, ...rest } = event;
    return rest;
  }
  if (event.type === 'TOOL_CALL_END' && 'input' in event) {
    const { input: _parsed, ...rest } = event;
    return rest;
  }
  return event;
}
