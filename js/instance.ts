/**
 * The one live instance of the compiled core, shared by every entry and subpath of this package.
 *
 * Entries only say which module it is made from; the subpaths (`subcontract/tanstack`, …) say nothing, so that they work
 * beside whichever entry the program imports.
 */
import { type CoreExports, instantiate } from './generated/instantiate.js';

export type { CoreExports };

let module: WebAssembly.Module | undefined;
let live: CoreExports | undefined;

/** Says what instances are made from. The first one stays: two entries carry the same core. */
export function setModule(compiled: WebAssembly.Module): void {
  module ??= compiled;
}

/** Whether an entry or `init` has run. */
export function hasModule(): boolean {
  return module !== undefined;
}

/** The live instance, made at the first use: importing the package runs none of the core's code. */
export function instance(): CoreExports {
  live ??= fresh();
  return live;
}

/**
 * A new instance in place of the live one, for after a trap: the memory of an instance that trapped may be half written.
 * Handles into the old one stay valid JavaScript objects that must not be called again.
 */
export function replaceInstance(): CoreExports {
  live = fresh();
  return live;
}

function fresh(): CoreExports {
  if (module === undefined) {
    throw new Error(
      "subcontract is not initialised: import 'subcontract' somewhere in the program, or await init() from 'subcontract/init' before the first call",
    );
  }
  return instantiate(module);
}
