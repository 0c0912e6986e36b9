// Judges the calls of the return tool while their arguments stream in.
import type { Contract } from '../contract.js';
import type { ContractHandle } from '../contract-handle.js';
import type { Issue, Rejection } from '../core.js';
import { LiveStream } from '../stream.js';
import { unwrapped } from '../wrapped-return.js';

/** A return that no continuation can mend. */
export interface EarlyRejection {
  /** As the stream of the arguments says it. */
  rejection: Rejection;
  /** Its issues as they point into the contract's own value. */
  issues: Issue[];
}

/** The calls of one run that are under way. */
export class EarlyJudge {
  readonly #contract: Contract;
  readonly #streams = new Map<string, LiveStream>();
  /** What judges the arguments: the contract itself, or one of its own when they are wrapped. */
  #handle: ContractHandle | undefined;
  #wrapped: ContractHandle | undefined;
  #off = false;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** A call begins; an id used again is another call. */
  opened(toolCallId: string): void {
    this.closed(toolCallId);
    try {
      if (!this.#off) this.#streams.set(toolCallId, new LiveStream(this.#open()));
    } catch {
      // A wrapped schema may be over a limit that the contract just keeps to. The gate judges the whole text all the same.
      this.#off = true;
    }
  }

  /** Reads a piece of its arguments. Says once that they cannot be mended; after that the call is not followed any more. */
  read(toolCallId: string, delta: string): EarlyRejection | undefined {
    const stream = this.#streams.get(toolCallId);
    if (!stream) return undefined;
    try {
      stream.push(delta);
      const { rejection } = stream;
      if (!rejection) return undefined;
      this.closed(toolCallId);
      return { rejection, issues: this.#wrapped ? rejection.issues.map(unwrapped) : rejection.issues };
    } catch {
      this.closed(toolCallId);
      return undefined;
    }
  }

  /** A call is over. */
  closed(toolCallId: string): void {
    this.#streams.get(toolCallId)?.free();
    this.#streams.delete(toolCallId);
  }

  /** Gives back what the core holds. */
  free(): void {
    for (const id of [...this.#streams.keys()]) this.closed(id);
    this.#wrapped?.free();
    this.#wrapped = undefined;
    this.#off = true;
  }

  #open(): ContractHandle {
    if (!this.#handle) {
      this.#wrapped = this.#contract.handle.wrapped();
      this.#handle = this.#wrapped ?? this.#contract.handle;
    }
    return this.#handle;
  }
}
