// `defineAgent`: what an application declares about a child, checked before anything runs.
import type { AgentContext } from './child/context.js';
import type { ResumeEntry } from './ag-ui/events.js';
import type { Contract } from './contract.js';
import type { AgentSchema, InferIn, InferOut } from './schema.js';

export type { AgentSchema, InferIn, InferOut };

/** The type of `ctx.input`: `undefined` for an agent without `inputSchema`. */
export type InputOf<S> = [S] extends [undefined] ? undefined : InferOut<S>;

/** The type of a return and of `final_result`: `unknown` for an agent without `outputSchema`. */
export type ReturnOf<S> = [S] extends [undefined] ? unknown : InferIn<S>;

/** Anything with a `type`: an AG-UI event, or a host's own chunk of that form (TanStack's `StreamChunk`). */
export interface ChildEvent {
  readonly type: string;
}

/**
 * What `run` may return, or promise: a stream of AG-UI events, a stream of text deltas, a text, or a JSON value.
 * With a contract a *text* is the return's JSON text; to return a JSON string, return its JSON text (`'"done"'`).
 */
export type RunOutput<R = unknown> = AsyncIterable<ChildEvent> | AsyncIterable<string> | string | R;

/** A definition, as {@link defineAgent} takes it. */
export interface AgentDefinition<
  I extends AgentSchema | undefined = AgentSchema | undefined,
  O extends AgentSchema | undefined = AgentSchema | undefined,
> {
  /** The agent's name, which is also its tool's name: `[A-Za-z_][A-Za-z0-9_-]{0,63}`, and none of the reserved names. */
  name: string;
  /** What the agent does, for the parent model that chooses it. */
  description: string;
  /** The brief's schema. Without it `ctx.input` is `undefined`. */
  inputSchema?: I;
  /** The return's schema. Without it (and without a per-call `finalSchema`) the child answers in prose. */
  outputSchema?: O;
  /** How often a refused return may be mended: judged returns are at most `1 + maxRetries`. Default 2. */
  maxRetries?: number;
  /** The tools the child uses, for hosts that list them; not called by this package. */
  tools?: readonly unknown[];
  /** Runs the child. Called again, with `ctx.attempt` raised, when a return was refused after the run ended. */
  run(ctx: AgentContext<InputOf<I>>): RunOutput<ReturnOf<O>> | Promise<RunOutput<ReturnOf<O>>>;
}

/** What a host that calls agents itself (TanStack AI from 0.59) passes to {@link SubcontractAgent.run}. */
export interface HostContext {
  /** The brief, as the host parsed it. */
  input?: unknown;
  messages?: readonly unknown[];
  abortSignal?: AbortSignal;
  threadId?: string;
  runId?: string;
  parentRunId?: string;
  subagentRunId?: string;
  parentSubagentRunId?: string;
  resume?: readonly ResumeEntry[];
}

/** An agent: its definition, with the schemas compiled to contracts. */
export interface SubcontractAgent<
  I extends AgentSchema | undefined = AgentSchema | undefined,
  O extends AgentSchema | undefined = AgentSchema | undefined,
> {
  readonly name: string;
  readonly description: string;
  /** As it was given. */
  readonly inputSchema?: I;
  /** As it was given. */
  readonly outputSchema?: O;
  readonly maxRetries: number;
  readonly tools?: readonly unknown[];
  /** The compiled `inputSchema`. */
  readonly inputContract?: Contract<InferIn<I>, InferOut<I>>;
  /** The compiled `outputSchema`. */
  readonly outputContract?: Contract<InferIn<O>, InferOut<O>>;
  /** The definition's own `run`, ungated: `delegate` is what calls it. */
  readonly definition: AgentDefinition<I, O>;
}

/** Names that mean something else to a host: the parent in a router's pick, and fields of its own tools. */
export const RESERVED_AGENT_NAMES: readonly string[] = ['main', 'sessionId', 'background'];
