// The calls that a router's pick stands for in the thread, and what of the pick their ids say: a client replays them as they are.
import type { ModelMessage, ToolCall } from '@tanstack/ai';
import { earlierMessage } from '../earlier.js';
import type { Order } from '../router-picks.js';

/** Where a call stands in the plan of its turn. */
export interface Place {
  /** The same for all calls of a turn. */
  plan: string;
  /** From 0. */
  step: number;
  order: Order;
  /** From 0, in its step. */
  index: number;
}

/** Letters that every provider takes in an id, and no more of them than the strictest: the thread may go on without a router. */
const ID = /^(route-[0-9a-f]{16})-(\d+)([ps])(\d+)$/;

/** A name for a new plan. */
export function newPlan(): string {
  return `route-${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

/** The id of the call at this place. */
export function routedId({ plan, step, order, index }: Place): string {
  return `${plan}-${step}${order === 'parallel' ? 'p' : 's'}${index}`;
}

/** Where a call stands, if a router made it. */
export function placeOf(toolCallId: string | undefined): Place | undefined {
  const [, plan, step, order, index] = ID.exec(toolCallId ?? '') ?? [];
  if (plan === undefined) return undefined;
  return { plan, step: Number(step), order: order === 'p' ? 'parallel' : 'sequence', index: Number(index) };
}

/** Whether the first comes before the second: the second starts when the first has ended, and reads what it came to. */
export function precedes(first: Place | undefined, second: Place | undefined): boolean {
  if (!first || !second || first.plan !== second.plan) return false;
  if (first.step !== second.step) return first.step < second.step;
  return second.order === 'sequence' && first.index < second.index;
}

/** The calls that start at the same time as this one. */
export function abreast(calls: readonly ToolCall[], call: ToolCall): ToolCall[] {
  const place = placeOf(call.id);
  return calls.filter(({ id }) => {
    const other = placeOf(id);
    return id === call.id || (place?.order === 'parallel' && other?.plan === place.plan && other.step === place.step);
  });
}

/** The messages of the turn that the last message of a user opened. */
export function turnIn(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}

/** Whether a router has given this turn to children. */
export function isRouted(turn: readonly ModelMessage[]): boolean {
  return turn.some(({ toolCalls }) => toolCalls?.some(({ id }) => placeOf(id) !== undefined));
}

/**
 * What a model reads in place of the calls of a router: what the children came to, as one message of material. It made no such
 * calls itself, and providers refuse calls of tools that it does not have.
 */
export function withoutCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  const agents = new Map<string, string>();
  const out: ModelMessage[] = [];
  let results: { subagent: string; rendered: string }[] = [];
  const flush = () => {
    const material = earlierMessage(results);
    if (material) out.push({ role: 'user', content: material.content ?? '' });
    results = [];
  };
  for (const message of messages) {
    const { role, toolCallId, toolCalls, content } = message;
    const subagent = role === 'tool' ? agents.get(toolCallId ?? '') : undefined;
    if (subagent !== undefined) {
      results.push({ subagent, rendered: typeof content === 'string' ? content : JSON.stringify(content) });
      continue;
    }
    flush();
    const routed = toolCalls?.filter(({ id }) => placeOf(id) !== undefined) ?? [];
    for (const { id, function: called } of routed) agents.set(id, called.name);
    if (routed.length === 0) out.push(message);
    else if (content?.length) {
      const { toolCalls: _calls, ...text } = message;
      out.push(text);
    }
  }
  flush();
  return out;
}
