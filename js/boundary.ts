// The crossing into the compiled core: text in a kept buffer, faults as data, a fresh instance after a trap.
import type { Issue } from './core.js';
import { SubcontractError } from './errors.js';
import { type Core, type CoreExports, mainCore } from './instance.js';
import { escapeLoneSurrogates } from './json-text.js';

export type { CoreExports };

/** More than this is given back after the call. */
const KEPT_BUFFER = 1 << 20;
/** The core's own limit on a text, in bytes. */
const TEXT_LIMIT = 16 << 20;
const encoder = new TextEncoder();

/**
 * Runs a call in a core's live instance. After a trap the instance is poisoned: the next call gets a fresh one. `run` does
 * nothing but call the core: whatever else throws in it would be taken for a trap.
 */
export function call<T>(run: (instance: CoreExports) => T, core: Core = mainCore): T {
  const { instance } = core;
  try {
    return run(instance);
  } catch (error) {
    // The core reports faults as JSON strings; anything else is a trap or an overflow of the stack.
    if (typeof error === 'string') throw coreError(error);
    core.replaceInstance();
    throw new SubcontractError('the core failed; this is a bug of subcontract', {
      code: 'internal_error',
      cause: error,
    });
  }
}

function coreError(text: string): SubcontractError {
  const { code, message, issues } = (JSON.parse(text) as { error: { code: string; message: string; issues: Issue[] } })
    .error;
  return new SubcontractError(message, { code, issues });
}

/** Writes a text into the core's input buffer and passes its length in bytes on. */
export function withInput<T>(instance: CoreExports, input: string | Uint8Array, run: (length: number) => T): T {
  const length = typeof input === 'string' ? writeText(instance, input) : writeBytes(instance, input);
  try {
    return run(length);
  } finally {
    if (length > KEPT_BUFFER) instance.release_input();
  }
}

function writeText(instance: CoreExports, input: string): number {
  // Past the limit the core refuses by size alone, so that much of the text is enough to be refused.
  const text = escapeLoneSurrogates(input.length > TEXT_LIMIT ? input.slice(0, TEXT_LIMIT + 1) : input);
  const room = text.length * 3;
  const start = instance.input(room) >>> 0;
  return encoder.encodeInto(text, view(instance, start, room)).written;
}

function writeBytes(instance: CoreExports, input: Uint8Array): number {
  const bytes = input.length > TEXT_LIMIT ? input.subarray(0, TEXT_LIMIT + 1) : input;
  view(instance, instance.input(bytes.length) >>> 0, bytes.length).set(bytes);
  return bytes.length;
}

/** Made anew each time: growing the memory detaches every view of it. */
function view(instance: CoreExports, start: number, length: number): Uint8Array {
  return new Uint8Array(instance.memory.buffer, start, length);
}
