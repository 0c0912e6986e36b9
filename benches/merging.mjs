// Merging and rendering many children's records: the time a child, which must not grow with their number.
import { compileContract, mergeResultsText, renderForParent, researchResult } from 'subcontract';

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
  const rounds = quick ? 3 : 12;
  const countTokens = (/** @type {string} */ text) => text.length;
  const each = COUNTS.map((count) => {
    const children = Array.from({ length: count }, (_, at) => child(at));
    const merged = mergeResultsText(contract, children);
    const whole = renderForParent(merged, { maxTokens: 1e9, countTokens });
    // A budget that something must go for, so that the search for it is part of the figure.
    const maxTokens = 'tokens' in whole ? Math.round(whole.tokens * 0.8) : 0;
    return {
      merge: nanosecondsPerChild(count, rounds, () => mergeResultsText(contract, children)),
      render: nanosecondsPerChild(count, rounds, () => renderForParent(merged, { maxTokens, countTokens })),
    };
  });
  for (const what of /** @type {const} */ (['merge', 'render'])) {
    COUNTS.forEach((count, index) => {
      const time = each[index]?.[what] ?? Number.NaN;
      report.add(`${what} ${count} children: time a child`, time, null, { unit: 'ns', as: 'share' });
    });
    const [, some, many] = each.map((figures) => figures[what]);
    report.add(`${what}: time a child of 4096, share of that of 64`, many ?? Number.NaN, some ?? Number.NaN, {
      unit: 'ns',
      as: 'share',
    });
  }
  contract.free();
}

/** Time of the processor and not of the wall, the least of several rounds, each of as many children. @param {number} count @param {number} rounds @param {() => unknown} run */
function nanosecondsPerChild(count, rounds, run) {
  const calls = Math.max(1, Math.round(4096 / count));
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) run();
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 1e3) / calls / count;
  });
  return Math.min(...times);
}
