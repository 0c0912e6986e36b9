// Scripted free summaries: what the arm without a contract gets, written for this demo and not by a model.
import type { Script } from './turn.js';

const summary = (agent: string, text: string): Script => ({
  speaker: 'You summarise the work of a subagent',
  about: `Subagent: ${agent}`,
  turns: [{ text: text.trim().replaceAll('\n', ' ') }],
});

export const summaries: Script[] = [
  summary(
    'changelog_analyst',
    `
Norvik will retire API version 2023-08 on 2027-03-01 at 14:00 UTC. The date was originally announced as 2027-01-15 and was moved by an
entry of 2026-10-21, which leaves the rest of the announcement unchanged. After the retirement, every request that carries the header
Norvik-Version: 2023-08 is refused with HTTP 410 and the code version_retired. The refusal happens before processing, so nothing is
authorised, captured or refunded, and Norvik does not upgrade requests automatically. Two brownouts precede the date, on 2027-02-02 and
2027-02-16 between 14:00 and 15:00 UTC, and the sandbox loses the version already on 2027-01-18. Callers that move to 2024-11 have to
send integer amounts in minor units instead of decimal strings, use capture_method instead of the capture flag, capture through
POST /captures, reconcile on UUIDs instead of NV references, and verify webhooks with the SHA-256 signature. The old capture endpoint
answers 404 from 2024-11 on. According to Norvik, charges created under 2023-08 remain readable and can be captured or refunded
afterwards with 2024-11. Customers
with a 3-D Secure session opened under 2023-08 shortly before the retirement will not be able to complete it, because a session is
bound to its version. In South America the acquirers in Brazil, Chile and Colombia are certified for the newer versions, and certification for
Peru is expected before the end of 2026. Accounts that send no version header follow the default version of the account and are moved to
2024-11 on the day of the retirement. Webhook endpoints keep the version with which they were created; to change it, a new endpoint
has to be created and the old one deleted. It is unclear whether endpoints created under 2023-08 keep sending webhook events in the
old format after the retirement or stop. Overall the retirement is well documented, and the provider does not plan to move the date
again.
`,
  ),
  summary(
    'adapter_auditor',
    `
The code has three ways to send a charge to Norvik with version 2023-08. First, the adapter norvik-legacy uses it as its default, so
every merchant row with that adapter and no override sends it. Second, a row can pin a version through api_version_override, which
replaces the default of the primary adapter; rows on norvik-v2 that are pinned to 2023-08 therefore send it as well. Five merchants
were pinned back to 2023-08 during the migration of 2025. Third, there is an indirect path that is easy to miss: with the retry policy
cascade, a failed charge is sent to the fallback adapter of the region on that adapter's default version, whatever the row pins. In
LATAM the fallback is norvik-legacy, so a LATAM merchant with cascade can reach 2023-08 even if its primary adapter is norvik-v3 or
Kestrel. The fallbacks of the other regions are norvik-v2 for EMEA and North America and Kestrel for APAC, none of which uses 2023-08.
Paused and closed merchants are refused before routing. Pinning a legacy row to 2024-11 does not complete a migration, since captures
still go to the old endpoint and fail. HTTP 410 counts as safe to retry, so an affected merchant with cascade and a newer fallback
would probably lose its first try only, and not the charge. The version constants live in versions.ts and are checked by
the client, which refuses versions that the code base does not support. The adapter norvik-v3 refuses to be pinned to older versions
at all. It could not be
determined how many LATAM charges take the fallback in a normal month. Only the source tree was read, and the deployed build was not
checked. The recommended order is to change the LATAM fallback first,
because it is a single line, and to migrate the pinned rows and the legacy rows afterwards in waves.
`,
  ),
  summary(
    'config_analyst',
    `
The merchant table has 60 rows, and 19 active merchants are affected by the retirement of 2023-08. Sixteen of them send the version on
the first try. Eleven have norvik-legacy as their primary adapter without an override: mer_1003, mer_1005, mer_1008, mer_1012,
mer_1017, mer_1024, mer_1030, mer_1034, mer_1041, mer_1048 and mer_1058. Five are on norvik-v2 and pinned to 2023-08: mer_1002,
mer_1021, mer_1038, mer_1045 and mer_1054. Three further merchants reach the version through the LATAM fallback: mer_1015, whose
primary adapter is norvik-v3, mer_1042, which runs on Kestrel, and mer_1046, which is on norvik-v2 and pinned to 2024-11. Two more
LATAM merchants have the policy cascade, but they are on the legacy adapter already and are counted once. Fjordline Ferries and
Silverbirch Opticians are on the legacy adapter with a pin to 2024-11 and are therefore not affected. Clearwater Gyms, Pampa Outdoor
and Valle Alto Vinos are paused; they will be affected as soon as they are reactivated. It was assumed that a paused or closed merchant does not count
as affected; Ironbridge Tools and Nimbus Hosting, which are closed, need no action. All rows were covered by filters on status, primary adapter, override, region and retry policy, so the list is
complete with respect to the rules that were given. No merchant is affected both on the first try and through another adapter. The three merchants on the fallback
path deserve attention first, because nothing in their own configuration mentions 2023-08.
`,
  ),
  summary(
    'production_checker',
    `
Production was checked for the three merchants that reach Norvik 2023-08 through the LATAM fallback, after the on-call lead approved
the read. For mer_1015, mer_1042 and mer_1046 the primary adapter, the version override and the retry policy in production are the
ones in the merchant table. The merchant table is therefore confirmed for the fallback path. mer_1015 runs on norvik-v3 without an
override, mer_1042 on Kestrel without an override, and mer_1046 on norvik-v2 pinned to 2024-11; all three have the retry policy
cascade. The policy of mer_1046 is a manual override that on-call set on 2026-08-19 at 13:02 UTC, and it is still in force. The
fallback path is in use: mer_1015 sent a charge through it on 2026-11-21, mer_1042 did so during the incident on 2026-08-19, and
mer_1046 has never used it. The configuration comes from the configuration service, snapshot of 2026-11-29 06:00 UTC. There are no
other manual overrides on the three merchants. The result supports the analysis of the table: the three merchants are affected by the
retirement through their fallback only, and changing the fallback of the region, or the retry policy of the three, removes the
exposure without touching their primary adapters. The override of mer_1046 should be reviewed together with merchant operations. The
approval does not cover the production configuration of the other 57 merchants, which was not checked. In the order of urgency, mer_1015 comes first, since it used the fallback in the last ten
days, then mer_1042, then mer_1046.
`,
  ),
];
