// The calls of a child's model, as far as its events tell: which attempt they lead to, what they cost, and whether there may be more.
import type { AGUIEvent, TokenUsage } from '../ag-ui/events.js';
import type { ChildJob, Measured } from './job.js';

/** Usage is told after a model call, sometimes after the tools that it called: what starts the next one ends the last. */
const STARTS_A_MODEL_CALL: ReadonlySet<string> = new Set(['REASONING_START', 'TEXT_MESSAGE_START', 'TOOL_CALL_START']);

/** The calls of one child's model. */
export class ModelCalls {
  readonly #job: Pick<ChildJob, 'gate' | 'entry' | 'stop'>;
  readonly #measured: Measured;
  /** The attempt that the calls of now lead to. */
  #leadsTo = 1;
  /** None is under way. */
  #between = false;

  constructor(job: Pick<ChildJob, 'gate' | 'entry' | 'stop'>, measured: Measured) {
    this.#job = job;
    this.#measured = measured;
  }

  /** A run begins, and with it a call. */
  beginRun(): void {
    this.#between = false;
    this.#turn();
  }

  /** One of the child's own events. A call that begins where the limits allow none any more is stopped. */
  seen({ type }: AGUIEvent): void {
    if (STARTS_A_MODEL_CALL.has(type)) this.#turn();
    else if (type === 'TOOL_CALL_RESULT') this.#between = true;
  }

  /** What the child reports of a call that has ended, and which of it is its own children's. */
  used(usage: TokenUsage[], ofChildren: TokenUsage[]): void {
    const { gate, entry } = this.#job;
    this.#between = true;
    this.#measured.usage.push(...usage);
    gate?.addUsage(usage, this.#leadsTo);
    entry?.spend(usage, ofChildren);
  }

  #turn(): void {
    const { gate, entry, stop } = this.#job;
    this.#leadsTo = gate?.next ?? 1;
    if (!this.#between) return;
    this.#between = false;
    const refusal = entry?.goOn();
    if (refusal) stop.stop({ by: 'limit', ...refusal });
  }
}
