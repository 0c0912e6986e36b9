// The server tools by which a parent's model delegates: one for each agent, or `delegate_task` for them all.
import type { Tool } from '@tanstack/ai';
import type { ClaimTurn } from '../claim-turns.js';
import { briefToolDescription } from '../core.js';
import type { SubcontractAgent } from '../define-agent.js';
import type { DelegateOptions, delegate } from '../delegate.js';
import { type DelegatedTask, delegatedTask, delegateTaskTool, taskCalls } from '../delegate-task-tool.js';
import { DelegationRun } from '../delegation.js';
import type { Earlier } from '../earlier.js';
import { joined } from '../joined.js';
import { agentsByName, ownToolSchema, readOwnCall, readTaskCall, type TaskCall } from '../task-call.js';

/** A delegating call, as it is carried out. */
export interface OpenCall {
  toolName: string;
  /** The exact text of its arguments. */
  text: string;
  /** What children before it came to, where it is part of a sequence. */
  earlier: readonly Earlier[];
  /** When its child is claimed, where it is resumed. */
  turn: ClaimTurn | undefined;
}

/** The delegating tools of one run of a parent. */
export interface DelegatingTools {
  /** The tools, which `execute` carries out. */
  tools(execute: NonNullable<Tool['execute']>): Tool[];
  /** Whether calls of the tool called `name` delegate. */
  has(name: string): boolean;
  /** Whom a call of one of them asks, and for what; nothing for a call that names no child. */
  read(toolName: string, argumentsText: string): TaskCall | undefined;
  /** Carries out a call of one of them. */
  open(call: OpenCall, options: DelegateOptions): DelegatedTask;
}

/** One tool for each agent. */
export function agentTools(agents: readonly SubcontractAgent[]): DelegatingTools {
  const byName = agentsByName(agents);
  const read = (name: string, text: string) => {
    const agent = byName.get(name);
    return agent && readOwnCall(agent, text);
  };
  return {
    tools: (execute) => agents.map((agent) => ({ ...agentTool(agent), execute })),
    has: (name) => byName.has(name),
    read,
    open: (call, options) => {
      const task = read(call.toolName, call.text);
      if (!task) throw new TypeError(`${call.toolName} is the tool of no agent`);
      const { agent, brief, finalSchema } = task;
      const own = { ...options, ...(finalSchema !== undefined && { finalSchema }) };
      return delegatedTask(begin(call)(agent, brief, own));
    },
  };
}

/** `delegate_task` for all agents. */
export function oneTool(agents: readonly SubcontractAgent[], maxAgents: number | undefined): DelegatingTools {
  const byName = agentsByName(agents);
  const { name, description, inputSchema } = delegateTaskTool(agents);
  const delegateCall = taskCalls(agents, maxAgents === undefined ? {} : { maxAgents });
  return {
    tools: (execute) => [{ name, description, inputSchema, execute }],
    has: (called) => called === name,
    read: (called, text) => {
      const call = called === name ? readTaskCall(byName, text) : undefined;
      return call && 'agent' in call ? call : undefined;
    },
    open: (call, options) => delegateCall(call.text, options, begin(call)),
  };
}

function agentTool(agent: SubcontractAgent): Tool {
  const { name, description, inputContract } = agent;
  const inputSchema = ownToolSchema(agent);
  // The schema is plain, so the engine does not validate it: the brief is judged by its exact text,
  // and a refused one goes back to the parent's model with its issues.
  return {
    name,
    description: inputContract === undefined ? description : briefToolDescription({ description }),
    ...(inputSchema && { inputSchema }),
  };
}

/** Begins the child of a call, which knows of those beside it. */
function begin({ earlier, turn }: OpenCall): typeof delegate {
  return (agent, brief, options = {}) =>
    new DelegationRun(agent, brief, options, {
      ...joined(options),
      earlier: () => earlier,
      ...(turn && { turn }),
      ask() {},
    });
}
