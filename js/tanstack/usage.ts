// The usage of a whole run in the one entry that TanStack AI's client reads.
import type { TokenUsage } from '../ag-ui/events.js';
import { sumUsage } from '../ag-ui/usage.js';

/**
 * One entry with the sums, or none. It keeps provider and model only where all entries agree: the client of TanStack AI
 * 0.58 reads the first entry alone, so the total has to be in it, and who adds the entries up finds the same total.
 */
export function totalUsage(entries: readonly TokenUsage[]): TokenUsage | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const labels: TokenUsage = {};
  for (const label of ['provider', 'model'] as const) {
    const value = first[label];
    if (value !== undefined && entries.every((entry) => entry[label] === value)) labels[label] = value;
  }
  const counts = entries.map(({ provider: _provider, model: _model, ...rest }) => rest);
  return { ...labels, ...sumUsage(counts)[0] };
}
