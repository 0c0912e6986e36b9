// Interleaved timing: every round runs each contestant once, so that what else the machine does meets them all alike.

/** A contestant's work, once, on one of `variants` inputs. @typedef {{ name: string, run: (variant: number) => unknown }} Contestant */

/**
 * The 10th percentile of each contestant's nanoseconds a call, by name.
 * @param {Contestant[]} contestants
 * @param {{ rounds: number, sliceMs?: number, variants?: number }} options
 * @returns {Record<string, number>}
 */
export function interleave(contestants, { rounds, sliceMs = 4, variants = 1 }) {
  const calls = contestants.map(({ run }) => callsPerSlice(run, sliceMs, variants));
  /** @type {number[][]} */
  const samples = contestants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Nobody always follows the same neighbour's garbage.
      const index = (turn + round) % contestants.length;
      const { run } = /** @type {Contestant} */ (contestants[index]);
      const count = calls[index] ?? 1;
      samples[index]?.push((milliseconds(run, count, variants) * 1e6) / count);
    }
  }
  return Object.fromEntries(contestants.map(({ name }, index) => [name, percentile(samples[index] ?? [], 0.1)]));
}

/** Warms up and finds how many calls fill a slice. @param {Contestant['run']} run @param {number} sliceMs @param {number} variants */
function callsPerSlice(run, sliceMs, variants) {
  let count = 1;
  let spent = 0;
  for (;;) {
    const took = milliseconds(run, count, variants);
    spent += took;
    if (took >= sliceMs && spent > sliceMs * 10) return Math.max(1, Math.round((count * sliceMs) / took));
    if (took < sliceMs) count *= 2;
  }
}

/** @param {Contestant['run']} run @param {number} count @param {number} variants */
function milliseconds(run, count, variants) {
  let used = 0;
  const start = process.hrtime.bigint();
  for (let call = 0; call < count; call++) if (run(call % variants)) used++;
  const took = process.hrtime.bigint() - start;
  // The results are looked at, so that no compiler can leave the work out.
  if (used < 0) throw new RangeError('a count is never negative');
  return Number(took) / 1e6;
}

/** @param {number[]} numbers @param {number} share */
export function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
