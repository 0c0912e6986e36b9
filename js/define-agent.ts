// `defineAgent`: what an application declares about a child, checked before anything runs.
import type { AGUIEvent } from './ag-ui/events.js';
import type { AgentContext } from './child/context.js';
import { type Contract, compileContract } from './contract.js';
import type { Json } from './core.js';
import { SchemaError } from './errors.js';
import { type Guard, nameGuards } from './guards.js';
import type { HostRunContext } from './host/context.js';
import { runInHost } from './host/run.js';
import { spelled } from './misuse.js';
import { type Seal, sealOf } from './resume-seal.js';
import type { AgentSchema, InferIn, InferOut, ShownSchema } from './schema.js';

export type { AgentSchema, InferIn, InferOut, ShownSchema } from './schema.js';

/** The type of `ctx.input`: what the `inputSchema`'s own validation makes of a brief; `undefined` without one. */
export type InputOf<S> = [S] extends [undefined] ? undefined : InferOut<S>;

/** The type of a return: what the `outputSchema` accepts; `unknown` without one. */
export type ReturnOf<S> = [S] extends [undefined] ? unknown : InferIn<S>;

/** The type of `final_result`: what the `outputSchema`'s transforms make of a return; `unknown` without one. */
export type ResultOf<S> = [S] extends [undefined] ? unknown : InferOut<S>;

/** Anything with a `type`: an AG-UI event, or a host's own chunk of that form (TanStack AI's `StreamChunk`). */
export interface ChildEvent {
  readonly type: string;
}

/**
 * What `run` may return, or promise: a stream of AG-UI events, a stream of text deltas, a text, or a JSON value.
 *
 * With a contract, a stream of events returns through its return tool (`ctx.tools`); the other three have returned what
 * they come to. A *text* is then the return's JSON text: to return a JSON string, return `'"done"'`.
 */
export type RunOutput<R = unknown> = AsyncIterable<ChildEvent> | AsyncIterable<string> | string | R;

/** A definition without its `run`. */
export interface AgentDeclaration<
  I extends AgentSchema | undefined = AgentSchema | undefined,
  O extends AgentSchema | undefined = AgentSchema | undefined,
  T extends readonly unknown[] = readonly unknown[],
> {
  /**
   * The agent's name, which is also the name of its tool: a letter or `_`, then letters, digits, `_` and `-`, at most 64
   * in all. `main`, `sessionId` and `background` mean something else to hosts and are refused.
   */
  name: string;
  /** What the agent does, for the parent's model, which chooses by it. */
  description: string;
  /** The brief's schema. Without it `ctx.input` is `undefined`. */
  inputSchema?: I;
  /**
   * The return's schema. Without it (and without a `finalSchema` of the call) the child answers in prose. A Standard
   * Schema's own refinements are judged too, and what its transforms make of the return is what goes out: it must be JSON,
   * and one that makes a `Date` or a `Map` fails the delegation with the code `transform_not_json`.
   */
  outputSchema?: O;
  /** How often a refused return may be mended: judged returns are at most `1 + maxRetries`. Default 2. */
  maxRetries?: number;
  /**
   * Checks beyond the schema, in the order they run: each may amend the return, mark it as degraded, or reject it. A function
   * has a name of its own; `{ name, check }` gives it one.
   */
  guards?: readonly Guard<ReturnOf<O>>[];
  /**
   * Whether a call of the return tool is judged while its arguments stream in: the first violation that nothing can mend
   * stops the child's model there, and the child begins again from `ctx.seed` with feedback. Default `true`.
   */
  earlyReject?: boolean;
  /**
   * Whether the agent's own tool offers its caller a `final_schema`, a contract for that call alone, which wins over
   * `outputSchema`. It is judged as a model's: with limits, and refused before the child runs. Default `false`.
   */
  allowFinalSchema?: boolean;
  /**
   * The tools the child uses, for hosts that list them; this package does not call them. None may have the return tool's
   * name.
   */
  tools?: T;
  /**
   * How the state of a suspended child is protected under a host that runs the agent itself, where there is no other place
   * to say so. `delegate` and `chatWithSubagents` have a `seal` of their own, and do not read this one.
   */
  seal?: Seal;
}

/** A definition, as {@link defineAgent} takes it. */
export interface AgentDefinition<
  I extends AgentSchema | undefined = AgentSchema | undefined,
  O extends AgentSchema | undefined = AgentSchema | undefined,
  T extends readonly unknown[] = readonly unknown[],
> extends AgentDeclaration<I, O, T> {
  /** Runs the child. Called again, with `ctx.attempt` raised, when a run ended and its return was refused. */
  run(ctx: AgentContext<InputOf<I>>): RunOutput<ReturnOf<O>> | Promise<RunOutput<ReturnOf<O>>>;
}

/**
 * A definition's `run`, as {@link defineAgent} infers from it. A condition, though both sides are alike: only such a type is looked
 * at again once `O` is known, and without that a literal which `run` returns, `'low'` for an enum, is widened and refused.
 */
export type InferredRun<I extends AgentSchema | undefined, O extends AgentSchema | undefined> = [O] extends [undefined]
  ? AgentDefinition<I, O>['run']
  : AgentDefinition<I, O>['run'];

/** An agent: its definition, checked, with the schemas compiled to contracts. */
export interface SubcontractAgent<
  I extends AgentSchema | undefined = AgentSchema | undefined,
  O extends AgentSchema | undefined = AgentSchema | undefined,
  T extends readonly unknown[] = readonly unknown[],
> {
  readonly name: string;
  readonly description: string;
  /** As it was given. */
  readonly inputSchema?: ShownSchema<I>;
  /** As it was given. */
  readonly outputSchema?: ShownSchema<O>;
  readonly maxRetries: number;
  readonly earlyReject: boolean;
  readonly allowFinalSchema: boolean;
  readonly tools?: T;
  /** The compiled `inputSchema`. */
  readonly inputContract?: Contract<InferIn<I>, InferOut<I>>;
  /** The compiled `outputSchema`. */
  readonly outputContract?: Contract<InferIn<O>, InferOut<O>>;
  /** The definition itself. Its `run` is ungated: `delegate` is what calls it. */
  readonly definition: AgentDefinition<I, O>;
  /**
   * Runs the child, gated, for a host that runs agents itself: it makes this object what TanStack AI calls a `DefinedAgent`
   * from 0.59 on. Everywhere else `delegate` is what runs it. `Chunk` is the host's own type of an AG-UI event.
   */
  run<Chunk = AGUIEvent>(ctx: HostRunContext): AsyncIterable<Chunk>;
}

/** Names that mean something else to a host: the parent in a router's pick, and fields of its own tools. */
const RESERVED_AGENT_NAMES: readonly string[] = ['main', 'sessionId', 'background'];

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'inputSchema',
  'outputSchema',
  'maxRetries',
  'guards',
  'earlyReject',
  'allowFinalSchema',
  'tools',
  'seal',
  'run',
]);
/** What other libraries call the two schemas; beside ours, one of them would be a second contract. */
const SYNONYMS: Readonly<Record<string, string>> = {
  input: 'inputSchema',
  parameters: 'inputSchema',
  output: 'outputSchema',
  outputType: 'outputSchema',
  finalSchema: 'outputSchema',
  final_schema: 'outputSchema',
  responseSchema: 'outputSchema',
};

/**
 * Defines an agent.
 *
 * @throws TypeError when the definition contradicts itself or has a field nobody would read, SchemaError when a schema
 * does not compile.
 *
 * # Example: a brief and a return, typed
 * ```ts
 * const researcher = defineAgent({
 *   name: 'researcher',
 *   description: 'finds prices',
 *   inputSchema: z.object({ task: z.string() }),
 *   outputSchema: z.object({ price: z.number() }),
 *   run: (ctx) =>
 *     chat({
 *       adapter,
 *       messages: ctx.seed([{ role: 'user', content: ctx.input.task }]),
 *       tools: [search, ...ctx.tools],
 *     }),
 * });
 * ```
 */
export function defineAgent<
  I extends AgentSchema | undefined = undefined,
  O extends AgentSchema | undefined = undefined,
  T extends readonly unknown[] = readonly [],
>(
  definition: AgentDeclaration<I, O, T> & {
    /**
     * Runs the child. Called again, with `ctx.attempt` raised, when a run ended and its return was refused. Give it its `ctx`,
     * used or not: TypeScript types a function without a parameter before it looks at the schemas, and widens what it returns.
     */
    run: InferredRun<I, O>;
  },
): SubcontractAgent<I, O, T> {
  const { name, description, inputSchema, outputSchema, maxRetries = 2, tools } = definition;
  const { earlyReject = true, allowFinalSchema = false, guards, seal } = definition;
  checkName(name);
  const refuse = (why: string): never => {
    throw new TypeError(`agent ${JSON.stringify(name)}: ${why}`);
  };
  if (typeof description !== 'string' || description.trim() === '') {
    refuse('description must say what the agent does: the parent model chooses by it');
  }
  if (typeof definition.run !== 'function') refuse('run must be a function');
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0 || maxRetries > MAX_RETRIES) {
    refuse(`maxRetries must be an integer from 0 to ${MAX_RETRIES}, not ${spelled(maxRetries)}`);
  }
  for (const field of Object.keys(definition)) {
    if (FIELDS.has(field)) continue;
    const ours = Object.hasOwn(SYNONYMS, field) ? SYNONYMS[field] : undefined;
    const declared = ours !== undefined && definition[ours as 'inputSchema' | 'outputSchema'] !== undefined;
    if (declared) refuse(`${field} conflicts with ${ours}: declare one`);
    refuse(ours === undefined ? `unknown field ${JSON.stringify(field)}` : `${field} is called ${ours}`);
  }
  for (const [field, flag] of Object.entries({ earlyReject, allowFinalSchema })) {
    if (typeof flag !== 'boolean') refuse(`${field} must be true or false`);
  }
  if (tools !== undefined && !Array.isArray(tools)) refuse('tools must be a list');
  try {
    if (guards !== undefined) nameGuards(guards);
    if (seal !== undefined) sealOf(seal);
  } catch (error) {
    refuse((error as Error).message);
  }
  const inputContract = inputSchema === undefined ? undefined : compile(inputSchema, name, 'inputSchema');
  const outputContract = outputSchema === undefined ? undefined : compile(outputSchema, name, 'outputSchema');
  const conflict = outputContract && conflictWithReturnTool(tools, outputContract.handle.returnTool().name);
  if (conflict !== undefined) refuse(conflict);
  if (allowFinalSchema && inputContract && declares(inputContract.jsonSchema, FINAL_SCHEMA)) {
    refuse(`inputSchema has a ${FINAL_SCHEMA} of its own, which conflicts with allowFinalSchema`);
  }
  const agent = Object.freeze({
    name,
    description,
    ...(inputSchema !== undefined && { inputSchema, inputContract }),
    ...(outputSchema !== undefined && { outputSchema, outputContract }),
    maxRetries,
    earlyReject,
    allowFinalSchema,
    ...(tools !== undefined && { tools }),
    definition,
    run: (ctx: HostRunContext) => runInHost(agent, ctx),
  }) as SubcontractAgent;
  return agent as unknown as SubcontractAgent<I, O, T>;
}

/** The parameter of a delegating tool by which its caller gives a contract for that call alone. */
export const FINAL_SCHEMA = 'final_schema';

/** What is wrong when one of a child's own tools has the name of its return tool. */
export function conflictWithReturnTool(tools: readonly unknown[] | undefined, name: string): string | undefined {
  if (!tools?.some((tool) => (tool as { name?: unknown } | null)?.name === name)) return undefined;
  return `its tool ${JSON.stringify(name)} has the name of the return tool: rename it, or give the contract another title`;
}

function declares(schema: Json, property: string): boolean {
  const properties = (schema as { properties?: object } | null)?.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, property);
}

/** More attempts than this are a loop, and each one is paid for. */
const MAX_RETRIES = 100;

function checkName(name: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('an agent needs a name');
  const shown = JSON.stringify(name);
  if (!NAME.test(name)) {
    throw new TypeError(
      `agent ${shown}: the name is also its tool's name and must be a letter or _, then letters, digits, _ and -, at most 64 in all`,
    );
  }
  if (RESERVED_AGENT_NAMES.includes(name)) throw new TypeError(`agent ${shown}: the name is reserved by hosts`);
}

function compile(schema: AgentSchema, name: string, field: string): Contract {
  try {
    return compileContract(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const { code, issues } = error;
    throw new SchemaError(`agent ${JSON.stringify(name)}: ${field}: ${error.message}`, { code, issues, cause: error });
  }
}

/** Whether `defineAgent` made it. */
export function isAgent(agent: unknown): agent is SubcontractAgent {
  return typeof (agent as SubcontractAgent | null | undefined)?.definition?.run === 'function';
}

/** Throws for what `defineAgent` did not make. */
export function assertAgent(agent: unknown): asserts agent is SubcontractAgent {
  if (!isAgent(agent)) throw new TypeError('delegate needs an agent made by defineAgent');
}
