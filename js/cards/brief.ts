// The brief in a delegating call's arguments.
import type { ReadonlyJson } from '../core.js';
import { FINAL_SCHEMA } from '../define-agent.js';
import { parsedJson } from '../json-text.js';
import { isRecord } from '../wire.js';
import type { KnownAgents } from './agents.js';
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

/** Reads the arguments of a call of `toolName`. */
export function readDelegatingCall(toolName: string, text: string, agents: KnownAgents): DelegatingCall {
  const value = parsedJson(text);
  if (!isRecord(value)) return { brief: value === undefined ? { text } : { text, value: value as ReadonlyJson } };
  const { [FINAL_SCHEMA]: finalSchema, ...rest } = value;
  if (toolName === TASK_TOOL && typeof rest.subagent === 'string') {
    const { subagent, task, input = task === undefined ? {} : { task } } = rest;
    return { brief: briefOf(input), subagent, finalSchema };
  }
  if (finalSchema !== undefined && agents.get(toolName)?.allowFinalSchema) return { brief: briefOf(rest), finalSchema };
  return { brief: { text, value: value as ReadonlyJson } };
}

/** Whether a tool of this name delegates to a subagent. */
export function delegates(toolName: string, agents: KnownAgents): boolean {
  return toolName === TASK_TOOL || agents.get(toolName) !== undefined;
}

function briefOf(value: unknown): CardBrief {
  return { text: jsonText(value), value: value as ReadonlyJson };
}
