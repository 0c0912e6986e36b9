// The types of page.mjs, for tests.
export function buildLedgerlinePage(): Promise<void>;
