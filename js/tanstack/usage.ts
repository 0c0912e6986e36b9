// Token usage in the two shapes that meet here (AG-UI's list and TanStack AI's object), and its sum.
import type { TokenUsage } from '../ag-ui/events.js';

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const;

/** Reads usage as a list of AG-UI entries; anything that is no usage reads as none. */
export function readUsage(usage: unknown): TokenUsage[] {
  if (Array.isArray(usage)) return usage.filter(isRecord).map(pickEntry);
  if (!isRecord(usage)) return [];
  return 'promptTokens' in usage ? [fromTanStack(usage)] : [pickEntry(usage)];
}

/**
 * One entry with the sums. It keeps provider and model only where all entries agree: the client of
 * TanStack AI 0.58 reads the first entry alone, so the total has to be in it.
 */
export function sumUsage(entries: readonly TokenUsage[]): TokenUsage | undefined {
  if (entries.length === 0) return undefined;
  const sum: TokenUsage = {};
  for (const label of ['provider', 'model'] as const) {
    const value = entries[0]?.[label];
    if (value !== undefined && entries.every((entry) => entry[label] === value)) sum[label] = value;
  }
  for (const count of COUNTS) {
    for (const entry of entries) {
      const value = entry[count];
      if (value !== undefined) sum[count] = (sum[count] ?? 0) + value;
    }
  }
  return sum;
}

function pickEntry(source: Record<string, unknown>): TokenUsage {
  const entry: TokenUsage = {};
  for (const label of ['provider', 'model'] as const) {
    const value = source[label];
    if (typeof value === 'string') entry[label] = value;
  }
  for (const count of COUNTS) {
    const value = source[count];
    if (typeof value === 'number') entry[count] = value;
  }
  return entry;
}

function fromTanStack(usage: Record<string, unknown>): TokenUsage {
  const detail = (details: unknown, key: string) => (isRecord(details) ? details[key] : undefined);
  return pickEntry({
    inputTokens: usage.promptTokens,
    outputTokens: usage.completionTokens,
    totalTokens: usage.totalTokens,
    reasoningTokens: detail(usage.completionTokensDetails, 'reasoningTokens'),
    cachedInputTokens: detail(usage.promptTokensDetails, 'cachedTokens'),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
