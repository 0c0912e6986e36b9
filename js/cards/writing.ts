// What a child writes: its words, and the return that streams in them or in a call of the return tool.
import type { CardContract } from './agents.js';
import type { CardReturn, CardText } from './card.js';
import { KeptText } from './kept-text.js';
import { LiveReturn } from './live-return.js';

/** A child's words and its return, while they come. */
export class Writing {
  readonly #limit: number;
  readonly #contract: () => CardContract | undefined;
  readonly #anew: () => void;
  #words: KeptText | undefined;
  /** Whether the latest words are the return itself. */
  #wordsReturn = false;
  /** The return that is shown while it streams, and the text that may turn out to be one. */
  #draft: LiveReturn | undefined;
  #textDraft: LiveReturn | undefined;
  /** The call of the return tool that the draft comes in. */
  #callId: string | undefined;

  /**
   * Keeps so many characters of the words. `contract` gives what a return is read by; `anew` is called when another one is
   * written in the place of one that was judged.
   */
  constructor(limit: number, contract: () => CardContract | undefined, anew: () => void) {
    this.#limit = limit;
    this.#contract = contract;
    this.#anew = anew;
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
  openReturn(callId: string): void {
    this.#write(this.#live('return_tool'), callId);
  }

  /** A piece of the return. Of an earlier call, whose return is no longer shown, nothing is taken. */
  addReturn(callId: string, delta: string): void {
    if (callId === this.#callId) this.#draft?.push(delta);
  }

  closeReturn(callId: string): void {
    if (callId === this.#callId) this.#draft?.end();
  }

  /** A message begins. */
  openWords(): void {
    this.#words = new KeptText(this.#limit, 'end');
    this.#wordsReturn = false;
    this.#textDraft?.end();
    this.#textDraft = this.#live('text');
  }

  /** A piece of the message. */
  addWords(delta: string): void {
    if (this.#words === undefined) this.openWords();
    this.#words?.add(delta);
    this.#textDraft?.push(delta);
    this.#promote();
  }

  closeWords(): void {
    this.#textDraft?.end();
    this.#promote();
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
  #promote(): void {
    const text = this.#textDraft;
    const shown = this.#draft;
    if (text === undefined || text === shown || !text.hasValue) return;
    if (shown !== undefined && shown.via !== 'text' && !shown.isRefused) return;
    this.#write(text);
    this.#wordsReturn = true;
  }

  #live(via: LiveReturn['via']): LiveReturn | undefined {
    const contract = this.#contract();
    return contract && new LiveReturn(contract, via);
  }

  #write(draft: LiveReturn | undefined, callId?: string): void {
    this.#callId = callId;
    this.#replace(draft);
    this.#anew();
  }

  #replace(draft: LiveReturn | undefined): void {
    this.#draft?.free();
    this.#draft = draft;
  }
}
