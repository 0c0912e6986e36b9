// The crossing into the compiled core: text in a kept buffer, faults as data, a fresh instance after a trap.
import type { Issue } from './core.js';
import { SubcontractError } from './errors.js';
import { type Core, type CoreExports, mainCore } from './instance.js';
import { escapeLoneSurrogates } from './json-text.js';
import { spelled } from './misuse.js';

export type { CoreExports };

/** More than this is given back after the call. */
const KEPT_BUFFER = 1 << 20;
/** Less than this is not asked for, so that texts of usual sizes share one buffer. */
const SMALLEST_BUFFER = 1 << 16;
/** The core's own limit on a text, in bytes. */
const TEXT_LIMIT = 16 << 20;
const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Runs a call in a core's live instance. After a trap the instance is poisoned: the next call gets a fresh one. `run` does
 * nothing but call the core: whatever else throws in it would be taken for a trap.
 */
export function call<T>(run: (instance: CoreExports) => T, core: Core = mainCore): T {
  const { instance } = core;
  try {
    return run(instance);
  } catch (error) {
    throw faultOf(error, core);
  }
}

/** What the core's `Task` of this name answers; an empty text where that is nothing. */
export function ask(task: keyof CoreExports['Task'], first: string, second?: string): string {
  return call((core) => askIn(core, task, 0, first, second));
}

/** As {@link ask}, within a call. `number`: how long the text in the input buffer is, or what else the task says. */
export function askIn(
  core: CoreExports,
  task: keyof CoreExports['Task'],
  number: number,
  first = '',
  second = '',
): string {
  return core.ask(core.Task[task], number, first, second) ?? '';
}

/** What was thrown in a call of a core, as an error of this package. After a trap the core has a fresh instance. */
export function faultOf(error: unknown, core: Core): SubcontractError {
  // The core reports faults as JSON strings; anything else is a trap or an overflow of the stack.
  if (typeof error === 'string') return coreError(error);
  core.replaceInstance();
  return new SubcontractError('the core failed; this is a bug of subcontract', {
    code: 'internal_error',
    cause: error,
  });
}

function coreError(text: string): SubcontractError {
  const { code, message, issues } = (JSON.parse(text) as { error: { code: string; message: string; issues: Issue[] } })
    .error;
  return new SubcontractError(message, { code, issues });
}

/** Throws for what is no text: inside a call it would be taken for a trap. */
export function assertText(input: unknown): void {
  if (typeof input === 'string' || input instanceof Uint8Array) return;
  throw new TypeError(`expected a text or its bytes, not ${spelled(input)}`);
}

/** As {@link assertText}, where bytes are none either. */
export function assertString(input: unknown): asserts input is string {
  if (typeof input === 'string') return;
  throw new TypeError(`expected a text, not ${spelled(input)}`);
}

/** Writes a text into the core's input buffer and passes its length in bytes on. */
export function withInput<T>(core: CoreExports, input: string | Uint8Array, run: (length: number) => T): T {
  const length = writeInput(core, input);
  try {
    return run(length);
  } finally {
    releaseInput(core, length);
  }
}

/** Writes a text into the core's input buffer and says how many bytes it is. {@link releaseInput} comes after. */
export function writeInput(core: CoreExports, input: string | Uint8Array): number {
  return typeof input === 'string' ? writeText(core, input) : writeBytes(core, input);
}

/** Gives the input buffer back when it was a large text's. */
export function releaseInput(core: CoreExports, length: number): void {
  if (length <= KEPT_BUFFER) return;
  kept = undefined;
  core.release_input();
}

function writeText(core: CoreExports, input: string): number {
  // Past the limit the core refuses by size alone, so that much of the text is enough to be refused.
  const text = escapeLoneSurrogates(input.length > TEXT_LIMIT ? input.slice(0, TEXT_LIMIT + 1) : input);
  // A byte a character is enough for most texts; what leaves ASCII needs up to three.
  const { read, written } = encoder.encodeInto(text, room(core, text.length));
  if (read === text.length) return written;
  const rest = text.slice(read);
  return written + encoder.encodeInto(rest, room(core, written + rest.length * 3).subarray(written)).written;
}

function writeBytes(core: CoreExports, input: Uint8Array): number {
  const bytes = input.length > TEXT_LIMIT ? input.subarray(0, TEXT_LIMIT + 1) : input;
  room(core, bytes.length).set(bytes);
  return bytes.length;
}

/** The core's input buffer, which stays in its place until more room is asked for. */
let kept: { core: CoreExports; view: Uint8Array } | undefined;

/** At least `length` bytes of the core's input buffer; what was written there is kept. */
function room(core: CoreExports, length: number): Uint8Array {
  // When the memory grows, every view of it is detached, and has no length then.
  if (kept?.core !== core || kept.view.length < length) {
    const bytes = Math.max(length, SMALLEST_BUFFER);
    const start = core.input(bytes) >>> 0;
    kept = { core, view: new Uint8Array(core.memory.buffer, start, bytes) };
  }
  return kept.view;
}
