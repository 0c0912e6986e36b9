// The brief in a delegating call's arguments.
import type { ReadonlyJson } from '../core.js';
import type { CardAgent } from './agents.js';
import type { CardBrief } from './card.js';
import { jsonText } from './value-text.js';

/** What a delegating call says. */
export interface DelegatingCall {
  brief: CardBrief;
  /** The agent that a call of `delegate_task` names. */
  subagent?: string;
  /** The contract that the call brought along. */
  finalSchema?: unknown;
}

const TASK_TOOL = 'delegate_task';
const FINAL_SCHEMA = 'final_schema';

/** Reads the arguments of a call of `toolName`; `agent` says whether an agent's own tool takes a contract. */
export function readDelegatingCall(
  toolName: string | undefined,
  text: string,
  agent: (name: string) => CardAgent | undefined,
): DelegatingCall {
  const value = parsed(text);
  if (!isObject(value)) return { brief: value === undefined ? { text } : { text, value } };
  if (toolName === TASK_TOOL && typeof value.subagent === 'string') {
    const { subagent, task, input = task === undefined ? {} : { task }, [FINAL_SCHEMA]: finalSchema } = value;
    return { brief: briefOf(input), subagent, ...(finalSchema !== undefined && { finalSchema }) };
  }
  if (toolName !== undefined && agent(toolName)?.allowFinalSchema && Object.hasOwn(value, FINAL_SCHEMA)) {
    const { [FINAL_SCHEMA]: finalSchema, ...rest } = value;
    return { brief: briefOf(rest), finalSchema };
  }
  return { brief: { text, value } };
}

/** Whether a tool of this name delegates to a subagent. */
export function delegates(toolName: string, agent: (name: string) => CardAgent | undefined): boolean {
  return toolName === TASK_TOOL || agent(toolName) !== undefined;
}

function briefOf(value: ReadonlyJson): CardBrief {
  return { text: jsonText(value), value };
}

function parsed(text: string): ReadonlyJson | undefined {
  try {
    return JSON.parse(text) as ReadonlyJson;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly [name: string]: ReadonlyJson } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
