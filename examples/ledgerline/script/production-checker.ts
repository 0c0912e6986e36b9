// Scripted turns of production_checker: it asks for an approval in the middle, and goes on after it.
import type { StrictResearchResult } from 'subcontract';
import type { Script } from './turn.js';

const IDS = ['mer_1015', 'mer_1042', 'mer_1046'];
const production = (field: string) => `production configuration, ${field}, retrieved_at 2026-11-29T06:00:00Z`;

const record: StrictResearchResult = {
  findings: [
    {
      claim:
        'For mer_1015, mer_1042 and mer_1046 production has the primary adapter, version override and retry policy that the table has.',
      provenance: [
        'merchants.primary_adapter',
        'merchants.api_version_override',
        'merchants.retry_policy',
        production('merchants'),
      ],
      confidence: 'verified',
    },
    {
      claim:
        'The retry policy cascade of mer_1046 is a manual override, set by on-call on 2026-08-19 at 13:02 UTC and still in force.',
      provenance: [production('mer_1046.manual_override')],
      confidence: 'verified',
    },
    {
      claim:
        'The fallback is in use: mer_1015 charged through it on 2026-11-21, mer_1042 on 2026-08-19, mer_1046 never.',
      provenance: [production('last_charge_on_fallback')],
      confidence: 'reported',
    },
  ],
  assumptions: ['The production snapshot of 2026-11-29 06:00 UTC still holds; it is a day old.'],
  unresolved: [
    {
      question: 'Is the manual override of mer_1046 meant to stay?',
      would_settle_it: 'Whoever set it, or merchant operations.',
    },
    {
      question: 'Does production match the table for the 16 merchants affected on the first try?',
      would_settle_it: 'Four more approved reads, of at most five merchants each.',
    },
  ],
  coverage: {
    searched: ['merchants.csv, three rows', 'production configuration of mer_1015, mer_1042, mer_1046'],
    not_searched: ['production configuration of the other 57 merchants, which the approval does not cover'],
  },
  effort: { tool_calls: 2, budget_exhausted: false },
};

/** What is left to say when the read of production was declined. */
const unapproved: StrictResearchResult = {
  findings: [
    {
      claim: 'In the table all three are active, with retry policy cascade; nothing was read of production.',
      provenance: ['merchants.status', 'merchants.retry_policy'],
      confidence: 'verified',
    },
  ],
  assumptions: ['The merchant table is what production runs for mer_1015, mer_1042 and mer_1046.'],
  unresolved: [
    {
      question: 'Does production agree with the table for mer_1015, mer_1042 and mer_1046?',
      would_settle_it: 'The read of production that the on-call lead declined.',
    },
  ],
  coverage: {
    searched: ['merchants.csv, three rows'],
    not_searched: ['production configuration: the read was declined'],
  },
  effort: { tool_calls: 1, budget_exhausted: false },
};

/** What was read of production when whoever approved it left some of the three out. */
function narrowed(seen: string): StrictResearchResult {
  const read = [...seen.matchAll(/"(mer_\d+)":/g)].map(([, id]) => id);
  const left = IDS.filter((id) => !read.includes(id));
  return {
    findings: [
      {
        claim: `Of production the approval left ${read.join(', ')} to be read; their configuration is in the transcript.`,
        provenance: [production('merchants')],
        confidence: 'verified',
      },
    ],
    assumptions: [`The merchant table is what production runs for ${left.join(', ')}.`],
    unresolved: [
      {
        question: `Does production agree with the table for ${left.join(', ')}?`,
        would_settle_it: 'A read of production that covers them.',
      },
    ],
    coverage: {
      searched: ['merchants.csv, three rows', `production configuration of ${read.join(', ')}`],
      not_searched: [`production configuration of ${left.join(', ')}: the approval was narrowed`],
    },
    effort: { tool_calls: 2, budget_exhausted: false },
  };
}

export const productionChecker: Script = {
  speaker: 'You are production_checker',
  turns: [
    {
      text: 'What the table says about the three first.',
      calls: [
        {
          name: 'query_merchants',
          args: {
            where: [{ column: 'merchant_id', is_one_of: IDS }],
            columns: ['merchant_id', 'status', 'primary_adapter', 'api_version_override', 'retry_policy'],
          },
        },
      ],
    },
    {
      after: ['mer_1015,active,norvik-v3,,cascade'],
      text: 'Production next. That needs an approval.',
      calls: [
        {
          name: 'query_production_config',
          args: {
            merchant_ids: IDS,
            reason:
              'Norvik retires 2023-08: these three reach it only through the LATAM fallback, does production agree?',
          },
        },
      ],
    },
    [
      {
        after: ['"taken_at":"2026-11-29T06:00:00Z"', '2026-08-19T13:02:00Z', '2026-11-21T17:42:08Z'],
        text: 'They agree, and one of them is a leftover of the August incident.',
        calls: [{ name: 'research_result', args: record }],
      },
      {
        after: ['declined tool execution'],
        text: 'The read was declined, so the question stays open.',
        calls: [{ name: 'research_result', args: unapproved }],
      },
      {
        after: ['"taken_at":"2026-11-29T06:00:00Z"'],
        text: 'The approval covers some of the three. The others stay open.',
        calls: [{ name: 'research_result', args: narrowed }],
      },
    ],
  ],
};
