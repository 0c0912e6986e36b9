/**
 * The compiled cores, each with the one live instance that every entry and subpath of this package shares.
 *
 * Entries only say which module a core is made from; the subpaths (`subcontract/tanstack`, …) say nothing, so that they
 * work beside whichever entry the program imports.
 */
import { type CoreExports, instantiate } from './generated/instantiate.js';

export type { CoreExports };

/** A compiled core: what its instances are made from, and the live one. */
export class Core {
  #module: WebAssembly.Module | undefined;
  #live: CoreExports | undefined;

  /** @param absent what to say when an instance is asked for before an entry has given the module */
  constructor(
    private readonly instantiate: (module: WebAssembly.Module) => CoreExports,
    private readonly absent: string,
  ) {}

  /** Says what instances are made from. The first one stays: two entries carry the same core. */
  setModule(compiled: WebAssembly.Module): void {
    this.#module ??= compiled;
  }

  /** Whether an entry or `init` has run. */
  get hasModule(): boolean {
    return this.#module !== undefined;
  }

  /** The live instance, made at the first use: importing the package runs none of the core's code. */
  get instance(): CoreExports {
    this.#live ??= this.#fresh();
    return this.#live;
  }

  /**
   * Puts a new instance in place of the live one, for after a trap: the memory of an instance that trapped may be half
   * written. Handles into the old one stay valid JavaScript objects that must not be called again.
   */
  replaceInstance(): void {
    this.#live = this.#fresh();
  }

  #fresh(): CoreExports {
    if (this.#module === undefined) throw new Error(this.absent);
    return this.instantiate(this.#module);
  }
}

/** The core of this package. */
export const mainCore = /* @__PURE__ */ new Core(
  instantiate,
  "subcontract is not initialised: import 'subcontract' somewhere in the program, or await init() from 'subcontract/init' before the first call",
);
