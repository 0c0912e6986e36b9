// Scripted turns of changelog_analyst: finds the entries, reads the changelog, returns at once.
import type { StrictResearchResult } from 'subcontract';
import { cite, type Script } from './turn.js';

const CHANGELOG = 'provider/norvik-changelog.md';
const at = (text: string) => cite(CHANGELOG, text);

const record: StrictResearchResult = {
  findings: [
    {
      claim:
        'Norvik retires API version 2023-08 on 2027-03-01 at 14:00 UTC; the date 2027-01-15 of the first announcement no longer holds.',
      provenance: [at('retirement of 2023-08 from 2027-01-15 to'), at('[Date replaced, see 2026-10-21.]')],
      confidence: 'verified',
    },
    {
      claim:
        'From then on a request with Norvik-Version 2023-08 is answered with HTTP 410 version_retired before it is processed, and nothing is upgraded automatically.',
      provenance: [at('is answered with HTTP 410'), at('refunded. There is no automatic upgrade')],
      confidence: 'verified',
    },
    {
      claim:
        'Two brownouts with the same behaviour come first, on 2027-02-02 and 2027-02-16 from 14:00 to 15:00 UTC; the sandbox loses 2023-08 on 2027-01-18.',
      provenance: [at('Two brownouts precede it'), at('Sandbox accounts lose 2023-08')],
      confidence: 'verified',
    },
    {
      claim:
        'Moving a caller to 2024-11 changes amounts (integers instead of decimal strings), the capture flag, the capture endpoint, the settlement reference and the webhook signature; the old capture endpoint answers 404.',
      provenance: [
        at('| amounts'),
        at('| capture flag'),
        at('| webhook signature'),
        at('answers 404. A decimal string'),
      ],
      confidence: 'verified',
    },
    {
      claim: 'Charges created under 2023-08 can still be captured and refunded afterwards with 2024-11.',
      provenance: [at('Charges created under 2023-08 stay readable')],
      confidence: 'reported',
    },
    {
      claim:
        'The acquirers in Brazil, Chile and Colombia are certified for 2024-11 and 2026-02; certification for Peru is expected before the end of 2026.',
      provenance: [at('The acquirers in Brazil, Chile and Colombia')],
      confidence: 'reported',
    },
    {
      claim:
        'A 3-D Secure session opened under 2023-08 in the last 30 minutes before the retirement cannot be completed by the customer.',
      provenance: [at('A 3-D Secure session is bound to the version'), at('is answered with HTTP 410')],
      confidence: 'inferred',
    },
  ],
  assumptions: [
    'The changelog file is complete and current; its newest entry is of 2026-11-12.',
    'The entry of 2026-10-21 replaces the date of 2026-06-03 and nothing else, as it says of itself.',
  ],
  unresolved: [
    {
      question:
        'Do webhook endpoints created under 2023-08 keep sending events in the old format after the retirement, or do they stop?',
      would_settle_it:
        "A written answer from Norvik's partner support; the entries of 2025-12-01 and 2026-06-03 leave it open.",
    },
    {
      question: 'Does the status page count traffic by merchant anywhere, or only by account and request?',
      would_settle_it: "Norvik's console with an account login; the entry of 2026-11-12 speaks of requests.",
    },
  ],
  coverage: {
    searched: ['provider/norvik-changelog.md, every entry'],
    not_searched: ["Norvik's API reference and migration guide, which are not in the repository"],
  },
  effort: { tool_calls: 3, budget_exhausted: false },
};

export const changelogAnalyst: Script = {
  speaker: 'You are changelog_analyst',
  turns: [
    {
      text: 'First, every place where the changelog speaks of 2023-08.',
      calls: [{ name: 'search_files', args: { text: '2023-08', path: 'provider/' } }],
    },
    {
      after: ['new date for the retirement of 2023-08'],
      text: 'There is a later entry that moves the date. I will read the whole file, not only the hits.',
      calls: [
        { name: 'read_lines', args: { path: CHANGELOG, from: 1, to: 75 } },
        { name: 'read_lines', args: { path: CHANGELOG, from: 76, to: 112 } },
      ],
    },
    {
      after: ['2027-03-01, 14:00 UTC', 'session_version_mismatch', 'A webhook endpoint sends events'],
      text: 'The date, the behaviour and the differences are in the file; webhooks after the retirement are not.',
      calls: [{ name: 'research_result', args: record }],
    },
  ],
};
