// Scripted turns of the parent: it delegates four times, in three steps or at once, and answers from the records.
import type { Script, Turn } from './turn.js';

const VERSION = '2023-08';

const changelogCall = {
  name: 'changelog_analyst',
  args: {
    task: 'When and how does Norvik retire API version 2023-08, and what differs for a caller between 2023-08 and the version after it?',
    known: ['Announcements have been revised before; a later entry may replace an earlier one.'],
    done_when:
      'The date, what a request gets afterwards, the differences to 2024-11, and what the changelog leaves open.',
    provider: 'Norvik',
    version: VERSION,
  },
};

const adapterCall = {
  name: 'adapter_auditor',
  args: {
    task: 'Which code paths can send a charge to Norvik with version 2023-08, on the first try or on a fallback? State each as a rule over the columns of the merchant table.',
    known: [
      'The merchant table has status, region, primary_adapter, api_version_override and retry_policy (src/merchant-table.ts).',
      'In August it took 80 minutes to find out which adapter takes over in LATAM (postmortem of 2026-08-19).',
    ],
    done_when: 'Every place where a version is chosen is named with file and line.',
    version: VERSION,
    folders: ['src/routing', 'src/providers'],
  },
};

const configCall = {
  name: 'config_analyst',
  args: {
    task: 'Which merchants are affected by the retirement of Norvik API version 2023-08? List every merchant id, and say whether it is affected on the first try or on a fallback only.',
    known: [
      'Affected means: a charge of an active merchant can reach 2023-08, on its first try or on a fallback (runbook).',
    ],
    done_when: 'All ids, in two groups, with the columns that put them there.',
    rules: [
      'primary_adapter = norvik-legacy and no api_version_override: first try on 2023-08',
      'api_version_override = 2023-08 on a norvik adapter: first try on 2023-08',
      'retry_policy = cascade and region = latam: fallback on norvik-legacy with its default 2023-08, whatever the override says',
    ],
  },
};

const productionCall = {
  name: 'production_checker',
  args: {
    task: 'Does production agree with the merchant table for the three merchants that reach Norvik 2023-08 only through the LATAM fallback?',
    known: [
      'A manual override can be in production and not in the table for days (runbook).',
      'config_analyst took the table as authoritative.',
    ],
    done_when:
      'For each of the three: adapter, version override and retry policy in production and in the table, and any manual override.',
    merchant_ids: ['mer_1015', 'mer_1042', 'mer_1046'],
  },
};

/** Before it speaks of a contradiction, the parent reads what the tool had answered. */
const readingProduction: Turn = {
  after: ['manual override, set by on-call on 2026-08-19 at 13:02 UTC'],
  text: 'The override of mer_1046 contradicts the postmortem. Before I say so to the board I read what production answered.',
  calls: [
    {
      name: 'fetch_transcript_span',
      args: (seen) => ({
        ref: /"subagent":"production_checker".*"transcript_ref":"([^"]+)"/.exec(seen)?.[1],
        tool_call_id: 'call_production_checker_2_1',
        max_tokens: 600,
      }),
    },
  ],
};

/** The answer, which every way to the records leads to. */
const answering: Turn = {
  after: ['"tool":"query_production_config"', '2026-08-19T13:02:00Z'],
  text: `Yes. 19 active merchants are affected when Norvik retires 2023-08 on 2027-03-01 at 14:00 UTC (verified; first rehearsal is the brownout of 2027-02-02).

On the first try, 16: mer_1002, mer_1003, mer_1005, mer_1008, mer_1012, mer_1017, mer_1021, mer_1024, mer_1030, mer_1034, mer_1038, mer_1041, mer_1045, mer_1048, mer_1054, mer_1058. Read from the merchant table.
Only on the LATAM fallback, 3: mer_1015, mer_1042, mer_1046. Inferred from routing code and table; for these three production agrees.

Not every one of the 19 loses charges: the auditor infers that a 410 moves a merchant with cascade on to a newer fallback. Pinning legacy rows to 2024-11 is not a fix either (inferred): captures would still use the old endpoint, which fits the two failed captures of mer_1020 in the handover.

How sure: the 16 rest on the assumption that the table is what production runs; that was not checked for them, and would take four more approved reads. It is also assumed that nothing outside src/ calls Norvik, and that the changelog in the repository is complete.

What we do not know: whether webhooks in the old format stop (ask Norvik partner support); how many LATAM charges take the fallback (data platform); whether the paused merchants mer_1013, mer_1044 and mer_1057 come back before March; and who meant the override of mer_1046 to stay. It was set at 13:02 on 2026-08-19, while the postmortem says at 12:58 that such overrides were declined. I would clear that up before this afternoon.`,
};

export const parent: Script = {
  speaker: 'You are the payments assistant of Ledgerline',
  about: 'Have it researched',
  turns: [
    {
      text: 'Two things can be looked up independently: what exactly Norvik retires, and which of our code paths send that version. I delegate both, and the merchants after that.',
      calls: [changelogCall, adapterCall],
    },
    {
      after: ['LATAM', 'latam that is norvik-legacy', '2027-03-01 at 14:00 UTC'],
      text: 'The auditor found an indirect path: cascade in LATAM falls back to the legacy adapter. Its rules are what the table has to be queried with.',
      calls: [configCall],
    },
    {
      after: ['19 affected merchants', 'mer_1015 (norvik-v3)'],
      text: 'Nineteen, if the table is right, and that is an assumption of the analyst. The three indirect ones are the surprising part, so I have them checked against production.',
      calls: [productionCall],
    },
    readingProduction,
    answering,
  ],
};

/** What the records of the first three say that the parent builds on. */
const THREE_RECORDS = ['latam that is norvik-legacy', '2027-03-01 at 14:00 UTC', '19 affected merchants'];

const UNCHECKED = `19 active merchants are affected by the table and the code when Norvik retires 2023-08 on 2027-03-01 at 14:00 UTC: 16 on the first try, and mer_1015, mer_1042 and mer_1046 on the LATAM fallback.

How sure: production was not read, because the approval was declined. So all 19 rest on the assumption that the table is what production runs; the three on the fallback are inferred from routing code and table.

What we do not know: whether production agrees for those three, which that one read would settle; whether webhooks in the old format stop; how many LATAM charges take the fallback; whether the paused merchants come back before March.`;

const NARROWED = UNCHECKED.replace(
  'production was not read, because the approval was declined',
  'production was read in part, because the approval was narrowed',
);

const STOPPED = `You stopped a subagent before it had returned, so I answer no more than the records of the others say; they are merged below.

What the stopped one was to look up stays open. Ask again, and it is looked up.`;

/** For the chat page: four briefs that do not wait for each other. */
export const parentAtOnce: Script = {
  speaker: 'You are the payments assistant of Ledgerline',
  about: 'Look into all four at once',
  turns: [
    {
      text: 'Four things that can be looked up side by side: what exactly Norvik retires, which of our code paths send that version, which merchants the runbook makes affected, and what production runs for the three you suspect.',
      calls: [
        changelogCall,
        adapterCall,
        {
          ...configCall,
          args: {
            ...configCall.args,
            known: [
              ...configCall.args.known,
              'The rules are suspected; adapter_auditor reads the code at the same time.',
            ],
          },
        },
        {
          ...productionCall,
          args: {
            ...productionCall.args,
            task: 'Does production agree with the merchant table for three merchants that are suspected to reach Norvik 2023-08 through the LATAM fallback?',
            known: productionCall.args.known.slice(0, 1),
          },
        },
      ],
    },
    [
      { ...readingProduction, after: [...THREE_RECORDS, ...(readingProduction.after ?? [])] },
      { after: [...THREE_RECORDS, 'the read was declined'], text: UNCHECKED },
      { after: [...THREE_RECORDS, 'the approval was narrowed'], text: NARROWED },
      { after: ["the child's run was cancelled"], text: STOPPED },
    ],
    answering,
  ],
};

/** For the chat page: a question that a record leaves open, asked from its card. */
export const followUp: Script = {
  speaker: 'You are the payments assistant of Ledgerline',
  about: 'Follow up:',
  turns: [
    {
      text: 'A model that is not scripted would now send a subagent with this question, told what would settle it and where nobody need look again.',
    },
  ],
};
