// A contract judging a return while it streams, with the value so far for a page to show.
import { assertText } from './boundary.js';
import type { ContractHandle } from './contract-handle.js';
import type { ReadonlyJson, Rejection, Verdict } from './core.js';
import { SubcontractError } from './errors.js';
import type { StreamSession } from './stream-session.js';
import { LiveValue } from './stream-snapshot.js';

/**
 * What a stream says of the text so far.
 *
 * - `incomplete`: more has to come, or nothing has come yet.
 * - `complete`: the text is a whole JSON value that satisfies the contract. A number at the root never is before the end, for
 *   more digits may follow. By lenient intake a second value may still make it `rejected`.
 * - `rejected`: however the text goes on, it does not satisfy the contract.
 * - `invalid_json`: however the text goes on, it is no JSON.
 */
export type StreamStatus = 'incomplete' | 'complete' | 'rejected' | 'invalid_json';

/**
 * How much may stand around the JSON of a return.
 *
 * - `strict`: white space. For the arguments of a tool call.
 * - `lenient`: prose, one fence, reasoning. For the text of an answer.
 */
export type Intake = 'strict' | 'lenient';

/** How a stream reads its text. */
export interface StreamOptions {
  /** How much may stand around the JSON. Default: `strict`. */
  intake?: Intake;
}

/**
 * A return that streams in. Pieces may be cut anywhere; each costs time in its own length, however much came before it.
 *
 * By lenient intake prose, fences and reasoning never show in the snapshot. A value shows from the character on that makes it
 * one: `{"` of an object, `{` in a block tagged `json`, the first member name or second item of an array. When it turns out to
 * be one of two, the stream is `rejected`, and what was shown stays.
 *
 * A stream that is neither ended nor freed gives its memory back when it is garbage.
 */
export interface ContractStream<T = unknown> {
  /** Reads the next piece. After `rejected` or `invalid_json` it is only kept, for {@link end}. */
  push(delta: string | Uint8Array): StreamStatus;
  /** The status after the last piece. */
  readonly status: StreamStatus;
  /**
   * Why the text was given up, once it is: the first issue that no continuation can mend. A host that stops the child here
   * has its feedback in it; {@link end} would tell of the text that has come, which may be `truncated`.
   */
  readonly rejection: Rejection | undefined;
  /**
   * How much of the text it took to prove that: the length of the shortest beginning that does, in the units of what was
   * pushed, which are UTF-16 units of strings and bytes of bytes. The same however the text was cut.
   */
  readonly rejectedAt: number | undefined;
  /**
   * The verdict on the whole text: that of `readReturn` on it, whatever the pieces were. Nothing can be pushed after, and
   * calling it again gives the same verdict.
   */
  end(options?: { finishReason?: string | undefined }): Verdict<T>;
  /**
   * The value so far: the same object each time, growing; `undefined` before there is one. Strings that are still open are
   * shown; half a member name, number, literal, escape or surrogate pair is not. What is shown never changes otherwise and
   * never goes. It is to be read only, and frozen where it is closed. Since it is changed in place, compare {@link version}.
   */
  snapshot(): ReadonlyJson | undefined;
  /** Goes up with each piece that changes the {@link snapshot}. */
  readonly version: number;
  /**
   * RFC 6901 pointers to what came or grew after a version, in the order of coming; of what is new, without what is in it.
   * `['']`, the whole value, when the version is longer ago than about a thousand changes.
   */
  changedSince(version: number): string[];
  /** Gives the core's memory back; nothing can be pushed after. {@link end} does it too. */
  free(): void;
  /** As `free`, for `using`. */
  [Symbol.dispose](): void;
}

const STATUSES = ['incomplete', 'complete', 'rejected', 'invalid_json'] as const;

/** Pieces of strings are kept one by one up to so many characters. */
const TAIL = 4096;

/** Beyond this no more text is kept: the core refuses it by size. */
const TEXT_LIMIT = 16 << 20;

/**
 * A stream over a contract's handle. It keeps the text: when another call has trapped, and with it the instance that the stream
 * was in, it is read again in the fresh one.
 */
export class LiveStream implements ContractStream {
  readonly #contract: ContractHandle;
  readonly #lenient: boolean;
  #session: StreamSession | undefined;
  /** What was pushed, strings put together to larger ones. */
  readonly #parts: (string | Uint8Array)[] = [];
  /** The strings that were pushed last. */
  #tail = '';
  /** How much of it there is. */
  #pushed = 0;
  /** The first half of a surrogate pair whose second half may come with the next string. */
  #half = '';
  #status: StreamStatus = 'incomplete';
  #rejection: Rejection | undefined;
  #rejectedAt: number | undefined;
  #live: LiveValue | undefined;
  #verdict: Verdict | undefined;
  /** Why nothing can be pushed any more. */
  #closed: SubcontractError | 'ended' | 'freed' | undefined;

  constructor(contract: ContractHandle, lenient = false) {
    this.#contract = contract;
    this.#lenient = lenient;
    this.#session = contract.openStream(lenient);
  }

  get status(): StreamStatus {
    return this.#status;
  }

  get rejection(): Rejection | undefined {
    return this.#rejection;
  }

  get rejectedAt(): number | undefined {
    return this.#rejectedAt;
  }

  push(delta: string | Uint8Array): StreamStatus {
    if (this.#closed !== undefined) throw closedError(this.#closed);
    assertText(delta);
    if (typeof delta === 'string') {
      let text = this.#half + delta;
      this.#half = '';
      if ((text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800) {
        this.#half = text.slice(-1);
        text = text.slice(0, -1);
      }
      if (text.length > 0) this.#send(text);
    } else {
      this.#sendHalf();
      if (delta.length > 0) this.#send(delta);
    }
    return this.#status;
  }

  end({ finishReason }: { finishReason?: string | undefined } = {}): Verdict {
    if (this.#verdict !== undefined) return this.#verdict;
    if (this.#closed !== undefined) throw closedError(this.#closed);
    this.#sendHalf();
    const session = this.#current();
    this.#session = undefined;
    this.#closed = 'ended';
    const reason = finishReason === undefined ? undefined : String(finishReason);
    this.#keepTail();
    this.#verdict = this.#contract.verdictOf(session.end(reason), () => joined(this.#parts));
    return this.#verdict;
  }

  snapshot(): ReadonlyJson | undefined {
    return this.#watched().value;
  }

  get version(): number {
    return this.#watched().version;
  }

  changedSince(version: number): string[] {
    return this.#watched().changedSince(version);
  }

  free(): void {
    this.#closed ??= 'freed';
    const session = this.#session;
    this.#session = undefined;
    // One in an instance that trapped went with it.
    if (session?.isLive) session.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** A half that stayed alone goes out as what it is, an escape. */
  #sendHalf(): void {
    const half = this.#half;
    this.#half = '';
    if (half !== '') this.#send(half);
  }

  #send(piece: string | Uint8Array): void {
    const session = this.#current();
    const before = this.#pushed;
    this.#keep(piece);
    if (this.#rejection !== undefined && this.#pushed > TEXT_LIMIT) return;
    let status: number;
    try {
      status = session.push(piece, this.#live);
    } catch (error) {
      // The piece would trap in the fresh instance as well.
      this.#session = undefined;
      this.#live ??= new LiveValue();
      this.#closed = error as SubcontractError;
      throw error;
    }
    this.#status = STATUSES[status as 0 | 1 | 2 | 3];
    if (status >= 2 && this.#rejection === undefined) {
      this.#rejection = JSON.parse(session.rejection() ?? 'null') as Rejection;
      this.#rejectedAt = before + unitsOf(piece, session.rejectedWithin());
    }
  }

  #keep(piece: string | Uint8Array): void {
    this.#pushed += piece.length;
    if (typeof piece !== 'string') {
      this.#keepTail();
      this.#parts.push(piece.slice());
    } else {
      this.#tail += piece;
      if (this.#tail.length > TAIL) this.#keepTail();
    }
  }

  #keepTail(): void {
    if (this.#tail === '') return;
    // Looking at it makes it one string, and an engine can let go of the pieces.
    this.#tail.charCodeAt(0);
    this.#parts.push(this.#tail);
    this.#tail = '';
  }

  /** The session, opened again if its instance was replaced. */
  #current(): StreamSession {
    const session = this.#session;
    if (session?.isLive) return session;
    this.#session = this.#reopened();
    if (this.#live !== undefined) this.#session.watch(undefined);
    return this.#session;
  }

  #reopened(): StreamSession {
    const session = this.#contract.openStream(this.#lenient);
    this.#keepTail();
    for (const part of this.#parts) session.push(part, undefined);
    return session;
  }

  /** The value so far. It is recorded from the first look on: a stream that nobody looks at pays nothing for it. */
  #watched(): LiveValue {
    if (this.#live !== undefined) return this.#live;
    const live = new LiveValue();
    if (this.#closed === undefined) {
      this.#current().watch(live);
    } else {
      const session = this.#reopened();
      session.watch(live);
      session.free();
    }
    this.#live = live;
    return live;
  }
}

/** Made when it is thrown: an error takes more time than many deltas. */
function closedError(closed: SubcontractError | 'ended' | 'freed'): SubcontractError {
  if (typeof closed !== 'string') return closed;
  const message = closed === 'ended' ? 'this stream has ended' : 'this stream was freed';
  return new SubcontractError(message, { code: `stream_${closed}` });
}

/** How much of a piece the core read. It read an escape of six characters for each lone surrogate. */
function unitsOf(piece: string | Uint8Array, read: number): number {
  if (typeof piece !== 'string') return read;
  let units = 0;
  let escaped = 0;
  for (const character of piece) {
    if (escaped >= read) break;
    const lone = character.length === 1 && (character.charCodeAt(0) & 0xf800) === 0xd800;
    escaped += lone ? 6 : character.length;
    units += character.length;
  }
  return units;
}

/** The whole text of what was pushed. */
function joined(parts: readonly (string | Uint8Array)[]): string {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const texts = parts.map((part) =>
    decoder.decode(typeof part === 'string' ? encoder.encode(part) : part, { stream: true }),
  );
  return texts.join('') + decoder.decode();
}
