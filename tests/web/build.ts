// Builds the chat page before its tests, unless it is built.
import { buildLedgerlinePage } from '../../scripts/setup/page.mjs';

export async function setup(): Promise<void> {
  await buildLedgerlinePage();
}
