// What the set-up says: each step with its reason, and failures with their remedy.

/** A failure whose message names what to do about it. */
export class SetupError extends Error {
  /**
   * @param {string} problem
   * @param {string} remedy
   */
  constructor(problem, remedy) {
    super(`${problem}\n  remedy: ${remedy}`);
    this.name = 'SetupError';
  }
}

/** @param {string} step @param {string} why */
export function say(step, why) {
  console.error(`• ${step} (${why})`);
}

/** @param {string} message */
export function note(message) {
  console.error(`  ${message}`);
}

/**
 * Runs an entry program: a `SetupError` is printed as the sentence it is, anything else with its stack.
 * @param {() => Promise<number | void>} main  resolves to the exit code, 0 when it resolves to nothing
 */
export async function entry(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetupError ? `\nerror: ${error.message}` : error);
    process.exitCode = 1;
  }
}
