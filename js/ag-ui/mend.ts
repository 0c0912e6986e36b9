// Keeps one event stream well formed: everything is opened once, continued under its opener's owner, and closed.
import { type Bracket, bracketOf, type ChunkEvent, closerOf, isChunk, openerOf } from './brackets.js';
import type { AGUIEvent, SubagentFinishedEvent } from './events.js';
import { IdClaims, type IdSpace } from './id-claims.js';
import { MessageIds } from './message-ids.js';
import { type Owner, ownerOf, tagOf, withOwner } from './owner.js';

interface Open {
  owner: Owner;
  close(): AGUIEvent;
  /** Of a subagent that is suspended: its end, for as long as nobody knows whether its stream is suspended as well. */
  waits?: SubagentFinishedEvent;
}

/** How a {@link StreamMender} starts. */
export interface MenderOptions {
  /** Whose stream it is: absent for a run, the `subagentRunId` for a child. */
  owner?: string;
  /** Tool calls that an earlier run opened and nobody answered yet: they are not opened again, only answered. */
  pendingToolCalls?: Iterable<string>;
}

/**
 * Mends the events of one run, or of one child.
 *
 * Producers repeat an end, forget a start, or stop in the middle; strict clients refuse the whole stream then. `mend`
 * returns what to send instead of an event: usually the event itself, sometimes nothing, sometimes a missing start or
 * end with it. `*_CHUNK` shorthands are written out, because they only work in a stream that nobody else writes to.
 *
 * Some providers count their tool calls anew in each conversation, so that a child's `call_0` is also its parent's. An id
 * is whose it was first, and the stream's own producer has it in any case: another's is sent as `owner:id`.
 *
 * A message's id names one message, be it text, reasoning, a result or an activity. What comes under the id of one of another
 * kind is sent as `id:text` and the like, and a call that is part of a text follows it.
 */
export class StreamMender {
  readonly #open = new Map<string, Open>();
  readonly #owners = new Map<string, Owner>();
  readonly #unanswered: Set<string>;
  readonly #subagents = new Set<string>();
  /** The chunks under way, by owner. */
  readonly #chunks = new Map<Owner, Bracket>();

  readonly #main: Owner;
  readonly #claims = new IdClaims();
  readonly #messageIds = new MessageIds();

  /** A mender for one stream. */
  constructor(options: MenderOptions = {}) {
    this.#main = options.owner;
    this.#unanswered = new Set(options.pendingToolCalls);
    for (const id of this.#unanswered) this.#claims.take('call', id, this.#main);
  }

  /** The id under which `owner`'s tool call goes out. */
  toolCallId(id: string, owner: string | undefined): string {
    return this.#claims.nameOf('call', id, owner);
  }

  /** A call that nobody will answer any more: its id may be that of another call. */
  drop(toolCallId: string): void {
    this.#unanswered.delete(toolCallId);
  }

  /** What to send instead of `event`. */
  mend(given: AGUIEvent): AGUIEvent[] {
    const out: AGUIEvent[] = [];
    const event = this.#messageIds.settled(this.#renamed(given, out));
    if (isChunk(event)) {
      this.#chunk(event, out);
    } else {
      if (!STANDALONE.has(event.type)) this.#endChunk(ownerOf(event), out);
      this.#pass(event, out);
    }
    return out;
  }

  /** Ends everything that one run of a child left open, the innermost first; its next run may go on with who is suspended. */
  closeRun(): AGUIEvent[] {
    this.#chunks.clear();
    return this.#closeWhere(({ waits }) => waits === undefined);
  }

  /**
   * Ends everything that is still open, the innermost first. `asked`: the interrupts that its producer suspends with. A subagent
   * waits only for what is asked there, or else for nobody: then it has ended.
   */
  close(asked?: ReadonlySet<string>): AGUIEvent[] {
    this.#chunks.clear();
    this.#asked = asked;
    return this.#closeWhere(() => true);
  }

  #asked: ReadonlySet<string> | undefined;

  /** The event under ids that are its owner's. */
  #renamed(event: AGUIEvent, out: AGUIEvent[]): AGUIEvent {
    const owner = ownerOf(event);
    if (owner !== this.#main) return this.#claims.renamed(event, owner);
    this.#takeOver(event, out);
    return event;
  }

  /** What the stream's own producer opens is its own, also where another had the id before. */
  #takeOver(event: AGUIEvent, out: AGUIEvent[]): void {
    const bracket = bracketOf(event);
    const space = bracket && SPACES[bracket.kind];
    if (!bracket || !space) return;
    const mine = this.#claims.isFreeFor(space, bracket.id, this.#main);
    // Going on with what is open is no new thing, and only messages are opened by their content.
    const opens =
      bracket.phase === 'content' && !this.#open.has(bracket.key) && (space === 'message' || isChunk(event));
    if (!mine && bracket.phase !== 'start' && !opens) return;
    this.#claims.take(space, bracket.id, this.#main);
    if (mine) return;
    for (const [kind, named] of Object.entries(SPACES)) {
      if (named !== space) continue;
      this.#closeKey(`${kind} ${bracket.id}`, out);
      this.#owners.delete(`${kind} ${bracket.id}`);
    }
    if (space === 'call') this.#unanswered.delete(bracket.id);
  }

  #pass(event: AGUIEvent, out: AGUIEvent[]): void {
    switch (event.type) {
      case 'TOOL_CALL_RESULT':
        this.#unanswered.delete(event.toolCallId);
        this.#closeKey(`call ${event.toolCallId}`, out);
        out.push(event);
        return;
      case 'SUBAGENT_STARTED':
        this.#startSubagent(event, out);
        return;
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.#endSubagent(event, out);
        return;
      default:
    }
    const bracket = bracketOf(event);
    if (!bracket) out.push(event);
    else if (bracket.phase === 'start') this.#start(bracket, event, out);
    else if (bracket.phase === 'content') this.#content(bracket, event, out);
    else this.#end(bracket, event, out);
  }

  #start(bracket: Bracket, event: AGUIEvent, out: AGUIEvent[]): void {
    const { key, kind, id } = bracket;
    if (this.#open.has(key)) return;
    if (kind === 'call') {
      // A call that waits for its answer is replayed by some hosts on a resume; a client must not see it twice.
      if (this.#unanswered.has(id)) return;
      this.#unanswered.add(id);
    }
    // Reopened under another owner, an id would hand one producer's message to the other.
    // A reasoning span and the message in it may share an id, and then they have one owner.
    const owned = kind === 'span' ? `reasoning ${id}` : key;
    const owner = this.#owners.has(owned) ? this.#owners.get(owned) : ownerOf(event);
    this.#owners.set(owned, owner);
    this.#open.set(key, { owner, close: () => closerOf(bracket, tagOf(owner)) });
    out.push(withOwner(event, owner));
  }

  #content(bracket: Bracket, event: AGUIEvent, out: AGUIEvent[]): void {
    // Clients before 1.0 refuse an empty delta, and nobody misses it.
    if ('delta' in event && event.delta === '') return;
    if (!this.#open.has(bracket.key)) {
      const opener = openerOf(bracket, tagOf(ownerOf(event)));
      if (opener) this.#start(bracket, opener, out);
    }
    const open = this.#open.get(bracket.key);
    if (open) out.push(withOwner(event, open.owner));
  }

  #end({ key, kind, id }: Bracket, event: AGUIEvent, out: AGUIEvent[]): void {
    const open = this.#open.get(key);
    if (!open) return;
    if (kind === 'span') this.#closeKey(`reasoning ${id}`, out);
    this.#open.delete(key);
    out.push(withOwner(event, open.owner));
  }

  #startSubagent(event: Extract<AGUIEvent, { type: 'SUBAGENT_STARTED' }>, out: AGUIEvent[]): void {
    const { subagentRunId } = event;
    // An id names one invocation: a second start in one run cannot be told from the first.
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
  }

  #endSubagent(event: Extract<AGUIEvent, { type: 'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR' }>, out: AGUIEvent[]): void {
    const { subagentRunId } = event;
    const key = SUBAGENT + subagentRunId;
    const open = this.#open.get(key);
    if (!open) return;
    const suspended = event.type === 'SUBAGENT_FINISHED' && event.outcome?.type === 'suspended';
    out.push(...this.#closeWhere(({ owner, waits }) => owner === subagentRunId && !(suspended && waits)));
    if (suspended) {
      open.waits = event;
      return;
    }
    this.#open.delete(key);
    out.push(event);
  }

  #chunk(event: ChunkEvent, out: AGUIEvent[]): void {
    const owner = ownerOf(event);
    const bracket = bracketOf(event, this.#chunks.get(owner));
    if (bracket?.key !== this.#chunks.get(owner)?.key) this.#endChunk(owner, out);
    // A first chunk without an id names nothing.
    if (!bracket) return;
    if (!this.#chunks.has(owner)) {
      const opener = openerOf(bracket, tagOf(owner), event);
      if (!opener) return;
      this.#start(bracket, opener, out);
      this.#chunks.set(owner, bracket);
    }
    const { delta, timestamp } = event;
    if (delta === undefined) return;
    const rest = { delta, ...tagOf(owner), ...(timestamp !== undefined && { timestamp }) };
    const { kind, id } = bracket;
    if (kind === 'call') this.#pass({ type: 'TOOL_CALL_ARGS', toolCallId: id, ...rest }, out);
    else if (kind === 'text') this.#pass({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, ...rest }, out);
    else this.#pass({ type: 'REASONING_MESSAGE_CONTENT', messageId: id, ...rest }, out);
  }

  /** A run of chunks ends with the next event of its owner that does not belong to it. */
  #endChunk(owner: Owner, out: AGUIEvent[]): void {
    const current = this.#chunks.get(owner);
    if (!current) return;
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
      if (!which(open) || !this.#open.delete(key)) continue;
      if (key.startsWith(SUBAGENT)) {
        const id = key.slice(SUBAGENT.length);
        out.push(...this.#closeWhere((inner) => inner.owner === id));
      }
      if (key.startsWith(SPAN)) this.#closeKey(`reasoning ${key.slice(SPAN.length)}`, out);
      out.push(this.#endOf(open));
    }
    return out;
  }

  #endOf({ waits, close }: Open): AGUIEvent {
    if (!waits) return close();
    const { subagentRunId, outcome } = waits;
    const ids = outcome?.type === 'suspended' ? (outcome.interruptIds ?? []) : [];
    const asked = this.#asked;
    if (asked && ids.every((id) => asked.has(id))) return waits;
    const message = 'it waits for an answer, and the agent that delegated to it does not';
    return { type: 'SUBAGENT_ERROR', subagentRunId, message, code: 'aborted' };
  }
}

/** Whose ids the ids of an opened thing are. */
const SPACES: Readonly<Record<string, IdSpace>> = {
  text: 'message',
  // The message in a span ends before it.
  reasoning: 'message',
  span: 'message',
  call: 'call',
};

const SUBAGENT = 'subagent ';
const SPAN = 'span ';

/** Events that say nothing about whether a message goes on. */
const STANDALONE: ReadonlySet<string> = new Set(['CUSTOM', 'RAW', 'STATE_SNAPSHOT', 'STATE_DELTA']);
