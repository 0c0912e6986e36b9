// Router mode: the application says who takes a turn. The parent's model is asked only when nobody does, or after them.
import {
  type AdapterYieldChunk,
  type AgentLoopStrategy,
  type AnyTextAdapter,
  type ModelMessage,
  maxIterations,
  type Tool,
} from '@tanstack/ai';
import type { SubcontractAgent } from '../define-agent.js';
import { SubcontractError } from '../errors.js';
import { followSignal } from '../followers.js';
import { type PlannedStep, type RouterPick, resolveRouterPick } from '../router-picks.js';
import { withChatStream } from './adapter.js';
import type { SubagentsOptions } from './options.js';
import { isRouted, newPlan, routedId, turnIn, withoutCalls } from './routed-call.js';

/** What a router decides by. */
export interface RouterContext {
  /** The thread, ended by the message that nobody has answered yet. */
  readonly messages: readonly ModelMessage[];
  readonly agents: readonly SubcontractAgent[];
  /** Aborted when the run is stopped. */
  readonly abortSignal: AbortSignal;
}

/** Says who takes a turn: `'main'` for the parent's model, else agents, each with its brief. */
export type Router = (context: RouterContext) => RouterPick | Promise<RouterPick>;

/** The router of one run, if it has one. */
export function routerOf(options: SubagentsOptions, signal: AbortSignal): TurnRouter | undefined {
  return options.router && new TurnRouter(options as RouterOptions, signal);
}

type RouterOptions = SubagentsOptions & { router: Router };

/** The router of one run. */
class TurnRouter {
  readonly #options: RouterOptions;
  readonly #signal: AbortSignal;
  /** The turns in which no model was asked, and the calls that were made in them. */
  #turns = 0;
  #calls = 0;

  constructor(options: RouterOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** The same adapter, which answers for the router where a model is not asked. */
  adapter<A extends AnyTextAdapter>(adapter: A): A {
    return withChatStream(adapter, (options) => this.#answer(adapter, options));
  }

  /** The application's strategy, which counts what its model did. */
  strategy(own: AgentLoopStrategy = maxIterations(DEFAULT_ITERATIONS)): AgentLoopStrategy {
    return (state) =>
      own({
        ...state,
        iterationCount: Math.max(0, state.iterationCount - this.#turns),
        toolCallCount: Math.max(0, state.toolCallCount - this.#calls),
      });
  }

  async *#answer(
    adapter: AnyTextAdapter,
    options: Parameters<AnyTextAdapter['chatStream']>[0],
  ): AsyncIterable<AdapterYieldChunk> {
    const { agents, strategy = 'exclusive' } = this.#options;
    const turn = turnIn(options.messages);
    const messages = withoutCalls(options.messages);
    const { runId = crypto.randomUUID(), threadId = '' } = options;
    const run = { runId, threadId, timestamp: Date.now() };
    if (isRouted(turn)) {
      if (strategy === 'exclusive') {
        this.#turns += 1;
        return yield* answered(run, 'stop');
      }
    } else if (!isBegun(turn)) {
      const steps = await this.#pick(messages);
      // Whoever stopped the run wants nobody to start, and no model to be asked.
      if (this.#signal.aborted) return yield* answered(run, 'stop');
      if (steps.length > 0) {
        const calls = callsOf(steps);
        this.#turns += 1;
        this.#calls += calls.length;
        return yield* answered(run, 'tool_calls', calls);
      }
    }
    const names = new Set(agents.map(({ name }) => name));
    // The model does not delegate: the router does.
    const tools = options.tools?.filter((tool: Tool) => !names.has(tool.name));
    yield* adapter.chatStream({ ...options, messages, ...(tools && { tools }) });
  }

  /** Who takes the turn. Every input is checked before any of them starts. */
  async #pick(messages: readonly ModelMessage[]): Promise<PlannedStep[]> {
    const { agents, router, order } = this.#options;
    const abortSignal = this.#signal;
    const asked = unlessAborted(async () => router({ messages, agents, abortSignal }), abortSignal);
    const pick = await asked.catch((cause) => {
      throw new SubcontractError('the router failed', { code: 'router_failed', cause });
    });
    if (abortSignal.aborted) return [];
    const { steps } = await resolveRouterPick(pick, { agents, ...(order && { order }) });
    return steps;
  }
}

/** What `chat()` does when nothing else is said. */
const DEFAULT_ITERATIONS = 5;

/** A turn in which something was called is one that goes on; nobody else takes it. */
function isBegun(turn: readonly ModelMessage[]): boolean {
  return turn.some(({ role, toolCalls }) => role === 'tool' || (toolCalls?.length ?? 0) > 0);
}

async function unlessAborted<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let leave = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    leave = followSignal(signal, () => resolve(undefined));
  });
  return Promise.race([ask(), aborted]).finally(leave);
}

interface Call {
  toolCallId: string;
  toolCallName: string;
  argumentsText: string;
}

function callsOf(steps: readonly PlannedStep[]): Call[] {
  const plan = newPlan();
  return steps.flatMap(({ order, children }, step) =>
    children.map(({ agent, brief = '{}' }, index) => ({
      toolCallId: routedId({ plan, step, order, index }),
      toolCallName: agent.name,
      argumentsText: brief,
    })),
  );
}

/** What an adapter yields of a model that makes these calls. */
function* answered(
  run: { runId: string; threadId: string; timestamp: number },
  finishReason: 'stop' | 'tool_calls',
  calls: readonly Call[] = [],
): Iterable<AdapterYieldChunk> {
  yield { type: 'RUN_STARTED', ...run } as AdapterYieldChunk;
  const { timestamp } = run;
  for (const { toolCallId, toolCallName, argumentsText } of calls) {
    const named = { toolCallId, toolCallName, toolName: toolCallName, timestamp };
    yield { type: 'TOOL_CALL_START', ...named } as AdapterYieldChunk;
    yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: argumentsText, timestamp } as AdapterYieldChunk;
    yield { type: 'TOOL_CALL_END', ...named } as AdapterYieldChunk;
  }
  yield { type: 'RUN_FINISHED', ...run, finishReason } as AdapterYieldChunk;
}
