// One tool call of a child, as it happens.
import type { ContentPart } from '../ag-ui/events.js';
import { defined } from '../wire.js';
import type { CardText, CardToolCall } from './card.js';
import { KeptText, keepStart } from './kept-text.js';
import { valueText } from './value-text.js';

/** A call under way. */
export class CallState {
  readonly id: string;
  readonly #limit: number;
  readonly #args: KeptText;
  readonly #name: string;
  #status: CardToolCall['status'] = 'writing';
  #waits = false;
  #result: CardText | undefined;
  #view: CardToolCall | undefined;

  constructor(id: string, name: string, limit: number) {
    this.id = id;
    this.#name = name;
    this.#limit = limit;
    this.#args = new KeptText(limit, 'start');
  }

  get isDone(): boolean {
    return this.#status === 'done';
  }

  addArgs(delta: string): void {
    this.#args.add(delta);
    this.#view = undefined;
  }

  /** The arguments are complete. */
  close(): void {
    if (this.#status === 'writing') this.#status = 'running';
    this.#view = undefined;
  }

  /** Whether a person is asked about it. */
  wait(waits: boolean): void {
    if (this.#waits !== waits) this.#view = undefined;
    this.#waits = waits;
  }

  /** The child is over. */
  end(): void {
    if (this.#status === 'done') return;
    this.#status = 'unfinished';
    this.#view = undefined;
  }

  finish(content: unknown): void {
    this.#status = 'done';
    this.#result = keepStart(contentText(content), this.#limit);
    this.#view = undefined;
  }

  /** The call now. The same object as long as nothing came. */
  get view(): CardToolCall {
    this.#view ??= defined<CardToolCall>({
      id: this.id,
      name: this.#name,
      status: this.#waits && this.#status !== 'done' ? 'waiting' : this.#status,
      args: this.#args.view,
      result: this.#result,
    });
    return this.#view;
  }
}

/** The text of a tool message; of media only that they are there. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return valueText(content);
  return content
    .map((part: Partial<ContentPart> | null) =>
      part?.type === 'text' ? valueText(part.text) : `[${valueText(part?.type)}]`,
    )
    .join('\n');
}
