// How a delegation ends: once, written down, and with what is kept of its child kept before anybody sees it.
import type { Outcome } from './child/job.js';
import { STOPPED, type Stop } from './child/stop.js';
import type { ChildTranscript } from './child/transcript.js';
import type { Gate } from './gate.js';
import { type Ended, type Written, write } from './outcome.js';

/** The delegation that ends. */
export interface Ending {
  stop: Stop;
  transcript: ChildTranscript | undefined;
  /** Absent in prose mode, and of a child that never started. */
  gate(): Gate | undefined;
  /** Everything that is known of it now, with what it came to. */
  ended(outcome: Outcome): Ended;
  /** Called once, when it has ended. */
  over(ended: Ended, written: Written): void;
}

/** The end of one delegation. */
export class DelegationEnd {
  /** What it came to, once it has ended. Always resolves, if the delegation runs. */
  readonly written: Promise<Written>;
  readonly #of: Ending;
  #settle!: (written: Written) => void;
  #last: Written | undefined;
  #keeping: Promise<Written> | undefined;

  constructor(of: Ending) {
    this.#of = of;
    this.written = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.#last !== undefined;
  }

  /** Ends it with this outcome, unless it has ended. */
  finish(outcome: Outcome): Written {
    if (this.#last) return this.#last;
    const ended = this.#of.ended(outcome);
    return this.finishAs(ended, write(ended));
  }

  /** As {@link finish}, for what is written down already. */
  finishAs(ended: Ended, written: Written): Written {
    if (this.#last) return this.#last;
    this.#last = written;
    this.#settle(written);
    this.#of.over(ended, written);
    return written;
  }

  /**
   * As {@link finish}, after what is kept of the child: its transcript, which the envelope refers to, and what came of one that
   * a resume claimed.
   */
  keep(outcome: Outcome): Promise<Written> {
    this.#keeping ??= this.#keepOnce(outcome);
    return this.#keeping;
  }

  async #keepOnce(outcome: Outcome): Promise<Written> {
    const { stop, transcript, ended: endedWith } = this.#of;
    const saved = transcript?.save();
    if (saved) await stop.waitAfterEnd(saved);
    const lost = saved && !transcript?.handle;
    const ended = endedWith(lost ? await this.#withoutTranscript(outcome) : outcome);
    const written = write(ended);
    // A store that fails now costs no more than the second answer to a repeated request.
    const kept = ended.prepared?.keep(written.envelopeText);
    if (kept) await stop.waitAfterEnd(kept).catch(() => {});
    return this.finishAs(ended, written);
  }

  /** The outcome of a child whose transcript could not be kept: nothing in it leads there. */
  async #withoutTranscript(outcome: Outcome): Promise<Outcome> {
    const gate = this.#of.gate();
    if (outcome.status !== 'completed' || !outcome.accepted || !gate) return outcome;
    try {
      const accepted = await this.#of.stop.waitAfterEnd(gate.withoutTranscript(outcome.accepted));
      return accepted === STOPPED ? outcome : { ...outcome, accepted };
    } catch {
      // It was accepted; that its schema's own validation fails now is no fault of the child's.
      return outcome;
    }
  }
}
