// `chatWithSubagents`: TanStack AI 0.58's chat(), with agents that its model can delegate to.
import { type AnyTextAdapter, type ChatMiddleware, chat, type StreamChunk } from '@tanstack/ai';
import type { AGUIEvent } from '../ag-ui/events.js';
import { causedBy, runErrorOf } from '../ag-ui/run-error.js';
import { delegationTree } from '../limits.js';
import { sealOf } from '../resume-seal.js';
import { agentTools, type DelegatingTools, oneTool } from './agent-tool.js';
import { Children } from './children.js';
import { withExactArguments } from './exact-arguments.js';
import { type ChatWithSubagentsOptions, refuseUnsupported, type SubagentsOptions } from './options.js';
import { type ParentRun, parentRun } from './parent-run.js';
import { readReplay } from './replay.js';
import { abreast } from './routed-call.js';
import { routerOf } from './router.js';
import { pause, runMiddleware } from './run-middleware.js';
import { runStream } from './run-stream.js';
import { openSuspended } from './suspension.js';
import { turnMiddleware } from './turn.js';

/**
 * Runs `chat()` with one tool for each agent, and yields one AG-UI run: the parent's events, and the
 * children's live among them.
 *
 * Takes `chat()`'s own options, and `subagents`. A child that waits for an answer pauses the run; pass
 * what the client sends next (`messages`, `resume`, `parentRunId`, as `chatParamsFromRequest` reads
 * them) and it goes on. Send the events with `toSubagentResponse`.
 *
 * Throws a `TypeError` for options it does not support. Whatever fails later is in the stream.
 *
 * # Example: a request handler
 * ```ts
 * const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
 * return toSubagentResponse(
 *   chatWithSubagents({
 *     adapter: openaiText('gpt-5.5'),
 *     messages, threadId, runId, parentRunId, resume,
 *     subagents: { agents: [researcher], seal: { keys: [{ id: '2026-11', secret }] } },
 *   }),
 * );
 * ```
 */
export function chatWithSubagents<A extends AnyTextAdapter>(
  options: ChatWithSubagentsOptions<A>,
): AsyncGenerator<AGUIEvent, void, undefined> {
  refuseUnsupported(options);
  const ids = {
    threadId: options.threadId ?? crypto.randomUUID(),
    runId: options.runId ?? crypto.randomUUID(),
  };
  const stop = new AbortController();
  // Before anything runs: it refuses what is no setting.
  const delegating = delegatingTools(options.subagents);
  const events = untilLeft(() => start(options, { ...ids, delegating }, stop), {
    ...ids,
    parentRunId: options.parentRunId,
    stop,
    signal: options.abortController?.signal,
  });
  return leftAtOnce(events, () => stop.abort());
}

interface Started {
  run: ParentRun;
  children: Children;
  chunks: AsyncIterator<StreamChunk>;
}

async function start<A extends AnyTextAdapter>(
  options: ChatWithSubagentsOptions<A>,
  { delegating, ...ids }: { threadId: string; runId: string; delegating: DelegatingTools },
  stop: AbortController,
): Promise<Started> {
  const { subagents, adapter, tools = [], middleware = [], interrupts = [], resume, ...rest } = options;
  const seal = sealOf(subagents.seal);
  const calls = readReplay(options.messages ?? []);
  const { suspended, parentAnswers } = await openSuspended(calls, {
    threadId: ids.threadId,
    read: delegating.read,
    resume: resume ?? [],
    seal,
  });
  const briefs = new Map([...calls].map(([id, { argumentsText }]) => [id, argumentsText]));
  const { present, transcripts } = subagents;
  const run = parentRun(
    { ...ids, interruptedRunId: options.parentRunId, suspended, briefs, seal, present, transcripts },
    stop,
  );
  const { onEvent, limits, parent, order = 'parallel' } = subagents;
  const router = routerOf(subagents, stop.signal);
  const children = new Children(run, {
    delegating,
    onEvent,
    limits: delegationTree(limits),
    parent,
    by: router ? 'router' : 'model',
  });
  const agents = delegating.tools((_args, context) => children.result(context?.toolCallId ?? ''));
  const turn = turnMiddleware(children, {
    middleware,
    tools: agents,
    together: router ? abreast : (open, call) => (order === 'parallel' ? open : [call]),
  });
  const hooks: ChatMiddleware<unknown, typeof pause>[] = [
    run.model.middleware,
    turn,
    ...middleware,
    runMiddleware(run),
  ];
  const stream = chat({
    ...rest,
    ...ids,
    ...(router && { agentLoopStrategy: router.strategy(rest.agentLoopStrategy) }),
    adapter: withExactArguments(router ? router.adapter(adapter) : adapter, {
      has: (name) => delegating.has(name),
      texts: run.briefs,
    }),
    tools: [...tools, ...agents],
    middleware: hooks,
    interrupts: [...interrupts, pause],
    abortController: stop,
    // With an entry of a child's in the batch chat() refuses it all; an empty batch is one too many.
    ...(parentAnswers.length === 0 ? {} : { resume: parentAnswers }),
  });
  return { run, children, chunks: stream[Symbol.asyncIterator]() };
}

function delegatingTools({ agents, delegateTask = false }: SubagentsOptions): DelegatingTools {
  if (!delegateTask) return agentTools(agents);
  return oneTool(agents, delegateTask === true ? undefined : delegateTask.maxAgents);
}

interface Surroundings {
  threadId: string;
  runId: string;
  parentRunId: string | undefined;
  stop: AbortController;
  signal: AbortSignal | undefined;
}

async function* untilLeft(
  start: () => Promise<Started>,
  { threadId, runId, parentRunId, stop, signal }: Surroundings,
): AsyncGenerator<AGUIEvent, void, undefined> {
  const onAbort = () => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let over = false;
  let started: Started | undefined;
  try {
    try {
      started = await start();
    } catch (error) {
      yield* refusedRun(error, { threadId, runId }, parentRunId);
      return;
    }
    yield* runStream(started.chunks, started.run, parentRunId);
    over = true;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // Left early: stop what runs, let go of waiting writers, and do not wait for an adapter that ignores its signal.
    if (!over) stop.abort();
    // A run that failed leaves children behind.
    started?.children.leave();
    started?.run.events.close();
    Promise.resolve(started?.chunks.return?.()).catch(() => {});
  }
}

/**
 * `events`, whose reader may leave while one is awaited: a generator would first wait for that event, and a child that
 * never sends one would go on for nobody.
 */
function leftAtOnce(
  events: AsyncGenerator<AGUIEvent, void, undefined>,
  stop: () => void,
): AsyncGenerator<AGUIEvent, void, undefined> {
  const end = events.return.bind(events);
  events.return = async () => {
    stop();
    end().catch(() => {});
    return { done: true, value: undefined };
  };
  return events;
}

/** What a client sent along and does not belong here ends the run before anything is started. */
async function* refusedRun(
  error: unknown,
  ids: { threadId: string; runId: string },
  parentRunId: string | undefined,
): AsyncGenerator<AGUIEvent, void, undefined> {
  yield {
    type: 'RUN_STARTED',
    ...ids,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    timestamp: Date.now(),
  };
  yield causedBy(runErrorOf(error), error);
}
