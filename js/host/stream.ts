// The child's stream as such a host reads it: its own RUN_* around it, and as its text what the parent's model is to read.
import type { AGUIEvent, Interrupt, RunFinishedEvent } from '../ag-ui/events.js';
import { ownerOf } from '../ag-ui/owner.js';
import type { ResultEnvelope } from '../envelope.js';
import { raisedInterrupts, rebound } from '../raise.js';
import type { HostRunContext } from './context.js';

/**
 * An event of a delegation as the host takes it. The child's own start and end are the host's to tell.
 *
 * The host gives the parent's model the child's text, and in a sequence the next child too. The child's words on the way
 * are therefore sent as reasoning: they are seen, and not handed on in the place of its return.
 */
export function toHost(event: AGUIEvent, subagentRunId: string): AGUIEvent[] {
  if (ownerOf(event) !== subagentRunId) return [event];
  switch (event.type) {
    case 'SUBAGENT_STARTED':
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return [];
    case 'TEXT_MESSAGE_START': {
      const of = { messageId: saidId(event.messageId), subagentRunId };
      return [
        { type: 'REASONING_START', ...of },
        { type: 'REASONING_MESSAGE_START', role: 'reasoning', ...of },
      ];
    }
    case 'TEXT_MESSAGE_CONTENT':
      return [
        { type: 'REASONING_MESSAGE_CONTENT', messageId: saidId(event.messageId), delta: event.delta, subagentRunId },
      ];
    case 'TEXT_MESSAGE_END': {
      const of = { messageId: saidId(event.messageId), subagentRunId };
      return [
        { type: 'REASONING_MESSAGE_END', ...of },
        { type: 'REASONING_END', ...of },
      ];
    }
    default:
      return [event];
  }
}

/** Not the message's own id: a call may name that as the message it is part of, and reasoning has no calls. */
function saidId(messageId: string): string {
  return `${messageId}:said`;
}

/** What the end of a delegation is to the host. */
export interface HostEnd {
  envelope: ResultEnvelope;
  /** What the parent's model is to read. */
  toolResult: string;
}

/** The events that end the child's stream. */
export function* endOf({ envelope, toolResult }: HostEnd, ctx: HostRunContext): Generator<AGUIEvent> {
  const { usage, status, error } = envelope;
  const finished: RunFinishedEvent = { ...runOf(ctx), type: 'RUN_FINISHED', ...(usage && { usage }) };
  switch (status) {
    case 'completed': {
      yield* textEvents(toolResult, `${ctx.runId}:envelope`);
      const result = shortResult(envelope, toolResult);
      yield { ...finished, ...(result !== undefined && { result }) };
      return;
    }
    case 'suspended':
      yield { ...finished, outcome: { type: 'interrupt', interrupts: raised(envelope, ctx.subagentRunId) } };
      return;
    case 'cancelled':
      yield { ...finished, outcome: { type: 'cancelled' } };
      return;
    default:
      // The host reads usage from RUN_FINISHED alone: what a failed child has spent was spent.
      if (usage) yield finished;
      yield failed(error?.code === 'brief_rejected' ? toolResult : (error?.message ?? 'the child failed'), error?.code);
  }
}

/** The thread and the run of the child. */
export function runOf({ threadId, runId }: HostRunContext): { threadId: string; runId: string } {
  return { threadId, runId };
}

/** The end of a child that has failed. */
export function failed(message: string, code: string | undefined): AGUIEvent {
  return { type: 'RUN_ERROR', message, ...(code !== undefined && { code }) };
}

/** One text message. */
export function* textEvents(text: string, messageId: string): Generator<AGUIEvent> {
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
  if (text !== '') yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text };
  yield { type: 'TEXT_MESSAGE_END', messageId };
}

/** How long a string in a result may be: of a longer one TanStack AI's parent model gets a note in its place. */
const LONGEST_STRING = 2048;

/**
 * The result as a value, for hosts that prefer one to the text (TanStack AI from 0.70 on). None where it would not arrive
 * as it was returned: with a string that is too long, or with a number that JavaScript would round.
 */
function shortResult({ flags = [] }: ResultEnvelope, toolResult: string): unknown {
  if (flags.includes('unsafe_integer') || flags.includes('number_out_of_range')) return undefined;
  const result: unknown = JSON.parse(toolResult);
  return hasLongString(result) ? undefined : result;
}

function hasLongString(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONGEST_STRING;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.length > LONGEST_STRING || hasLongString(member));
}

/** The child's interrupts. */
function raised(envelope: ResultEnvelope, subagentRunId: string): Interrupt[] {
  return raisedInterrupts(envelope).map((interrupt) =>
    interrupt.subagentRunId === subagentRunId ? rebound(interrupt) : interrupt,
  );
}
