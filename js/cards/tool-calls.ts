// The tool calls of one child: the latest ones, those that are done going first.
import type { CardToolCall } from './card.js';
import type { CardLimits } from './card-state.js';
import { sharedList } from './share.js';
import { CallState } from './tool-call.js';

/** A card's tool calls. */
export class ToolCalls {
  readonly #limits: CardLimits;
  readonly #calls = new Map<string, CallState>();
  #views: readonly CardToolCall[] = [];
  #omitted = 0;

  constructor(limits: CardLimits) {
    this.#limits = limits;
  }

  /** How many earlier ones are no longer kept. */
  get omitted(): number {
    return this.#omitted;
  }

  /** The calls now. The same list as long as nothing came. */
  get views(): readonly CardToolCall[] {
    this.#views = sharedList(
      this.#views,
      [...this.#calls.values()].map((call) => call.view),
    );
    return this.#views;
  }

  get(id: string): CallState | undefined {
    return this.#calls.get(id);
  }

  /** A call begins. */
  open(id: string, name: string): void {
    const { toolCalls: limit, text } = this.#limits;
    this.#calls.delete(id);
    this.#calls.set(id, new CallState(id, name, text));
    if (this.#calls.size <= limit) return;
    for (const [old, call] of this.#calls) {
      if (!call.isDone && this.#calls.size < 2 * limit) continue;
      this.#calls.delete(old);
      this.#omitted += 1;
      break;
    }
  }

  /** Those that a person is asked about. */
  wait(asked: ReadonlySet<string | undefined>): void {
    for (const call of this.#calls.values()) call.wait(asked.has(call.id));
  }

  /** The child is over. */
  end(): void {
    for (const call of this.#calls.values()) call.end();
  }
}
