// The usage of a whole run in the one entry that TanStack AI's client reads.
import type { TokenUsage } from '../ag-ui/events.js';
import { sumUsage } from '../ag-ui/usage.js';
import { defined } from '../wire.js';

/**
 * One entry with the sums, or none. It keeps provider and model only where all entries agree: the client of TanStack AI
 * 0.58 reads the first entry alone, so the total has to be in it, and who adds the entries up finds the same total.
 */
export function totalUsage(entries: readonly TokenUsage[]): TokenUsage | undefined {
  const agreed = (label: 'provider' | 'model') => {
    const said = entries[0]?.[label];
    return entries.every((entry) => entry[label] === said) ? said : undefined;
  };
  const labels = { provider: agreed('provider'), model: agreed('model') };
  return sumUsage(entries.map((entry) => defined<TokenUsage>({ ...entry, ...labels })))[0];
}
