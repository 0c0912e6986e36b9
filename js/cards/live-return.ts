// A return as it streams through the page: judged by the core at each piece, and shown as an immutable value.
import type { Issue, ReadonlyJson } from '../core.js';
import { LiveStream } from '../stream.js';
import { isRecord } from '../wire.js';
import { unwrapped } from '../wrapped-return.js';
import type { CardContract } from './agents.js';
import type { CardReturn } from './card.js';
import { settled } from './share.js';

/** Beyond so many characters a return is not followed: its end comes with the envelope. */
const FOLLOWED = 4 << 20;

/** One return that streams in, as arguments of the return tool or as text. */
export class LiveReturn {
  readonly via: 'return_tool' | 'text';
  readonly #contract: CardContract;
  readonly #wrapped: boolean;
  #stream: LiveStream | undefined;
  #length = 0;
  #value: ReadonlyJson | undefined;
  #version = -1;
  #status: CardReturn['status'] = 'incomplete';
  #issues: readonly Issue[] = [];
  #view: CardReturn | undefined;

  constructor(contract: CardContract, via: 'return_tool' | 'text') {
    this.via = via;
    this.#contract = contract;
    this.#wrapped = via === 'return_tool' && contract.wrapped;
    const handle = via === 'return_tool' ? contract.handle : contract.contract.handle;
    this.#stream = new LiveStream(handle, via === 'text');
    // The value is recorded from the first look on.
    this.#stream.snapshot();
  }

  /** Reads the next piece. */
  push(delta: string): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#length += delta.length;
    if (this.#length > FOLLOWED) {
      this.#giveUp();
      return;
    }
    try {
      const status = stream.push(delta);
      if (status === this.#status) return;
      this.#status = status;
      this.#view = undefined;
      if (stream.rejection !== undefined) this.#take(stream.rejection.issues);
    } catch {
      this.#giveUp();
    }
  }

  /** The text is over. */
  end(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#read(stream);
    this.#view = undefined;
    try {
      if (!this.isRefused) {
        const verdict = stream.end();
        if (!verdict.ok) this.#take(verdict.issues);
        this.#status = verdict.ok ? 'complete' : 'rejected';
      }
      this.free();
    } catch {
      this.#giveUp();
    }
  }

  /** Gives the core's memory back. What was read stays. */
  free(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#read(stream);
    this.#stream = undefined;
    stream.free();
  }

  /** Whether there is something to show. */
  get hasValue(): boolean {
    return this.#value !== undefined || this.#stream?.snapshot() !== undefined;
  }

  /** Whether nothing can make it a good return any more. */
  get isRefused(): boolean {
    return this.#status === 'rejected' || this.#status === 'invalid_json';
  }

  /** The return now. The same object as long as nothing came. */
  get view(): CardReturn {
    if (this.#stream !== undefined) this.#read(this.#stream);
    this.#view ??= {
      value: this.#wrapped ? inside(this.#value) : this.#value,
      source: 'stream',
      status: this.#status,
      issues: this.#issues,
      schema: this.#contract.schema,
    };
    return this.#view;
  }

  #read(stream: LiveStream): void {
    if (stream.version === this.#version) return;
    this.#version = stream.version;
    this.#value = settled(stream.snapshot());
    this.#view = undefined;
  }

  #take(issues: readonly Issue[]): void {
    this.#issues = this.#wrapped ? issues.map(unwrapped) : issues;
  }

  /** It is too long, or the core failed on it: the rest is shown when the envelope comes. */
  #giveUp(): void {
    this.#status = 'unread';
    this.#view = undefined;
    this.free();
  }
}

/** The return in the arguments of a return tool that takes it as `{ result: … }`. */
function inside(args: ReadonlyJson | undefined): ReadonlyJson | undefined {
  return isRecord(args) ? (args.result as ReadonlyJson | undefined) : undefined;
}
