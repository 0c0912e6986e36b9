// What an event stream opens and closes: messages, tool calls, steps and reasoning, each with its start and its end.
import type { AGUIEvent } from './events.js';
import { ownerOf } from './owner.js';

/** The kinds of thing that are opened and closed. A reasoning span and the message in it may share an id. */
export type BracketKind = 'text' | 'call' | 'step' | 'span' | 'reasoning';

/** The thing an event opens, goes on with, or closes. */
export interface Bracket {
  kind: BracketKind;
  /** Unique among the open things of a stream. */
  key: string;
  id: string;
  phase: 'start' | 'content' | 'end';
}

/** The shorthand events. */
export type ChunkEvent = Extract<
  AGUIEvent,
  { type: 'TEXT_MESSAGE_CHUNK' | 'TOOL_CALL_CHUNK' | 'REASONING_MESSAGE_CHUNK' }
>;

const BRACKETS: { readonly [T in AGUIEvent['type']]?: readonly [BracketKind, Bracket['phase']] } = {
  TEXT_MESSAGE_START: ['text', 'start'],
  TEXT_MESSAGE_CONTENT: ['text', 'content'],
  TEXT_MESSAGE_END: ['text', 'end'],
  TEXT_MESSAGE_CHUNK: ['text', 'content'],
  TOOL_CALL_START: ['call', 'start'],
  TOOL_CALL_ARGS: ['call', 'content'],
  TOOL_CALL_END: ['call', 'end'],
  TOOL_CALL_CHUNK: ['call', 'content'],
  STEP_STARTED: ['step', 'start'],
  STEP_FINISHED: ['step', 'end'],
  REASONING_START: ['span', 'start'],
  REASONING_END: ['span', 'end'],
  REASONING_MESSAGE_START: ['reasoning', 'start'],
  REASONING_MESSAGE_CONTENT: ['reasoning', 'content'],
  REASONING_MESSAGE_END: ['reasoning', 'end'],
  REASONING_MESSAGE_CHUNK: ['reasoning', 'content'],
};

/** Whether an event is one of the shorthands. */
export function isChunk(event: AGUIEvent): event is ChunkEvent {
  return event.type.endsWith('_CHUNK');
}

/** What an event opens, goes on with or closes; a chunk without an id goes on with `current`. */
export function bracketOf(event: AGUIEvent, current?: Bracket): Bracket | undefined {
  const bracket = BRACKETS[event.type];
  if (!bracket) return undefined;
  const [kind, phase] = bracket;
  const id = idOf(event) ?? (current?.kind === kind ? current.id : undefined);
  if (id === undefined) return undefined;
  // A subagent may have a step of the same name as its parent's: a step is its owner's alone.
  const owner = kind === 'step' ? ownerOf(event) : undefined;
  const key = owner === undefined ? `${kind} ${id}` : `${kind} ${JSON.stringify([owner, id])}`;
  return { kind, key, id, phase };
}

function idOf(event: AGUIEvent): string | undefined {
  if ('toolCallId' in event) return event.toolCallId;
  if ('stepName' in event) return event.stepName;
  return 'messageId' in event ? event.messageId : undefined;
}

/** The missing start of something; none for a tool call whose name nobody said. */
export function openerOf(
  { kind, id }: Bracket,
  tag: { subagentRunId?: string },
  chunk?: ChunkEvent,
): AGUIEvent | undefined {
  const at = chunk?.timestamp === undefined ? tag : { ...tag, timestamp: chunk.timestamp };
  switch (kind) {
    case 'text': {
      const role = chunk?.type === 'TEXT_MESSAGE_CHUNK' ? chunk.role : undefined;
      return { type: 'TEXT_MESSAGE_START', messageId: id, role: role ?? 'assistant', ...at };
    }
    case 'reasoning':
      return { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning', ...at };
    case 'call': {
      if (chunk?.type !== 'TOOL_CALL_CHUNK' || chunk.toolCallName === undefined) return undefined;
      const { toolCallName, parentMessageId } = chunk;
      const within = parentMessageId === undefined ? {} : { parentMessageId };
      return { type: 'TOOL_CALL_START', toolCallId: id, toolCallName, ...within, ...at };
    }
    default:
      return undefined;
  }
}

/** The missing end of something. */
export function closerOf({ kind, id }: Bracket, tag: { subagentRunId?: string }): AGUIEvent {
  switch (kind) {
    case 'text':
      return { type: 'TEXT_MESSAGE_END', messageId: id, ...tag };
    case 'call':
      return { type: 'TOOL_CALL_END', toolCallId: id, ...tag };
    case 'step':
      return { type: 'STEP_FINISHED', stepName: id, ...tag };
    case 'span':
      return { type: 'REASONING_END', messageId: id, ...tag };
    default:
      return { type: 'REASONING_MESSAGE_END', messageId: id, ...tag };
  }
}
