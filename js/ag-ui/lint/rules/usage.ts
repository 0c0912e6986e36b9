// Rules of token usage: every count is a total or a part of one, and the run's covers its subagents'.
import type { TokenUsage } from '../../events.js';
import { COUNTS, sumUsage } from '../../usage.js';
import { type Rule, rule } from '../rule.js';
import type { Subagent } from '../run.js';
import type { Thread } from '../thread.js';

const page = 'events/lifecycle#token-usage';

export const usage: readonly Rule[] = [
  rule(
    {
      id: 'usage-parts',
      page,
      sentence: 'Cached and reasoning tokens are parts of the input and output counts, never more than them.',
    },
    ['RUN_FINISHED', 'RUN_ERROR'],
    (event, _thread, report) => {
      for (const entry of event.usage ?? []) {
        const {
          inputTokens,
          outputTokens,
          cachedInputTokens = 0,
          cacheWriteInputTokens = 0,
          reasoningTokens = 0,
        } = entry;
        const cached = cachedInputTokens + cacheWriteInputTokens;
        if (inputTokens !== undefined && cached > inputTokens) {
          report(`${cached} cached input tokens of ${inputTokens}`);
        }
        if (outputTokens !== undefined && reasoningTokens > outputTokens) {
          report(`${reasoningTokens} reasoning tokens of ${outputTokens} output tokens`);
        }
      }
    },
  ),
  rule(
    {
      id: 'usage-total',
      severity: 'warning',
      page,
      sentence: 'totalTokens is inputTokens plus outputTokens.',
    },
    ['RUN_FINISHED', 'RUN_ERROR'],
    (event, _thread, report) => {
      for (const { inputTokens, outputTokens, totalTokens } of event.usage ?? []) {
        if (inputTokens === undefined || outputTokens === undefined || totalTokens === undefined) continue;
        if (inputTokens + outputTokens !== totalTokens) {
          report(`a total of ${totalTokens}, and ${inputTokens} in and ${outputTokens} out`);
        }
      }
    },
  ),
  rule(
    {
      id: 'usage-repeated',
      severity: 'warning',
      page,
      sentence: 'Usage has one entry per provider and model.',
    },
    ['RUN_FINISHED', 'RUN_ERROR'],
    (event, _thread, report) => {
      const given = event.usage?.length ?? 0;
      const summed = sumUsage(event.usage ?? []).length;
      if (summed < given) report(`${given} entries for ${summed} models`);
    },
  ),
  rule(
    {
      id: 'usage-rollup',
      page,
      sentence: "A run's usage covers every model call made in it, its subagents' included.",
    },
    ['RUN_FINISHED', 'RUN_ERROR'],
    (event, thread, report) => {
      // A run that failed may not know what it cost.
      if (event.type === 'RUN_ERROR' && event.usage === undefined) return;
      const children = leastOf(thread);
      const total = totals(event.usage ?? []);
      for (const count of COUNTS) {
        const least = children[count] ?? 0;
        if (least > (total[count] ?? 0)) {
          report(`the subagents report ${least} ${count}, and the run ${total[count] ?? 'none'}`);
        }
      }
    },
  ),
];

/** What the subagents report in all. One that delegates may have counted its own subagents in, or left them out. */
function leastOf(thread: Thread): TokenUsage {
  const inside = new Map<string | undefined, TokenUsage>();
  // A parent is announced before its children.
  for (const subagent of [...(thread.run?.subagents.values() ?? [])].reverse()) {
    const own = atLeast(totals(subagent.usage), inside.get(subagent.id) ?? {});
    const parent = parentIn(thread, subagent);
    inside.set(parent, totals([inside.get(parent) ?? {}, own]));
  }
  return inside.get(undefined) ?? {};
}

function parentIn(thread: Thread, { id, parent }: Subagent): string | undefined {
  return parent !== undefined && parent !== id && thread.run?.subagents.has(parent) ? parent : undefined;
}

function totals(entries: readonly TokenUsage[]): TokenUsage {
  return sumUsage(entries.map(({ provider: _provider, model: _model, ...counts }) => counts))[0] ?? {};
}

function atLeast(left: TokenUsage, right: TokenUsage): TokenUsage {
  const most: TokenUsage = {};
  for (const count of COUNTS) {
    const value = Math.max(left[count] ?? 0, right[count] ?? 0);
    if (value > 0) most[count] = value;
  }
  return most;
}
