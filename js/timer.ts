// Timers that do not fire at once because their delay is too long for the runtime.

const LONGEST_DELAY = 2 ** 31 - 1;

/** Calls `run` after so many milliseconds, unless the result is called before. None for a delay that nobody waits for, 24 days. */
export function startTimer(run: () => void, ms: number): (() => void) | undefined {
  if (ms > LONGEST_DELAY) return undefined;
  const timer = setTimeout(run, Math.max(0, ms));
  return () => clearTimeout(timer);
}
