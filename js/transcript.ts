// Transcripts: what a child did, recorded from its events, for spans of it to be fetched on demand.
import type { TranscriptStore } from './transcript-store.js';

/** One tool call of a child. */
export interface TranscriptCall {
  type: 'call';
  /** As the child's model gave it; a model that counts its calls anew gives an id again, and the second is `<id>#2`. */
  id: string;
  name: string;
  /** The arguments' text. */
  args: string;
  /** The result's text; absent while there is none. */
  result?: string;
}

/** What a child said. */
export interface TranscriptText {
  type: 'text';
  text: string;
}

/** A child's full record. */
export interface Transcript {
  /** The handle: the child's `subagentRunId`, which is the envelope's `run_id`. */
  ref: string;
  threadId: string;
  subagent?: string;
  entries: (TranscriptCall | TranscriptText)[];
}

/** That a delegation keeps its child's transcript, and where. */
export interface TranscriptKeeping {
  store: TranscriptStore;
  /** Hears when the store fails. The delegation goes on, and its envelope has no `transcript_ref`. */
  onError?(error: unknown): void;
}

/** How transcripts are recorded. */
export interface RecordOptions {
  store: TranscriptStore;
  /** Whose transcripts these are: a span is handed to the same thread only. */
  threadId: string;
  /** What to do when the store fails. Default: the stream fails with its error. */
  onError?(error: unknown): void;
}

/**
 * Passes a stream of AG-UI events on, a delegation's or a whole run's, and records in it every child under its
 * `subagentRunId`. A transcript is saved before the event that ends its child is passed on; that of a child that is resumed goes
 * on where it was.
 */
export async function* recordTranscripts<E extends { readonly type: string }>(
  events: AsyncIterable<E>,
  options: RecordOptions,
): AsyncGenerator<E, undefined> {
  const recorder = new TranscriptRecorder(options);
  let failed = false;
  try {
    for await (const event of events) {
      await recorder.push(event);
      yield event;
    }
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // What ended the stream says more than a store that fails as well.
    await recorder.flush().catch((error: unknown) => {
      if (!failed) throw error;
    });
  }
  return undefined;
}

/** Records children from the events that it is given; {@link recordTranscripts} for a host that holds the stream itself. */
export class TranscriptRecorder {
  readonly #options: RecordOptions;
  readonly #open = new Map<string, Recording>();

  /** @throws TypeError without a thread: a span is handed to the same one only. */
  constructor(options: RecordOptions) {
    if (typeof options.threadId !== 'string')
      throw new TypeError('threadId must be a string: it says whose transcripts these are');
    this.#options = options;
  }

  /**
   * Takes the next event, whatever it is: what is no event of a child's passes by. Resolves when what it ends is saved, and
   * rejects only with what the store says.
   */
  async push(event: unknown): Promise<void> {
    const id = this.add(event);
    if (id === undefined) return;
    const recording = this.#open.get(id);
    if (recording?.ended) await this.#save(id, recording);
  }

  /** Takes the next event without saving what it ends. Gives the id of the child that it is of. */
  add(event: unknown): string | undefined {
    const member = membersOf(event);
    const id = member('subagentRunId');
    if (typeof id !== 'string') return undefined;
    let recording = this.#open.get(id);
    if (recording === undefined) {
      recording = new Recording(id);
      this.#open.set(id, recording);
    }
    recording.add(member);
    return id;
  }

  /** Saves what has not ended. Where the store fails the others are saved still, and it rejects with the first failure. */
  async flush(): Promise<void> {
    const saves = await Promise.allSettled([...this.#open].map(([id, recording]) => this.#save(id, recording)));
    const failed = saves.find((save) => save.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #save(ref: string, recording: Recording): Promise<void> {
    const { store, threadId, onError } = this.#options;
    this.#open.delete(ref);
    try {
      const before = await store.load(ref);
      if (before && before.threadId !== threadId) {
        throw new Error(`the transcript ${JSON.stringify(ref)} is another thread's`);
      }
      const subagent = recording.subagent ?? before?.subagent;
      const entries = joined(before?.entries ?? [], recording.entries);
      await store.save({ ref, threadId, ...(subagent !== undefined && { subagent }), entries });
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
  }
}

/** A text in an event: nothing where there is no such member, or it is no text. */
type ReadText = (name: string) => string | undefined;

/** The members of an event, which may come from anywhere: a getter that throws has no value. */
function membersOf(event: unknown): (name: string) => unknown {
  return (name) => {
    try {
      return (event as Record<string, unknown> | null | undefined)?.[name];
    } catch {
      return undefined;
    }
  };
}

/** One child's events as entries. */
class Recording {
  subagent: string | undefined;
  /** Whether the child's end was among them. */
  ended = false;
  readonly entries: (TranscriptCall | TranscriptText)[] = [];
  readonly #ref: string;
  /** The latest under each id; several entries may share one until they are saved. */
  readonly #calls = new Map<string, TranscriptCall>();
  readonly #texts = new Map<string, TranscriptText>();
  /** What a chunk without an id goes on with. */
  #lastCall: string | undefined;
  #lastText: string | undefined;

  constructor(ref: string) {
    this.#ref = ref;
  }

  /** Takes an event. One that lacks what its type needs says nothing. */
  add(member: (name: string) => unknown): void {
    const text: ReadText = (name) => {
      const value = member(name);
      return typeof value === 'string' ? value : undefined;
    };
    const type = text('type');
    switch (type) {
      case 'SUBAGENT_STARTED':
        this.subagent = text('name') ?? this.subagent;
        break;
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.ended = true;
        break;
      case 'TEXT_MESSAGE_START':
      case 'TEXT_MESSAGE_CONTENT':
      case 'TEXT_MESSAGE_CHUNK':
        this.#addText(type, text);
        break;
      case 'TOOL_CALL_START':
      case 'TOOL_CALL_ARGS':
      case 'TOOL_CALL_CHUNK':
        this.#addCall(type, text);
        break;
      case 'TOOL_CALL_RESULT': {
        const id = text('toolCallId');
        if (id !== undefined) this.#call(id).result = textOf(member('content'));
        break;
      }
    }
  }

  #addText(type: string, text: ReadText): void {
    const chunk = type === 'TEXT_MESSAGE_CHUNK';
    const id = text('messageId') ?? (chunk ? this.#lastText : undefined);
    if (id === undefined) return;
    if (chunk) this.#lastText = id;
    if (type === 'TEXT_MESSAGE_START') this.#texts.delete(id);
    const delta = text('delta');
    if (delta) this.#text(id).text += delta;
  }

  #addCall(type: string, text: ReadText): void {
    const chunk = type === 'TOOL_CALL_CHUNK';
    const wireId = text('toolCallId') ?? (chunk ? this.#lastCall : undefined);
    if (wireId === undefined) return;
    if (chunk) this.#lastCall = wireId;
    const id = ownId(wireId, this.#ref);
    const name = text('toolCallName');
    // A child that is run again may count its calls, and its messages, from the start.
    const again = chunk ? Boolean(name) && this.#calls.get(id)?.result !== undefined : type === 'TOOL_CALL_START';
    if (again) this.#calls.delete(id);
    const call = this.#call(wireId);
    call.name = name ?? call.name;
    call.args += text('delta') ?? '';
  }

  #call(wireId: string): TranscriptCall {
    const id = ownId(wireId, this.#ref);
    let call = this.#calls.get(id);
    if (call === undefined) {
      call = { type: 'call', id, name: '', args: '' };
      this.#calls.set(id, call);
      this.entries.push(call);
    }
    return call;
  }

  #text(id: string): TranscriptText {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = { type: 'text', text: '' };
      this.#texts.set(id, text);
      this.entries.push(text);
    }
    return text;
  }
}

/** A child's call by the id that its model gave it: on the wire it is made its own with the child's in front. */
export function ownId(wireId: string, ref: string): string {
  return wireId.startsWith(`${ref}:`) ? wireId.slice(ref.length + 1) : wireId;
}

/** The ids of the calls of one transcript. */
class Ids {
  /** How often each was asked for. */
  readonly #taken = new Map<string, number>();

  /** `id`, or with a number what no call before has; it is taken then. */
  free(id: string): string {
    let count = this.#taken.get(id) ?? 0;
    let free: string;
    do {
      count += 1;
      free = count === 1 ? id : `${id}#${count}`;
    } while (free !== id && this.#taken.has(free));
    this.#taken.set(id, count);
    if (free !== id) this.#taken.set(free, 1);
    return free;
  }
}

/** What came later after what was there; a call that was waiting for its result gets it. */
function joined(before: Transcript['entries'], later: Transcript['entries']): Transcript['entries'] {
  const entries = [...before];
  const ids = new Ids();
  /** Where the latest call is to which the child's model gave an id. */
  const latest = new Map<string, number>();
  for (const [at, entry] of before.entries()) {
    if (entry.type !== 'call') continue;
    const given = entry.id.replace(/#\d+$/, '');
    latest.set(latest.has(given) ? given : entry.id, at);
    ids.free(entry.id);
  }
  const came = new Set<string>();
  for (const entry of later) {
    if (entry.type !== 'call') {
      entries.push(entry);
      continue;
    }
    const at = latest.get(entry.id) ?? entries.length;
    const waiting = entries[at];
    // A call that has its result and is made again is another one.
    const again = came.has(entry.id) || (waiting?.type === 'call' && waiting.result !== undefined && entry.name !== '');
    came.add(entry.id);
    if (waiting?.type !== 'call' || again) {
      latest.set(entry.id, entries.length);
      entries.push({ ...entry, id: ids.free(entry.id) });
      continue;
    }
    const result = entry.result ?? waiting.result;
    entries[at] = {
      ...waiting,
      name: entry.name || waiting.name,
      args: entry.args || waiting.args,
      ...(result !== undefined && { result }),
    };
  }
  return entries;
}

/** A result's text; content parts that are no text are named by their type, and what JSON cannot write by what it is. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  try {
    if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
    return content
      .map((part: { type?: unknown; text?: unknown } | null | undefined) =>
        typeof part?.text === 'string' ? part.text : `[${String(part?.type)}]`,
      )
      .join('\n');
  } catch {
    return `[${typeof content}]`;
  }
}
