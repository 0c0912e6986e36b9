// What a parent's model asks for by calling a delegating tool: which agent, on what brief, by which contract.
import { digestOf, membersOf } from './core.js';
import { FINAL_SCHEMA, isAgent, type SubcontractAgent } from './define-agent.js';
import type { ContractRef } from './envelope.js';
import { SubcontractError } from './errors.js';
import { toJsonText } from './json-text.js';
import { toolSchema } from './tool-schema.js';
import { isRecord } from './wire.js';

/** A delegating call, read. Texts are the model's, to the letter. */
export interface TaskCall {
  agent: SubcontractAgent;
  brief: string | undefined;
  /** A contract for this call alone. */
  finalSchema: string | undefined;
}

/** A call that names no child to start: what its caller's model reads about it. */
export interface RefusedCall {
  refusal: string;
}

/** The agents that a parent delegates to, by name. Throws a `TypeError` for what is no agent, and for two of one name. */
export function agentsByName(agents: readonly SubcontractAgent[]): Map<string, SubcontractAgent> {
  if (!Array.isArray(agents)) throw new TypeError('agents must be a list');
  const byName = new Map<string, SubcontractAgent>();
  for (const agent of agents as readonly SubcontractAgent[]) {
    if (!isAgent(agent)) throw new TypeError('each of the agents must be made by defineAgent');
    if (byName.has(agent.name)) {
      throw new TypeError(`two agents are named "${agent.name}": the parent could not tell them apart`);
    }
    byName.set(agent.name, agent);
  }
  return byName;
}

/** The contract that holds for a call: its own, else its agent's. */
export function contractOf({ agent, finalSchema }: TaskCall): ContractRef {
  if (finalSchema !== undefined) return { source: 'final_schema', digest: digestOf(finalSchema) };
  const { outputContract } = agent;
  return outputContract ? { source: 'output_schema', digest: outputContract.digest } : { source: 'none' };
}

/** The argument text of a call: a string is that text already. */
export function argumentText(args: unknown): string {
  if (typeof args === 'string') return args;
  const json = toJsonText(args ?? {});
  // What JSON cannot carry no model has written; it is read as what it is, a text that is no object.
  return json.ok ? json.text : '';
}

/** A call of an agent's own tool: the brief is the arguments, without the contract that `allowFinalSchema` lets it give. */
export function readOwnCall(agent: SubcontractAgent, text: string): TaskCall {
  const whole = { agent, brief: text, finalSchema: undefined };
  const members = agent.allowFinalSchema ? readMembers(text) : undefined;
  if (!members || !Object.hasOwn(members, FINAL_SCHEMA)) return whole;
  const { [FINAL_SCHEMA]: finalSchema, ...rest } = members;
  return { agent, brief: objectOf(rest), finalSchema };
}

/** The parameters of an agent's own tool; none for an agent that says nothing about its brief. */
export function ownToolSchema({
  inputContract,
  allowFinalSchema,
}: SubcontractAgent): Record<string, unknown> | undefined {
  if (!allowFinalSchema) return inputContract && toolSchema(inputContract.jsonSchema);
  const brief = (inputContract?.jsonSchema ?? { type: 'object' }) as { properties?: Record<string, unknown> };
  const properties = { ...brief.properties, [FINAL_SCHEMA]: FINAL_SCHEMA_PARAMETER };
  return toolSchema({ ...brief, properties } as never);
}

/** How a model is told of the contract that it may give. */
export const FINAL_SCHEMA_PARAMETER = {
  type: 'object',
  description:
    'Optional. A JSON Schema that the result of this call must satisfy, instead of the one that the subagent has.',
};

const ARGUMENTS: ReadonlySet<string> = new Set(['subagent', 'task', 'input', FINAL_SCHEMA]);

/** A call of `delegate_task`. What is wrong with it is said in one sentence that its caller's model can act on. */
export function readTaskCall(agents: ReadonlyMap<string, SubcontractAgent>, text: string): TaskCall | RefusedCall {
  const members = readMembers(text);
  if (!members) return refused('its arguments must be one JSON object that names no member twice');
  const given = new Set(Object.keys(members));
  // Names that the model made up are not repeated to it: they may be anything.
  for (const name of given) {
    if (!ARGUMENTS.has(name)) return refused(`its arguments are ${[...ARGUMENTS].join(', ')}, and nothing else`);
  }
  const known = [...agents.keys()].join(', ');
  const name: unknown = JSON.parse(members.subagent ?? 'null');
  if (typeof name !== 'string') return refused(`subagent must be the name of one of: ${known}`);
  const agent = agents.get(name);
  if (!agent) return refused(`there is no subagent of that name; there are: ${known}`);
  if (given.has('task') && given.has('input')) return refused('give it task or input, not both');
  if (!given.has('task') && !given.has('input')) return refused(missing(agent));
  const { task, input, [FINAL_SCHEMA]: finalSchema } = members;
  if (task !== undefined) {
    if (typeof JSON.parse(task) !== 'string') return refused('task must be a text; a typed brief is given as input');
    return { agent, brief: objectOf({ task }), finalSchema };
  }
  const value: unknown = JSON.parse(input ?? 'null');
  if (!isRecord(value)) {
    return refused('input must be a JSON object, not a text that holds one');
  }
  return { agent, brief: input, finalSchema };
}

function missing({ name, inputContract }: SubcontractAgent): string {
  const what = inputContract ? 'input, a brief that satisfies its schema' : 'task, the job in words';
  return `the brief is missing: give ${name} ${what}`;
}

function refused(why: string): RefusedCall {
  return { refusal: `The call was not carried out and no subagent was started: ${why}. Call it again corrected.` };
}

function readMembers(text: string): Record<string, string> | undefined {
  try {
    return membersOf(text.trim() === '' ? '{}' : text);
  } catch (error) {
    if (!(error instanceof SubcontractError) || error.code === 'internal_error') throw error;
    return undefined;
  }
}

function objectOf(members: Record<string, string>): string {
  const parts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${parts.join(',')}}`;
}
