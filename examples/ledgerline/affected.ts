// The answer by code: which merchants can reach a version, computed with the fixture's own router.
import { toMerchant } from './fixture/src/merchant-table.js';
import { attemptPlan } from './fixture/src/routing/retry.js';
import { merchantRows } from './fixture.js';

export interface Affected {
  /** Merchants whose first hop sends the version. */
  direct: string[];
  /** Merchants that reach it only on a later hop. */
  indirect: string[];
}

/** Runs `attemptPlan`, the code that a charge would run, over every row of the table. */
export function computeAffected(version: string): Affected {
  const affected: Affected = { direct: [], indirect: [] };
  for (const merchant of merchantRows().map(toMerchant)) {
    const [first, ...later] = attemptPlan(merchant);
    if (first?.version === version) affected.direct.push(merchant.merchantId);
    else if (later.some((hop) => hop.version === version)) {
      affected.indirect.push(merchant.merchantId);
    }
  }
  return affected;
}

/** The merchant ids in a text, each once, in order. */
export function merchantIdsIn(text: string): string[] {
  return [...new Set(text.match(/\bmer_\d{4}\b/g) ?? [])].sort();
}
