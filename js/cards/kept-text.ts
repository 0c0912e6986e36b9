// Texts of children that are kept up to a limit, so that a child that writes without end does not fill the page's memory.
import { boundary } from '../whole-characters.js';
import type { CardText } from './card.js';

/** A text that streams in, of which the first or the last characters are kept. How it was cut into pieces changes nothing. */
export class KeptText {
  #text = '';
  #length = 0;
  #view: CardText | undefined;

  constructor(
    private readonly limit: number,
    private readonly keep: 'start' | 'end',
  ) {}

  /** Adds a piece. */
  add(piece: string): void {
    if (piece === '') return;
    this.#view = undefined;
    this.#length += piece.length;
    if (this.keep === 'start') {
      // One more than is kept, which says whether the last one is half of a pair.
      if (this.#text.length <= this.limit) this.#text += piece.slice(0, this.limit + 1 - this.#text.length);
      return;
    }
    this.#text += piece;
    // Cut now and then, and not at every piece.
    if (this.#text.length > 2 * this.limit) this.#cutStart();
  }

  /** The text now. The same object as long as nothing was added. */
  get view(): CardText {
    if (this.#view !== undefined) return this.#view;
    if (this.keep === 'end' && this.#text.length > this.limit) this.#cutStart();
    const { text } = this.keep === 'start' ? keepStart(this.#text, this.limit) : { text: this.#text };
    this.#view = { text, omitted: this.#length - text.length };
    return this.#view;
  }

  #cutStart(): void {
    this.#text = this.#text.slice(boundary(this.#text, this.#text.length - this.limit));
  }
}

/** The start of a whole text. */
export function keepStart(text: string, limit: number): CardText {
  const at = boundary(text, Math.min(limit, text.length));
  return { text: text.slice(0, at), omitted: text.length - at };
}
