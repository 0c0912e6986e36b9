// Merging and rendering many children's records: the time a child, which must not grow with their number.
import { compileContract, mergeResultsText, renderForParent, researchResult } from 'subcontract';
import { interleave } from './timing.mjs';

const COUNTS = [4, 64, 4096];

/** One child of `count`: claims of its own and claims that others make too, gaps that some share. @param {number} at */
function child(at) {
  const claim = (/** @type {number} */ n) => `the adapter of merchant ${n} pins version ${n % 7}`;
  const result = {
    findings: [at, at + 1, at % 5].map((n, index) => ({
      claim: claim(n),
      provenance: [`src/adapters/${n}.ts:${n % 90}`, `merchants.version:${at}`],
      confidence: ['verified', 'inferred', 'reported'][(at + index) % 3],
    })),
    assumptions: ['the merchant table is current', `region ${at % 9} is live`],
    unresolved: [{ question: `does region ${at % 9} fall back?`, would_settle_it: 'the routing log' }],
    coverage: { searched: [`src/${at % 11}`], not_searched: ['logs', `docs/${at % 13}`] },
    effort: { tool_calls: at % 6, budget_exhausted: false },
  };
  return JSON.stringify({ id: `run-${at}`, result });
}

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export function merging(report, { quick }) {
  const contract = compileContract(researchResult);
  const inputs = COUNTS.map((count) => Array.from({ length: count }, (_, at) => child(at)));
  const merged = inputs.map((children) => mergeResultsText(contract, children));
  const options = { rounds: quick ? 3 : 15 };
  const times = interleave(
    COUNTS.map((count, index) => ({
      name: `${count}`,
      run: () => mergeResultsText(contract, inputs[index] ?? []).length > 0,
    })),
    options,
  );
  // A budget of half the text, so that the search for what to drop is part of it.
  const rendering = interleave(
    COUNTS.map((count, index) => {
      const text = merged[index] ?? '';
      const whole = renderForParent(text, { maxTokens: 1e9, countTokens: (line) => line.length });
      const maxTokens = 'tokens' in whole ? Math.round(whole.tokens * 0.8) : 0;
      return {
        name: `${count}`,
        run: () => 'text' in renderForParent(text, { maxTokens, countTokens: (line) => line.length }),
      };
    }),
    options,
  );
  for (const [what, figures] of /** @type {const} */ ([
    ['merge', times],
    ['render', rendering],
  ])) {
    const each = COUNTS.map((count) => (figures[`${count}`] ?? Number.NaN) / count);
    COUNTS.forEach((count, index) => {
      report.add(`${what} ${count} children: time a child`, each[index] ?? Number.NaN, null, {
        unit: 'ns',
        as: 'share',
      });
    });
    report.add(`${what}: time a child of 4096, share of that of 64`, each[2] ?? Number.NaN, each[1] ?? Number.NaN, {
      unit: 'ns',
      as: 'share',
    });
  }
  contract.free();
}
