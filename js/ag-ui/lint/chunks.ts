// Writes chunks out as the starts, contents and ends that they stand for, in the lanes that the specification gives them.

import { type Bracket, bracketOf, type ChunkEvent, closerOf, isChunk } from '../brackets.js';
import type { AGUIEvent } from '../events.js';
import { type Owner, ownerOf, tagOf } from '../owner.js';

/** What is wrong with a chunk: the rule, and the message. */
export interface ChunkProblem {
  rule: 'chunk-incomplete' | 'chunk-conflict' | 'chunk-ambiguous';
  message: string;
}

/** What an event stands for. */
export interface Expansion {
  events: { event: AGUIEvent; chunked: boolean }[];
  problem?: ChunkProblem;
}

interface Open extends Bracket {
  lane: Owner;
  /** What the first chunk established, by omission too. */
  established: Readonly<Record<string, unknown>>;
}

/** Events that stand aside from a chunk under way. */
const ASIDE: ReadonlySet<string> = new Set([
  'RAW',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'REASONING_ENCRYPTED_VALUE',
  'SUBAGENT_STARTED',
]);
const RUN_LEVEL: ReadonlySet<string> = new Set(['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'MESSAGES_SNAPSHOT']);

/** Expands the chunks of one stream. */
export class Chunks {
  readonly #lanes = new Map<Owner, Open>();
  readonly #byKey = new Map<string, Open>();
  readonly #byKind = new Map<string, Set<Open>>();

  /** The events that `event` stands for, ends of chunks before it included. */
  expand(event: AGUIEvent): Expansion {
    const events: Expansion['events'] = [];
    if (isChunk(event)) {
      const problem = this.#chunk(event, events);
      return { events, ...(problem && { problem }) };
    }
    if (!ASIDE.has(event.type) && this.#lanes.size > 0) this.#closeFor(event, events);
    events.push({ event, chunked: false });
    return { events };
  }

  #chunk(chunk: ChunkEvent, events: Expansion['events']): ChunkProblem | undefined {
    const kind = KINDS[chunk.type];
    const id = 'toolCallId' in chunk ? chunk.toolCallId : 'messageId' in chunk ? chunk.messageId : undefined;
    const tag = chunk.subagentRunId;
    let open: Open | undefined;
    if (id !== undefined) {
      open = this.#byKey.get(`${kind} ${id}`);
      if (open && tag !== undefined && open.lane !== tag) {
        return { rule: 'chunk-conflict', message: `${chunk.type} goes on with ${id} under another owner` };
      }
    } else if (tag !== undefined) {
      open = this.#lanes.get(tag);
      if (open?.kind !== kind) open = undefined;
    } else {
      const parents = this.#lanes.get(undefined);
      const all = this.#byKind.get(kind);
      if (parents?.kind === kind) open = parents;
      else if (all && all.size > 1) {
        return { rule: 'chunk-ambiguous', message: `${chunk.type} could go on with any of ${all.size} open ones` };
      } else [open] = all ?? [];
    }
    if (open) {
      const conflict = conflictOf(open, chunk);
      if (conflict) return { rule: 'chunk-conflict', message: conflict };
    } else {
      const missing = id === undefined ? (kind === 'call' ? 'toolCallId' : 'messageId') : missingName(chunk);
      if (missing) return { rule: 'chunk-incomplete', message: `the first ${chunk.type} has no ${missing}` };
      open = this.#open(chunk, kind, id as string, events);
    }
    if (chunk.delta !== undefined) events.push({ event: contentOf(open, chunk, chunk.delta), chunked: true });
    return undefined;
  }

  #open(chunk: ChunkEvent, kind: Open['kind'], id: string, events: Expansion['events']): Open {
    const lane = chunk.subagentRunId;
    this.#close(this.#lanes.get(lane), events);
    const open: Open = { kind, id, key: `${kind} ${id}`, phase: 'start', lane, established: establishedBy(chunk) };
    this.#lanes.set(lane, open);
    this.#byKey.set(open.key, open);
    const all = this.#byKind.get(kind);
    if (all) all.add(open);
    else this.#byKind.set(kind, new Set([open]));
    events.push({ event: startOf(open, chunk), chunked: true });
    return open;
  }

  #closeFor(event: AGUIEvent, events: Expansion['events']): void {
    if (RUN_LEVEL.has(event.type)) {
      for (const open of [...this.#lanes.values()]) this.#close(open, events);
      return;
    }
    const named = bracketOf(event);
    if (named) this.#close(this.#byKey.get(named.key), events);
    this.#close(this.#lanes.get(ownerOf(event)), events);
  }

  #close(open: Open | undefined, events: Expansion['events']): void {
    if (!open || this.#byKey.get(open.key) !== open) return;
    this.#lanes.delete(open.lane);
    this.#byKey.delete(open.key);
    this.#byKind.get(open.kind)?.delete(open);
    events.push({ event: closerOf(open, tagOf(open.lane)), chunked: true });
  }
}

const KINDS = {
  TEXT_MESSAGE_CHUNK: 'text',
  TOOL_CALL_CHUNK: 'call',
  REASONING_MESSAGE_CHUNK: 'reasoning',
} as const;

function missingName(chunk: ChunkEvent): string | undefined {
  return chunk.type === 'TOOL_CALL_CHUNK' && chunk.toolCallName === undefined ? 'toolCallName' : undefined;
}

function establishedBy(chunk: ChunkEvent): Record<string, unknown> {
  switch (chunk.type) {
    case 'TEXT_MESSAGE_CHUNK':
      return { role: chunk.role ?? 'assistant', name: chunk.name };
    case 'TOOL_CALL_CHUNK':
      return { toolCallName: chunk.toolCallName, parentMessageId: chunk.parentMessageId };
    default:
      return {};
  }
}

function conflictOf(open: Open, chunk: ChunkEvent): string | undefined {
  for (const [field, established] of Object.entries(open.established)) {
    const repeated = (chunk as unknown as Record<string, unknown>)[field];
    if (repeated !== undefined && repeated !== established) {
      return `${chunk.type} goes on with ${open.id} under another ${field}`;
    }
  }
  return undefined;
}

function startOf(open: Open, chunk: ChunkEvent): AGUIEvent {
  const tag = tagOf(open.lane);
  switch (chunk.type) {
    case 'TEXT_MESSAGE_CHUNK': {
      const name = chunk.name === undefined ? {} : { name: chunk.name };
      return { type: 'TEXT_MESSAGE_START', messageId: open.id, role: chunk.role ?? 'assistant', ...name, ...tag };
    }
    case 'TOOL_CALL_CHUNK': {
      const { toolCallName = '', parentMessageId } = chunk;
      const within = parentMessageId === undefined ? {} : { parentMessageId };
      return { type: 'TOOL_CALL_START', toolCallId: open.id, toolCallName, ...within, ...tag };
    }
    default:
      return { type: 'REASONING_MESSAGE_START', messageId: open.id, role: 'reasoning', ...tag };
  }
}

function contentOf(open: Open, chunk: ChunkEvent, delta: string): AGUIEvent {
  const tag = tagOf(open.lane);
  switch (chunk.type) {
    case 'TEXT_MESSAGE_CHUNK':
      return { type: 'TEXT_MESSAGE_CONTENT', messageId: open.id, delta, ...tag };
    case 'TOOL_CALL_CHUNK':
      return { type: 'TOOL_CALL_ARGS', toolCallId: open.id, delta, ...tag };
    default:
      return { type: 'REASONING_MESSAGE_CONTENT', messageId: open.id, delta, ...tag };
  }
}
