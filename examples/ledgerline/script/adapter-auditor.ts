// Scripted turns of adapter_auditor: its first return breaks the contract in three ways and is repaired.
import type { StrictResearchResult } from 'subcontract';
import { cite, type Script } from './turn.js';

const NORVIK = 'src/providers/norvik';

const record: StrictResearchResult = {
  findings: [
    {
      claim: 'The adapter norvik-legacy sends version 2023-08 unless the merchant row pins another one.',
      provenance: [
        cite(`${NORVIK}/legacy-adapter.ts`, 'defaultVersion: NORVIK_2023_08'),
        cite(`${NORVIK}/versions.ts`, "NORVIK_2023_08 = '2023-08'"),
      ],
      confidence: 'verified',
    },
    {
      claim:
        'api_version_override in the row replaces the default of the primary adapter, so a norvik-v2 row pinned to 2023-08 sends 2023-08.',
      provenance: [cite('src/routing/resolve.ts', 'merchant.apiVersionOverride ?? adapter.defaultVersion')],
      confidence: 'verified',
    },
    {
      claim:
        "With retry policy cascade a failed charge goes to the region's fallback adapter on its default version, whatever the row pins; for latam that is norvik-legacy, hence 2023-08.",
      provenance: [
        cite('src/routing/retry.ts', 'return fallback === null'),
        cite('src/routing/fallback.ts', "latam: 'norvik-legacy'"),
        cite('src/routing/fallback.ts', 'version: adapterNamed(name).defaultVersion'),
      ],
      confidence: 'verified',
    },
    {
      claim: 'Merchants that are paused or closed are refused before routing.',
      provenance: [cite('src/routing/resolve.ts', "merchant.status === 'active'")],
      confidence: 'verified',
    },
    {
      claim:
        'Pinning a norvik-legacy row to 2024-11 is no migration: charges work, but captures still use the old endpoint and would fail.',
      provenance: [
        cite(`${NORVIK}/legacy-adapter.ts`, 'The path is the one of 2023-08'),
        cite(`${NORVIK}/legacy-adapter.ts`, '/capture`,'),
      ],
      confidence: 'inferred',
    },
    {
      claim:
        'HTTP 410 counts as safe to retry, so an affected merchant with cascade and a newer fallback would lose its first try and not the charge.',
      provenance: [
        cite('src/idempotency.ts', 'httpStatus === 410'),
        cite('src/routing/execute.ts', 'if (!isSafeToRetry'),
        cite('src/routing/fallback.ts', "emea: 'norvik-v2'"),
      ],
      confidence: 'inferred',
    },
    {
      claim: 'Five merchants were pinned back to 2023-08 during the migration of 2025.',
      provenance: [cite(`${NORVIK}/v2-adapter.ts`, 'pinned back to 2023-08 during')],
      confidence: 'reported',
    },
  ],
  assumptions: [
    'Nothing outside src/ calls Norvik; jobs for refunds or payouts in other repositories were not given.',
    'The transport adds no version header of its own.',
  ],
  unresolved: [
    {
      question: 'How many LATAM charges take the fallback in a normal month?',
      would_settle_it:
        'Charges counted by the adapter that sent them, from the data platform; the code keeps no such count.',
    },
    {
      question: 'Is the LATAM fallback still needed on the legacy adapter?',
      would_settle_it: "The certification state of the acquirers, from Norvik's changelog or partner team.",
    },
  ],
  coverage: {
    searched: ['src/routing', 'src/providers/norvik', 'src/idempotency.ts'],
    not_searched: ['the deployed build (only the source tree was read)', 'src/providers/norvik/webhooks.ts'],
  },
  effort: { tool_calls: 8, budget_exhausted: false },
};

/** The first try: a confidence word of its own, a field of its own, and a question left without a way to settle it. */
function firstTry() {
  const findings = record.findings.map((finding, index) => {
    if (index === 2) return { ...finding, severity: 'high' };
    if (index === 4) return { ...finding, confidence: 'likely' };
    return finding;
  });
  const [first, ...others] = record.unresolved;
  return { ...record, findings, unresolved: [{ question: first?.question }, ...others] };
}

export const adapterAuditor: Script = {
  speaker: 'You are adapter_auditor',
  turns: [
    {
      text: 'I start with who names the version, and who chooses one.',
      calls: [
        { name: 'search_files', args: { text: '2023', path: 'src/' } },
        { name: 'search_files', args: { text: 'defaultVersion', path: 'src/' } },
      ],
    },
    {
      after: ['legacy-adapter.ts', 'src/routing/fallback.ts'],
      text: 'The version is chosen in two places: the adapter, and something in routing/fallback.ts.',
      calls: [
        { name: 'read_lines', args: { path: `${NORVIK}/legacy-adapter.ts`, from: 1, to: 60 } },
        { name: 'read_lines', args: { path: 'src/routing/resolve.ts', from: 1, to: 60 } },
        { name: 'read_lines', args: { path: 'src/routing/fallback.ts', from: 1, to: 60 } },
        { name: 'read_lines', args: { path: 'src/routing/retry.ts', from: 1, to: 60 } },
      ],
    },
    {
      after: ["latam: 'norvik-legacy'", 'return fallback === null'],
      text: 'So there is an indirect path: cascade in LATAM. What happens to a 410 on the first hop?',
      calls: [
        { name: 'read_lines', args: { path: 'src/routing/execute.ts', from: 1, to: 60 } },
        { name: 'read_lines', args: { path: 'src/idempotency.ts', from: 1, to: 60 } },
      ],
    },
    {
      after: ['httpStatus === 410', 'if (!isSafeToRetry'],
      text: 'I have the paths.',
      calls: [{ name: 'research_result', args: firstTry() }],
    },
    {
      text: 'Three things to mend; the findings themselves stay.',
      calls: [{ name: 'research_result', args: record }],
    },
  ],
};
