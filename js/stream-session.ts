// A stream in the compiled core: pieces of text cross in a small buffer that never moves, edits come back as words.
import { type CoreExports, call, faultOf, withInput } from './boundary.js';
import type { Core } from './instance.js';
import { escapeLoneSurrogates } from './json-text.js';
import type { LiveValue } from './stream-snapshot.js';

/** What the core's buffer for pieces holds, in bytes. */
const PIECE = 4096;
/** Up to this many characters a loop beats the encoder. */
const SHORT = 32;
const encoder = /* @__PURE__ */ new TextEncoder();

type RawStream = ReturnType<ReturnType<CoreExports['compile']>['stream']>;

/** So many words of edits stand in the place that the core has for them from the beginning. */
const WORDS = 64;

/** One stream in one instance of the core. */
export class StreamSession {
  #bytes: Uint8Array;
  #words: Uint32Array;
  #most = WORDS;

  constructor(
    private readonly core: Core,
    private readonly instance: CoreExports,
    private readonly raw: RawStream,
    /** Where the instance has its buffer for pieces. */
    private readonly buffer: number,
    /** Where the stream has its words, as long as they are not more than ever before. */
    private words: number,
  ) {
    this.#bytes = new Uint8Array(instance.memory.buffer);
    this.#words = new Uint32Array(instance.memory.buffer);
  }

  /** Whether the instance can still be called. */
  get isLive(): boolean {
    return this.core.instance === this.instance;
  }

  /** Pushes a piece, applies its edits to `live` if that is given, and returns the core's number for the status. */
  push(piece: string | Uint8Array, live: LiveValue | undefined): number {
    const text = typeof piece === 'string';
    let whole = piece;
    let length: number;
    if (text) {
      if (piece.length > SHORT) whole = escapeLoneSurrogates(piece);
      length = this.#writeText(whole as string);
      if (length === LONE) {
        whole = escapeLoneSurrogates(piece);
        length = this.#writeText(whole);
      }
    } else length = this.#writeBytes(piece);
    const answer = length === LARGE ? this.#pushLarge(whole) : this.#pushWritten(length, text);
    const count = answer >>> 2;
    if (count > 0 && live !== undefined) this.#apply(live, count, text ? (whole as string) : '');
    return answer & 3;
  }

  /** As {@link call}, without a function for each piece. */
  #pushWritten(length: number, text: boolean): number {
    try {
      return this.raw.push(length, text);
    } catch (error) {
      throw faultOf(error, this.core);
    }
  }

  #pushLarge(piece: string | Uint8Array): number {
    const text = typeof piece === 'string';
    return this.#call((instance) => withInput(instance, piece, (length) => this.raw.push_input(length, text)));
  }

  /** Edits come from the next piece on. Those up to now are applied to `live`, unless it has them already. */
  watch(live: LiveValue | undefined): void {
    const count = this.#call(() => this.raw.watch());
    if (live !== undefined && count > 0) this.#apply(live, count, '');
  }

  rejection(): string | undefined {
    return this.#call(() => this.raw.rejection());
  }

  /** How much of the last piece it took to give the text up. */
  rejectedWithin(): number {
    return this.#call(() => this.raw.rejected_within());
  }

  /** The verdict as the core gives it. The session is over. */
  end(finishReason: string | undefined): string | undefined {
    return this.#call(() => this.raw.end(finishReason));
  }

  free(): void {
    this.raw.free();
  }

  #call<T>(run: (instance: CoreExports) => T): T {
    return call(run, this.core);
  }

  #apply(live: LiveValue, count: number, piece: string): void {
    if (count > this.#most) {
      this.#most = count;
      this.words = this.#call(() => this.raw.words());
    }
    this.#refresh();
    live.apply(this.#words, this.#bytes, this.words >>> 2, count, piece);
  }

  /** Growing the memory detaches every view of it. */
  #refresh(): void {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(this.instance.memory.buffer);
    this.#words = new Uint32Array(this.instance.memory.buffer);
  }

  /** The bytes written; {@link LARGE} or {@link LONE} when nothing was. */
  #writeText(text: string): number {
    if (text.length * 3 > PIECE) return LARGE;
    this.#refresh();
    if (text.length <= SHORT) return writeShort(text, this.#bytes, this.buffer);
    return encoder.encodeInto(text, this.#bytes.subarray(this.buffer, this.buffer + PIECE)).written;
  }

  #writeBytes(bytes: Uint8Array): number {
    if (bytes.length > PIECE) return LARGE;
    this.#refresh();
    this.#bytes.set(bytes, this.buffer);
    return bytes.length;
  }
}

/** The piece is to go through the input buffer. */
const LARGE = -1;
/** The text has a lone surrogate, which UTF-8 cannot say. */
const LONE = -2;

function writeShort(text: string, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
    } else {
      if ((code & 0xf800) === 0xd800) {
        const low = text.charCodeAt(index + 1);
        if (code >= 0xdc00 || (low & 0xfc00) !== 0xdc00) return LONE;
        index++;
        code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (code >> 12);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at - start;
}
