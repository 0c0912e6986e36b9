// `chatWithSubagents`: TanStack AI 0.58's chat(), with agents that its model can delegate to.
import { type AnyTextAdapter, type ChatMiddleware, chat, type StreamChunk } from '@tanstack/ai';
import type { AGUIEvent } from '../ag-ui/events.js';
import { causedBy, runErrorOf } from '../ag-ui/run-error.js';
import { SubcontractError } from '../errors.js';
import { followSignal } from '../followers.js';
import { leftAtOnce } from '../left-at-once.js';
import { delegationTree } from '../limits.js';
import { sealOf } from '../resume-seal.js';
import { defined } from '../wire.js';
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
  const stop = new AbortController();
  // Before anything runs: it refuses what is no setting.
  const delegating = delegatingTools(options.subagents);
  const { threadId, runId, parentRunId } = options;
  const ids = {
    threadId: stringOr(threadId, crypto.randomUUID()),
    runId: stringOr(runId, crypto.randomUUID()),
    ...(typeof parentRunId === 'string' && { parentRunId }),
  };
  return leftAtOnce(untilLeft(options, { ids, delegating, stop }), () => stop.abort());
}

/** What a run has before it starts. */
interface Beginning {
  ids: Pick<ParentRun, 'threadId' | 'runId' | 'parentRunId'>;
  delegating: DelegatingTools;
  stop: AbortController;
}

interface Started {
  run: ParentRun;
  children: Children;
  chunks: AsyncIterator<StreamChunk>;
}

async function start<A extends AnyTextAdapter>(
  options: ChatWithSubagentsOptions<A>,
  { ids, delegating, stop }: Beginning,
): Promise<Started> {
  const { subagents, adapter, tools = [], middleware = [], interrupts = [], resume, ...rest } = options;
  for (const name of ['threadId', 'runId', 'parentRunId'] as const) {
    if (typeof (rest[name] ?? '') !== 'string') {
      throw new SubcontractError(`${name} must be a string`, { code: 'run_id_malformed' });
    }
  }
  const seal = sealOf(subagents.seal);
  const calls = readReplay(options.messages);
  const { suspended, parentAnswers } = await openSuspended(calls, {
    threadId: ids.threadId,
    read: delegating.read,
    resume: resume ?? [],
    seal,
  });
  const briefs = new Map([...calls].map(([id, { argumentsText }]) => [id, argumentsText]));
  const run = parentRun({ ...ids, suspended, briefs }, stop);
  const { limits, parent, onEvent, present, transcripts, order = 'parallel' } = subagents;
  const router = routerOf(subagents, stop.signal);
  const children = new Children(run, {
    delegating,
    delegation: {
      threadId: ids.threadId,
      abortSignal: stop.signal,
      seal: seal ?? 'none',
      limits: delegationTree(limits),
      ...defined({ parent, onEvent, present, transcripts }),
    },
    routed: router !== undefined,
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
    parentRunId: undefined,
    ...ids,
    ...(router && { agentLoopStrategy: router.strategy(rest.agentLoopStrategy) }),
    adapter: withExactArguments(router ? router.adapter(adapter) : adapter, { has: delegating.has, texts: run.briefs }),
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

async function* untilLeft<A extends AnyTextAdapter>(
  options: ChatWithSubagentsOptions<A>,
  beginning: Beginning,
): AsyncGenerator<AGUIEvent, void, undefined> {
  const { ids, stop } = beginning;
  const signal = options.abortController?.signal;
  const unfollow = signal && followSignal(signal, () => stop.abort(signal.reason));
  let over = false;
  let started: Started | undefined;
  try {
    // chat() starts its run after the pending tools of a resume have run; a child may not come before its run.
    yield { type: 'RUN_STARTED', ...ids, timestamp: Date.now() };
    try {
      started = await start(options, beginning);
    } catch (error) {
      // What a client sent along and does not belong here ends the run before anything is started.
      yield causedBy(runErrorOf(error), error);
      return;
    }
    yield* runStream(started.chunks, started.run);
    over = true;
  } finally {
    unfollow?.();
    // Left early: stop what runs, let go of waiting writers, and do not wait for an adapter that ignores its signal.
    if (!over) stop.abort();
    // A run that failed leaves children behind.
    started?.children.leave();
    started?.run.events.close();
    Promise.resolve(started?.chunks.return?.()).catch(() => {});
  }
}

function stringOr(id: unknown, other: string): string {
  return typeof id === 'string' ? id : other;
}
