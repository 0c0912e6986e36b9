// What a child writes: its words, and the return that streams in them or in a call of the return tool.
import type { CardContract } from './agents.js';
import type { CardReturn, CardText } from './card.js';
import { KeptText } from './kept-text.js';
import { LiveReturn } from './live-return.js';

/** A child's words and its return, while they come. */
export class Writing {
  readonly #limit: number;
  #words: KeptText | undefined;
  /** Whether the latest words are the return itself. */
  #wordsReturn = false;
  /** The return that is shown while it streams, and the text that may turn out to be one. */
  #draft: LiveReturn | undefined;
  #textDraft: LiveReturn | undefined;
  /** The call of the return tool that the draft comes in. */
  #callId: string | undefined;

  /** Keeps so many characters of the words. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The latest words, unless they are the return. */
  get words(): CardText | undefined {
    return this.#wordsReturn ? undefined : this.#words?.view;
  }

  /** The return so far. */
  get draft(): CardReturn | undefined {
    return this.#draft?.view;
  }

  /** A call of the return tool begins; what was written of a return before is over. */
  openReturn(callId: string, contract: CardContract | undefined): void {
    this.#callId = callId;
    this.#replace(contract && new LiveReturn(contract, 'return_tool'));
  }

  /** A piece of the return. Of an earlier call, whose return is no longer shown, nothing is taken. */
  addReturn(callId: string, delta: string): void {
    if (callId === this.#callId) this.#draft?.push(delta);
  }

  closeReturn(callId: string): void {
    if (callId === this.#callId) this.#draft?.end();
  }

  /** A message begins. */
  openWords(contract: CardContract | undefined): void {
    this.#words = new KeptText(this.#limit, 'end');
    this.#wordsReturn = false;
    this.#textDraft?.end();
    this.#textDraft = contract && new LiveReturn(contract, 'text');
  }

  /** A piece of the message. Says whether it has become the return that is shown. */
  addWords(delta: string, contract: CardContract | undefined): boolean {
    if (this.#words === undefined) this.openWords(contract);
    this.#words?.add(delta);
    this.#textDraft?.push(delta);
    return this.#promote();
  }

  closeWords(): boolean {
    this.#textDraft?.end();
    return this.#promote();
  }

  /** Nothing more comes. What was read stays. */
  end(): void {
    this.#draft?.free();
    this.#textDraft?.free();
    this.#textDraft = undefined;
  }

  /** The return has come otherwise. */
  dropDraft(): void {
    this.#replace(undefined);
  }

  /** Words that turn out to hold a return are shown as one, but for words beside a call of the return tool. */
  #promote(): boolean {
    const text = this.#textDraft;
    const shown = this.#draft;
    if (text === undefined || text === shown || !text.hasValue) return false;
    if (shown !== undefined && shown.via !== 'text' && !shown.isRefused) return false;
    this.#callId = undefined;
    this.#replace(text);
    this.#wordsReturn = true;
    return true;
  }

  #replace(draft: LiveReturn | undefined): void {
    this.#draft?.free();
    this.#draft = draft;
  }
}
