// One delegation's transcript: what its child does is kept under its `subagentRunId`, and no store can break the run.
import type { AGUIEvent } from '../ag-ui/events.js';
import { ownerOf } from '../ag-ui/owner.js';
import type { DelegateOptions } from '../delegate.js';
import { type TranscriptKeeping, TranscriptRecorder } from '../transcript.js';

/** Throws a `TypeError` where there is no thread that could ask for what is kept. */
export function assertThread(threadId: string | undefined): void {
  if (threadId !== undefined) return;
  throw new TypeError('transcripts need a threadId: spans of them are for that thread alone');
}

/** Records one child. Its own subagents are recorded by their own delegations. */
export class ChildTranscript {
  /** The handle, once it is saved. */
  readonly ref: string;
  readonly #recorder: TranscriptRecorder;
  readonly #onError: TranscriptKeeping['onError'];
  #kept = false;

  /** Misuse is told here: a store that is none, and a thread that nobody could ask from. */
  static of(
    { transcripts, threadId, resume }: DelegateOptions,
    child: { ref: string; threadId: string },
  ): ChildTranscript | undefined {
    if (transcripts === undefined) return undefined;
    if (resume === undefined) assertThread(threadId);
    return new ChildTranscript(transcripts, child);
  }

  private constructor({ store, onError }: TranscriptKeeping, { ref, threadId }: { ref: string; threadId: string }) {
    if (typeof store?.load !== 'function' || typeof store.save !== 'function') {
      throw new TypeError('transcripts need a store: memoryTranscripts(), or unstorageTranscripts(storage)');
    }
    this.ref = ref;
    this.#onError = onError;
    this.#recorder = new TranscriptRecorder({ store, threadId });
  }

  /** The handle of what is saved, or about to be: there is none once the store has failed. */
  get handle(): string | undefined {
    return this.#kept ? this.ref : undefined;
  }

  /** Takes an event of the run. */
  add(event: AGUIEvent): void {
    if (ownerOf(event) === this.ref) this.#recorder.add(event);
  }

  /** Passes the events of the run on, and takes them. */
  async *record<T>(events: AsyncGenerator<AGUIEvent, T>): AsyncGenerator<AGUIEvent, T> {
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      this.add(next.value);
      yield next.value;
    }
  }

  /** Saves what there is. It does not reject. */
  async save(): Promise<void> {
    this.#kept = true;
    try {
      await this.#recorder.flush();
    } catch (error) {
      this.#kept = false;
      try {
        this.#onError?.(error);
      } catch {
        // As with every observer, what it throws harms nothing.
      }
    }
  }
}
