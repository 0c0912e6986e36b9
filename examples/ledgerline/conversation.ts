// The parent's conversation before it delegates: a working morning, with real documents pasted in.
import { fixtureText } from './fixture.js';

export const PARENT_PROMPT = `You are the payments assistant of Ledgerline, a company that takes payments for about sixty merchants.
You help the payments platform team. For research you delegate to your subagents: give each a short, self-contained brief, wait for its record, and build the next brief on what the records say.
Answer from the records. State a finding as fact only when it is verified; pass on assumptions, open questions and what was not searched. Name merchants by their ids.`;

export interface Spoken {
  role: 'user' | 'assistant';
  content: string;
}

const pasted = (path: string) => `--- ${path} ---\n${fixtureText(path).trimEnd()}`;

/** The earlier turns. The documents are the fixture's; the replies are written for this demo. */
export const EARLIER: Spoken[] = [
  {
    role: 'user',
    content: `Morning. This is the handover from last week's on-call. Anything I should act on before lunch?\n\n${pasted('docs/handover-2026-11-27.md')}`,
  },
  {
    role: 'assistant',
    content:
      'Two things. mer_1020 (Fjordline Ferries) had two captures fail with 404 on 2026-11-18 and the ticket has no owner: assign it. And nobody has looked at the Norvik retirement although the board asked on Thursday. The sandbox slowness and the SFTP certificate can wait; the certificate has an owner. I would not repeat the "most of your traffic has left" line from the Norvik mail, since they did not say how they count.',
  },
  {
    role: 'user',
    content: `Agreed. I have to talk about the August incident this afternoon too. Here are the postmortem and our runbook. What would the board ask?\n\n${pasted('docs/postmortem-2026-08-19.md')}\n\n${pasted('docs/runbook.md')}`,
  },
  {
    role: 'assistant',
    content:
      'Likely questions: why it took 80 minutes to learn which adapter takes over in LATAM (it is in code only, and the action to document it is still open); whether anyone was charged twice (none found, but the check covered charges above 50 EUR only); and whether customers came back (62 %, an estimate from device fingerprints). One more to be ready for: three of five actions are open or were declined. I would bring a date for the runbook entry.',
  },
  {
    role: 'user',
    content: `And the October settlement, who carries the most volume, and does anything look odd?\n\n${pasted('docs/settlement-2026-10.csv')}`,
  },
  {
    role: 'assistant',
    content:
      'By gross amount in minor units, each in its own currency: mer_1060 Zephyr Drones (239.0 M, USD), mer_1037 Minka Ceramics (235.7 M, SGD), mer_1024 Harbour Fish Co (219.4 M, SGD), mer_1041 Oakline Insurance (211.4 M, SGD). I did not convert currencies, so the order is rough. Refunds are highest at mer_1020 Fjordline Ferries (6.0 % of gross), which also has the failed captures; whether the two are related I cannot tell from this file.',
  },
  {
    role: 'user',
    content: `Quick review before I merge the change to idempotency: do these three still fit together?\n\n${['src/idempotency.ts', 'src/routing/execute.ts', 'src/providers/norvik/client.ts'].map(pasted).join('\n\n')}`,
  },
  {
    role: 'assistant',
    content:
      'They fit. `executeCharge` gives every hop its own key through `providerKey`, and only moves on when `isSafeToRetry` says that nothing was charged. One remark: `isTerminal` in the client is not used by `executeCharge`, so a terminal error code with a retryable status is decided by the status alone. That may be intended; a comment would help.',
  },
];

/** What the user wants to know, and what makes the parent delegate. */
export const QUESTION =
  'Now the Norvik question, for the board. Norvik retires API version 2023-08. Does any of our merchants break, which ones exactly, and how sure are we? "Affected" as in the runbook: a charge can reach the retired version, on the first try or on a fallback. Have it researched; I want the merchant ids and everything that we do not know.';

/** The same for the chat page, where whoever asks knows already what to look at: four briefs that do not wait for each other. */
export const QUESTION_AT_ONCE =
  'Now the Norvik question, for the board. Norvik retires API version 2023-08. Does any of our merchants break, which ones exactly, and how sure are we? "Affected" as in the runbook: a charge can reach the retired version, on the first try or on a fallback; in LATAM that is the cascade. I suspect mer_1015, mer_1042 and mer_1046 of it: have production checked for those. Look into all four at once: changelog, code, table, production. I want the merchant ids and everything that we do not know.';
