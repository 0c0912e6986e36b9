// The types of page.mjs, for tests.
export function buildLedgerlinePage(): Promise<string>;
export function buildCardsBench(): Promise<string>;
