// Token usage: reads AG-UI's `usage[]` and TanStack AI's object, and adds it up per provider and model.

import { isRecord } from '../wire.js';
import type { TokenUsage } from './events.js';

/** The counts of a usage entry. */
export const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const;

/** Reads the `usage` of a RUN_FINISHED or RUN_ERROR in either form; anything else is no usage. */
export function readUsage(usage: unknown, model?: string): TokenUsage[] {
  const entries = Array.isArray(usage) ? usage : [usage];
  return entries
    .filter(isRecord)
    .map((entry) => {
      const input = isRecord(entry.promptTokensDetails) ? entry.promptTokensDetails : {};
      const output = isRecord(entry.completionTokensDetails) ? entry.completionTokensDetails : {};
      const out: TokenUsage = {};
      const name = text(entry.model) ?? model;
      if (text(entry.provider) !== undefined) out.provider = text(entry.provider);
      if (name !== undefined) out.model = name;
      const counts = {
        inputTokens: entry.inputTokens ?? entry.promptTokens,
        outputTokens: entry.outputTokens ?? entry.completionTokens,
        totalTokens: entry.totalTokens,
        reasoningTokens: entry.reasoningTokens ?? output.reasoningTokens,
        cachedInputTokens: entry.cachedInputTokens ?? input.cachedTokens,
        cacheWriteInputTokens: entry.cacheWriteInputTokens ?? input.cacheWriteTokens,
      };
      for (const count of COUNTS) {
        // A client refuses the whole run for a count that is no whole number, or beyond what one can be.
        const value = typeof counts[count] === 'number' ? Math.ceil(counts[count]) : undefined;
        if (Number.isSafeInteger(value) && (value as number) >= 0) out[count] = value;
      }
      // The protocol's total is the sum of the two; some providers count differently.
      const { inputTokens, outputTokens } = out;
      if (out.totalTokens !== undefined && inputTokens !== undefined && outputTokens !== undefined) {
        out.totalTokens = added(inputTokens, outputTokens);
      }
      return out;
    })
    .filter((entry) => COUNTS.some((count) => entry[count] !== undefined));
}

/** Adds usage up: one entry per provider and model, in the order they first appear. What nobody reported stays absent. */
export function sumUsage(entries: Iterable<TokenUsage>): TokenUsage[] {
  const sums = new Map<string, TokenUsage>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.provider ?? null, entry.model ?? null]);
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { ...entry });
      continue;
    }
    for (const count of COUNTS) {
      const value = entry[count];
      if (value !== undefined) sum[count] = added(sum[count] ?? 0, value);
    }
  }
  return [...sums.values()];
}

/** The sums as a field; none when nobody reported anything. */
export function usageField(entries: Iterable<TokenUsage>): { usage?: TokenUsage[] } {
  const usage = sumUsage(entries);
  return usage.length > 0 ? { usage } : {};
}

/** A sum that is still a count. */
function added(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
