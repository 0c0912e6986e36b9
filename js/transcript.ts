// Transcripts: what a child did, recorded from its events, for spans of it to be fetched on demand.
import { joinedEntries } from './transcript-entries.js';
import { Recording } from './transcript-recording.js';
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
      const entries = joinedEntries(before?.entries ?? [], recording.entries);
      await store.save({ ref, threadId, ...(subagent !== undefined && { subagent }), entries });
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
  }
}

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
