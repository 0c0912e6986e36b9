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
  /**
   * Whether the core is in a string that plain text only lengthens: it need not be told of that before something else comes. This
   * is where most of a return is, and the crossing takes more time than the text.
   */
  #inText = false;
  /** How much text stands in the buffer that it has not been told of, in bytes and in UTF-16 units. */
  #heldBytes = 0;
  #held = 0;
  /** How much of what was sent last had been held back. */
  #shown = 0;

  constructor(
    private readonly core: Core,
    private readonly instance: CoreExports,
    private readonly raw: RawStream,
    /** Where the stream has its buffer for pieces. */
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
    if (typeof piece !== 'string') {
      this.#sendHeld();
      return this.#answered(this.#pushBytes(piece), live, '');
    }
    if (this.#heldBytes + piece.length * 3 > PIECE) this.#sendHeld();
    let text = piece;
    let length = this.#writeText(text);
    if (length === LONE) {
      this.#sendHeld();
      text = escapeLoneSurrogates(piece);
      length = this.#writeText(text);
    }
    if (length === LARGE) return this.#answered(this.#pushLarge(text), live, text);
    if (this.#inText && isPlain(this.#bytes, this.buffer + this.#heldBytes, length)) {
      this.#heldBytes += length;
      this.#held += text.length;
      live?.grow(text);
      return INCOMPLETE;
    }
    return this.#answered(this.#pushWritten(length, true), live, text);
  }

  /** Takes the core's answer to a piece apart: what `live` does not know yet is in `text`. */
  #answered(answer: number, live: LiveValue | undefined, text: string): number {
    this.#inText = (answer & 4) !== 0;
    const count = answer >>> 3;
    if (count > 0 && live !== undefined) this.#apply(live, count, text);
    return answer & 3;
  }

  /** What is held back already shows. */
  #sendHeld(): void {
    if (this.#heldBytes > 0) this.#answered(this.#pushWritten(0, true), undefined, '');
    this.#shown = 0;
  }

  /** Pushes what stands in the buffer: what was held back, and so many bytes after it. */
  #pushWritten(length: number, text: boolean): number {
    const written = this.#heldBytes + length;
    this.#shown = this.#held;
    this.#heldBytes = 0;
    this.#held = 0;
    // As `call`, without a function for each piece.
    try {
      return this.raw.push(written, text);
    } catch (error) {
      throw faultOf(error, this.core);
    }
  }

  #pushBytes(bytes: Uint8Array): number {
    if (bytes.length > PIECE) return this.#pushLarge(bytes);
    this.#refresh();
    this.#bytes.set(bytes, this.buffer);
    return this.#pushWritten(bytes.length, false);
  }

  #pushLarge(piece: string | Uint8Array): number {
    const text = typeof piece === 'string';
    return this.#call((instance) => withInput(instance, piece, (length) => this.raw.push_input(length, text)));
  }

  /** Edits come from the next piece on. Those up to now are applied to `live`, unless it has them already. */
  watch(live: LiveValue | undefined): void {
    this.#sendHeld();
    const count = this.#call(() => this.raw.watch());
    if (live !== undefined && count > 0) this.#apply(live, count, '');
  }

  rejection(): string | undefined {
    return this.#call(() => this.raw.rejection());
  }

  /** How much of the last piece it took to give the text up. */
  rejectedWithin(): number {
    return this.#call(() => this.raw.rejected_within()) - this.#shown;
  }

  /** The verdict as the core gives it. The session is over. */
  end(finishReason: string | undefined): string | undefined {
    this.#sendHeld();
    return this.#call(() => this.raw.end(finishReason));
  }

  free(): void {
    this.raw.free();
  }

  #call<T>(run: (instance: CoreExports) => T): T {
    return call(run, this.core);
  }

  #apply(live: LiveValue, count: number, text: string): void {
    if (count > this.#most) {
      this.#most = count;
      this.words = this.#call(() => this.raw.words());
    }
    this.#refresh();
    live.apply(this.#words, this.#bytes, this.words >>> 2, count, text, this.#shown);
  }

  /** Growing the memory detaches every view of it. */
  #refresh(): void {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(this.instance.memory.buffer);
    this.#words = new Uint32Array(this.instance.memory.buffer);
  }

  /** The bytes written behind those held back; {@link LARGE} or {@link LONE} when nothing was. */
  #writeText(text: string): number {
    const start = this.#heldBytes;
    if (start + text.length * 3 > PIECE) return LARGE;
    this.#refresh();
    if (text.length <= SHORT) return writeShort(text, this.#bytes, this.buffer + start);
    if (escapeLoneSurrogates(text) !== text) return LONE;
    return encoder.encodeInto(text, this.#bytes.subarray(this.buffer + start, this.buffer + PIECE)).written;
  }
}

/** The core's number for a text of which more has to come. */
const INCOMPLETE = 0;

/** Whether all characters stand for themselves in a string of JSON. */
function isPlain(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) return false;
  }
  return true;
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
