// Keeps one event stream well formed: everything is opened once, continued by its opener, and closed.
import type { AGUIEvent } from './events.js';

type Owner = string | undefined;

interface Open {
  owner: Owner;
  close(): AGUIEvent;
}

/** How a {@link StreamMender} starts. */
export interface MenderOptions {
  /** Tool calls that an earlier run opened and nobody answered yet: they are not opened again, only answered. */
  pendingToolCalls?: Iterable<string>;
}

/**
 * Mends the events of one run, or of one child.
 *
 * Producers repeat an end, forget a start, or stop in the middle; strict clients refuse the whole stream then. `mend`
 * returns what to send instead of an event: usually the event itself, sometimes nothing, sometimes a missing start or end
 * with it. `*_CHUNK` shorthands are written out, because they only work in a stream that nobody else writes to.
 */
export class StreamMender {
  readonly #open = new Map<string, Open>();
  readonly #owners = new Map<string, Owner>();
  readonly #unanswered: Set<string>;
  readonly #subagents = new Set<string>();
  readonly #chunks = new Map<Owner, { key: string; id: string }>();

  /** A mender for one stream. */
  constructor(options: MenderOptions = {}) {
    this.#unanswered = new Set(options.pendingToolCalls);
  }

  /** What to send instead of `event`. */
  mend(event: AGUIEvent): AGUIEvent[] {
    const out: AGUIEvent[] = [];
    this.#endChunk(event, out);
    this.#pass(event, out);
    return out;
  }

  /** Ends everything that is still open, the innermost first. */
  close(): AGUIEvent[] {
    this.#chunks.clear();
    return this.#closeWhere(() => true);
  }

  /** Whether `toolCallId` was opened by this stream or before it. */
  knowsToolCall(toolCallId: string): boolean {
    return this.#unanswered.has(toolCallId) || this.#owners.has(`call ${toolCallId}`);
  }

  #pass(event: AGUIEvent, out: AGUIEvent[]): void {
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        return this.#start(`text ${event.messageId}`, event, out, (tag) => ({
          type: 'TEXT_MESSAGE_END',
          messageId: event.messageId,
          ...tag,
        }));
      case 'TEXT_MESSAGE_CONTENT': {
        if (event.delta === '') return;
        const key = `text ${event.messageId}`;
        if (!this.#open.has(key)) {
          const { messageId, subagentRunId } = event;
          this.#pass({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...tagOf(subagentRunId) }, out);
        }
        return this.#continue(key, event, out);
      }
      case 'TEXT_MESSAGE_END':
        return this.#end(`text ${event.messageId}`, event, out);
      case 'TOOL_CALL_START':
        return this.#startCall(event, out);
      case 'TOOL_CALL_ARGS':
        if (event.delta === '') return;
        return this.#continue(`call ${event.toolCallId}`, event, out);
      case 'TOOL_CALL_END':
        return this.#end(`call ${event.toolCallId}`, event, out);
      case 'TOOL_CALL_RESULT':
        this.#unanswered.delete(event.toolCallId);
        this.#closeKey(`call ${event.toolCallId}`, out);
        out.push(event);
        return;
      case 'STEP_STARTED':
        return this.#start(stepKey(event), event, out, (tag) => ({
          type: 'STEP_FINISHED',
          stepName: event.stepName,
          ...tag,
        }));
      case 'STEP_FINISHED':
        return this.#end(stepKey(event), event, out);
      case 'REASONING_START':
        return this.#start(`span ${event.messageId}`, event, out, (tag) => ({
          type: 'REASONING_END',
          messageId: event.messageId,
          ...tag,
        }));
      case 'REASONING_MESSAGE_START':
        return this.#start(`reasoning ${event.messageId}`, event, out, (tag) => ({
          type: 'REASONING_MESSAGE_END',
          messageId: event.messageId,
          ...tag,
        }));
      case 'REASONING_MESSAGE_CONTENT': {
        if (event.delta === '') return;
        const key = `reasoning ${event.messageId}`;
        if (!this.#open.has(key)) {
          const { messageId, subagentRunId } = event;
          this.#pass({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning', ...tagOf(subagentRunId) }, out);
        }
        return this.#continue(key, event, out);
      }
      case 'REASONING_MESSAGE_END':
        return this.#end(`reasoning ${event.messageId}`, event, out);
      case 'REASONING_END':
        this.#closeKey(`reasoning ${event.messageId}`, out);
        return this.#end(`span ${event.messageId}`, event, out);
      case 'TEXT_MESSAGE_CHUNK':
      case 'TOOL_CALL_CHUNK':
      case 'REASONING_MESSAGE_CHUNK':
        return this.#chunk(event, out);
      case 'SUBAGENT_STARTED': {
        const { subagentRunId } = event;
        // An id names one invocation: a second start in one run is not to be told from the first.
        if (this.#subagents.has(subagentRunId)) return;
        this.#subagents.add(subagentRunId);
        this.#open.set(`subagent ${subagentRunId}`, {
          owner: event.parentSubagentRunId,
          close: () => ({
            type: 'SUBAGENT_ERROR',
            subagentRunId,
            message: 'the agent that delegated to it ended first',
            code: 'aborted',
          }),
        });
        out.push(event);
        return;
      }
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR': {
        if (!this.#open.has(`subagent ${event.subagentRunId}`)) return;
        out.push(...this.#closeWhere((open) => open.owner === event.subagentRunId));
        this.#open.delete(`subagent ${event.subagentRunId}`);
        out.push(event);
        return;
      }
      default:
        out.push(event);
    }
  }

  #start(key: string, event: AGUIEvent, out: AGUIEvent[], end: (tag: { subagentRunId?: string }) => AGUIEvent): void {
    if (this.#open.has(key)) return;
    // Reopened under another owner, an id would hand one producer's message to the other.
    const owner = this.#owners.has(key) ? this.#owners.get(key) : ownerOf(event);
    this.#owners.set(key, owner);
    this.#open.set(key, { owner, close: () => end(tagOf(owner)) });
    out.push(withOwner(event, owner));
  }

  #startCall(event: Extract<AGUIEvent, { type: 'TOOL_CALL_START' }>, out: AGUIEvent[]): void {
    const { toolCallId } = event;
    // A call that waits for its answer is replayed by some hosts on a resume; a client must not see it twice.
    if (this.#unanswered.has(toolCallId)) return;
    this.#unanswered.add(toolCallId);
    this.#start(`call ${toolCallId}`, event, out, (tag) => ({ type: 'TOOL_CALL_END', toolCallId, ...tag }));
  }

  #continue(key: string, event: AGUIEvent, out: AGUIEvent[]): void {
    const open = this.#open.get(key);
    if (open) out.push(withOwner(event, open.owner));
  }

  #end(key: string, event: AGUIEvent, out: AGUIEvent[]): void {
    this.#continue(key, event, out);
    this.#open.delete(key);
  }

  #chunk(
    event: Extract<AGUIEvent, { type: 'TEXT_MESSAGE_CHUNK' | 'TOOL_CALL_CHUNK' | 'REASONING_MESSAGE_CHUNK' }>,
    out: AGUIEvent[],
  ): void {
    const owner = ownerOf(event);
    const current = this.#chunks.get(owner);
    const id = chunkId(event) ?? current?.id;
    // A first chunk without an id names nothing.
    if (id === undefined) return;
    const rest = { ...tagOf(owner), ...(event.timestamp !== undefined && { timestamp: event.timestamp }) };
    const delta = event.delta ?? '';
    if (event.type === 'TOOL_CALL_CHUNK') {
      const { toolCallName, parentMessageId } = event;
      if (current === undefined && toolCallName === undefined) return;
      if (current === undefined && toolCallName !== undefined) {
        this.#pass({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName, ...(parentMessageId !== undefined && { parentMessageId }), ...rest }, out);
      }
      this.#pass({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta, ...rest }, out);
    } else if (event.type === 'TEXT_MESSAGE_CHUNK') {
      if (current === undefined) {
        this.#pass({ type: 'TEXT_MESSAGE_START', messageId: id, role: event.role ?? 'assistant', ...rest }, out);
      }
      this.#pass({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, ...rest }, out);
    } else {
      this.#pass({ type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta, ...rest }, out);
    }
    this.#chunks.set(owner, { key: chunkKey(event.type, id), id });
  }

  /** A run of chunks ends with the next event of its owner that does not belong to it. */
  #endChunk(event: AGUIEvent, out: AGUIEvent[]): void {
    const owner = ownerOf(event);
    const current = this.#chunks.get(owner);
    if (current === undefined || STANDALONE.has(event.type)) return;
    if (isChunk(event) && chunkKey(event.type, chunkId(event) ?? current.id) === current.key) return;
    this.#chunks.delete(owner);
    this.#closeKey(current.key, out);
  }

  #closeKey(key: string, out: AGUIEvent[]): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    out.push(open.close());
  }

  #closeWhere(which: (open: Open) => boolean): AGUIEvent[] {
    const out: AGUIEvent[] = [];
    for (const [key, open] of [...this.#open].reverse()) {
      if (which(open) && this.#open.delete(key)) {
        if (key.startsWith('subagent ')) {
          const id = key.slice('subagent '.length);
          out.push(...this.#closeWhere((inner) => inner.owner === id));
        }
        out.push(open.close());
      }
    }
    return out;
  }
}

const STANDALONE: ReadonlySet<string> = new Set(['CUSTOM', 'RAW', 'STATE_SNAPSHOT', 'STATE_DELTA']);

type ChunkEvent = Extract<AGUIEvent, { type: 'TEXT_MESSAGE_CHUNK' | 'TOOL_CALL_CHUNK' | 'REASONING_MESSAGE_CHUNK' }>;

function isChunk(event: AGUIEvent): event is ChunkEvent {
  return event.type.endsWith('_CHUNK');
}

function chunkId(event: ChunkEvent): string | undefined {
  return event.type === 'TOOL_CALL_CHUNK' ? event.toolCallId : event.messageId;
}

function chunkKey(type: ChunkEvent['type'], id: string): string {
  if (type === 'TOOL_CALL_CHUNK') return `call ${id}`;
  return type === 'TEXT_MESSAGE_CHUNK' ? `text ${id}` : `reasoning ${id}`;
}

function stepKey(event: Extract<AGUIEvent, { type: 'STEP_STARTED' | 'STEP_FINISHED' }>): string {
  // A subagent may have a step of the same name as its parent's; a step is its owner's alone.
  return `step ${JSON.stringify([event.subagentRunId ?? null, event.stepName])}`;
}

function ownerOf(event: AGUIEvent): Owner {
  return 'subagentRunId' in event ? event.subagentRunId : undefined;
}

function tagOf(owner: Owner): { subagentRunId?: string } {
  return owner === undefined ? {} : { subagentRunId: owner };
}

function withOwner(event: AGUIEvent, owner: Owner): AGUIEvent {
  if (ownerOf(event) === owner) return event;
  const { subagentRunId: _, ...rest } = event as AGUIEvent & { subagentRunId?: string };
  return { ...rest, ...tagOf(owner) } as AGUIEvent;
}
