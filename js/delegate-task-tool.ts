// `delegateTaskTool`: one tool by which a parent's model delegates to any of its agents.

import type { AGUIEvent } from './ag-ui/events.js';
import { briefToolDescription } from './core.js';
import { FINAL_SCHEMA, type SubcontractAgent } from './define-agent.js';
import { type DelegateOptions, type Delegation, delegate } from './delegate.js';
import { sharedTree } from './limits.js';
import { spelled } from './misuse.js';
import type { DelegationEvent } from './observe.js';
import { agentsByName, argumentText, FINAL_SCHEMA_PARAMETER, readTaskCall } from './task-call.js';
import { toolSchema } from './tool-schema.js';

/** How a parent delegates by one tool. */
export interface DelegateTaskOptions {
  /**
   * How many children this parent may start, all told; resumed ones and ones whose call was refused do not count. A tool
   * counts for one parent: make one for each run. Default: no limit.
   */
  maxAgents?: number;
  /** Options of every delegation; those that a single call is given win over them. Its `limits` hold for all calls together. */
  delegation?: DelegateOptions;
}

/** A call of {@link DelegateTaskTool}, under way. Iterate it for the child's events; a refused call has none. */
export interface DelegatedTask extends AsyncIterable<AGUIEvent> {
  /** Absent for a call that names no child to start. */
  readonly delegation: Delegation | undefined;
  /** What the parent's model reads as the call's result. Always resolves; asked for first, it drains the child's run. */
  readonly toolResult: Promise<string>;
}

/**
 * The tool `delegate_task(subagent, task | input, final_schema?)`, for any framework: a plain object with name, description
 * and JSON Schema.
 */
export interface DelegateTaskTool {
  readonly name: 'delegate_task';
  /** Names every agent, with what it does and the schema of its brief. */
  readonly description: string;
  /** Plain JSON Schema of the arguments. */
  readonly inputSchema: Record<string, unknown>;
  /**
   * Carries out one call. `args` is the exact JSON text of its arguments, or the value that a host made of it. What is
   * wrong with them, an unknown subagent among it, is a tool result that the model can read.
   */
  delegate(args: unknown, options?: DelegateOptions): DelegatedTask;
  /** As {@link delegate}, for hosts that take a tool's result only: the child's events are not shown. */
  execute(args: unknown, context?: { toolCallId?: string; abortSignal?: AbortSignal }): Promise<string>;
}

/**
 * Makes `delegate_task` for a parent with these agents.
 *
 * The model says *who* and *what*; nothing else of what it writes chooses anything. A `final_schema` is a contract for that
 * call alone, over the agent's own; it is taken as a model's, with limits, and a refused one is an error before the child
 * runs. An agent with an `inputSchema` is briefed by `input`, or by `task` where `{ task }` satisfies the schema; one
 * without reads the brief as the last of `ctx.messages`.
 *
 * Throws a `TypeError` for no agents, for two of one name, and for a `maxAgents` that is no count.
 *
 * # Example: in a loop of one's own
 * ```ts
 * const tool = delegateTaskTool([researcher, writer], { maxAgents: 5 });
 * const task = tool.delegate(call.function.arguments, { parentToolCallId: call.id });
 * for await (const event of task) send(event);
 * messages.push({ role: 'tool', tool_call_id: call.id, content: await task.toolResult });
 * ```
 */
export function delegateTaskTool(
  agents: readonly SubcontractAgent[],
  options: DelegateTaskOptions = {},
): DelegateTaskTool {
  const delegateCall = taskCalls(agents, options);
  return {
    name: 'delegate_task',
    description: describe(agents),
    inputSchema: parameters(agents),
    delegate: (args, own) => delegateCall(args, own),
    execute: (args, { toolCallId, abortSignal } = {}) =>
      delegateCall(args, {
        ...(toolCallId !== undefined && { parentToolCallId: toolCallId }),
        ...(abortSignal && { abortSignal }),
      }).toolResult,
  };
}

/** What carries out the calls of one tool. `begin` begins a child that is part of more. */
export function taskCalls(agents: readonly SubcontractAgent[], options: DelegateTaskOptions) {
  const { maxAgents = Number.POSITIVE_INFINITY, delegation = {} } = options;
  // One tree for all calls, as one parent makes them.
  const limits = delegation.limits && sharedTree(delegation.limits);
  const common: DelegateOptions = { ...delegation, ...(limits && { limits }) };
  if (maxAgents !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(maxAgents) && maxAgents > 0)) {
    throw new TypeError(`maxAgents must be a whole number of at least 1, not ${spelled(maxAgents)}`);
  }
  const byName = agentsByName(agents);
  if (byName.size === 0) throw new TypeError('delegateTaskTool needs at least one agent');
  let started = 0;
  /** Counts a child from here on, until it turns out that it never started. */
  const counting = (given: DelegateOptions): DelegateOptions => {
    started += 1;
    const { onEvent } = given;
    return {
      ...given,
      onEvent: (event: DelegationEvent) => {
        if (event.type === 'refused') started -= 1;
        return onEvent?.(event);
      },
    };
  };
  return (args: unknown, own: DelegateOptions = {}, begin: typeof delegate = delegate): DelegatedTask => {
    const call = readTaskCall(byName, argumentText(args));
    if ('refusal' in call) return refused(call.refusal);
    const given = { ...common, ...own };
    const isNew = given.resume === undefined;
    if (isNew && started >= maxAgents) {
      const all = `${maxAgents === 1 ? 'one subagent was' : `${maxAgents} subagents were`} started, and no more may be`;
      return refused(`The call was not carried out and no subagent was started: ${all}. Go on with what you have.`);
    }
    const { agent, brief, finalSchema } = call;
    const messages = agent.inputContract ? given.messages : [...(given.messages ?? []), asMessage(brief)];
    return delegatedTask(
      begin(agent, brief, {
        ...(isNew ? counting(given) : given),
        ...(messages && { messages }),
        ...(finalSchema !== undefined && { finalSchema }),
      }),
    );
  };
}

/** A delegation as the call that asked for it. */
export function delegatedTask(delegation: Delegation): DelegatedTask {
  return {
    delegation,
    get toolResult() {
      return delegation.toolResult;
    },
    [Symbol.asyncIterator]: () => delegation[Symbol.asyncIterator](),
  };
}

function refused(text: string): DelegatedTask {
  return {
    delegation: undefined,
    toolResult: Promise.resolve(text),
    async *[Symbol.asyncIterator]() {},
  };
}

/** The brief as a child without `inputSchema` reads it. */
function asMessage(brief: string | undefined): { role: 'user'; content: string } {
  const { task, ...more } = JSON.parse(brief ?? '{}') as { task?: unknown };
  const inWords = typeof task === 'string' && Object.keys(more).length === 0;
  return { role: 'user', content: inWords ? task : (brief ?? '') };
}

function describe(agents: readonly SubcontractAgent[]): string {
  const lines = agents.map(({ name, description, inputContract }) => {
    const how = inputContract ? `input: ${inputContract.schemaText}` : 'task: the job in words';
    return `- ${name}: ${description.trim()}\n  ${how}`;
  });
  return briefToolDescription({ description: `Delegate one focused job to a subagent:\n${lines.join('\n')}` });
}

function parameters(agents: readonly SubcontractAgent[]): Record<string, unknown> {
  return toolSchema({
    type: 'object',
    properties: {
      subagent: { type: 'string', enum: agents.map(({ name }) => name), description: 'Who is to do it.' },
      task: { type: 'string', description: 'The job in words, for a subagent without a schema for its input.' },
      input: { type: 'object', description: "The brief, by the subagent's own schema for it." },
      [FINAL_SCHEMA]: FINAL_SCHEMA_PARAMETER,
    },
    required: ['subagent'],
    additionalProperties: false,
  });
}
