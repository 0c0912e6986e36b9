// Scripted turns of config_analyst: four queries, and the assumption that the table is authoritative.
import type { StrictResearchResult } from 'subcontract';
import type { Script } from './turn.js';

const record: StrictResearchResult = {
  findings: [
    {
      claim:
        'Eleven active merchants have norvik-legacy as primary adapter and pin no other version: mer_1003, mer_1005, mer_1008, mer_1012, mer_1017, mer_1024, mer_1030, mer_1034, mer_1041, mer_1048, mer_1058.',
      provenance: ['merchants.status', 'merchants.primary_adapter', 'merchants.api_version_override'],
      confidence: 'verified',
    },
    {
      claim:
        'Five active merchants on norvik-v2 are pinned to 2023-08: mer_1002, mer_1021, mer_1038, mer_1045, mer_1054.',
      provenance: ['merchants.primary_adapter', 'merchants.api_version_override'],
      confidence: 'verified',
    },
    {
      claim:
        'Three more reach 2023-08 only through the LATAM fallback: mer_1015 (norvik-v3), mer_1042 (kestrel), mer_1046 (norvik-v2 pinned to 2024-11).',
      provenance: [
        'merchants.region',
        'merchants.retry_policy',
        'merchants.primary_adapter',
        'merchants.api_version_override',
      ],
      confidence: 'inferred',
    },
    {
      claim: 'That makes 19 affected merchants: 16 on the first try and 3 on a fallback.',
      provenance: [
        'merchants.status',
        'merchants.primary_adapter',
        'merchants.api_version_override',
        'merchants.region',
        'merchants.retry_policy',
      ],
      confidence: 'inferred',
    },
    {
      claim:
        'Two active norvik-legacy rows are pinned to 2024-11 and are not counted: Fjordline Ferries and Silverbirch Opticians.',
      provenance: ['merchants.primary_adapter', 'merchants.api_version_override'],
      confidence: 'verified',
    },
    {
      claim:
        'Three paused merchants would be affected as soon as they are reactivated: Clearwater Gyms, Pampa Outdoor, Valle Alto Vinos.',
      provenance: ['merchants.status', 'merchants.primary_adapter', 'merchants.region', 'merchants.retry_policy'],
      confidence: 'inferred',
    },
  ],
  assumptions: [
    'The merchant configuration table is authoritative: production runs what the table says.',
    'The three rules of the brief are complete; no other code path chooses a version.',
    'A paused or closed merchant does not count as affected.',
  ],
  unresolved: [
    {
      question: 'Does production match the table for these 19 merchants?',
      would_settle_it: 'An approved read of the production configuration, or the time of the last successful sync.',
    },
    {
      question: 'Will the paused merchants come back before 2027-03-01?',
      would_settle_it: 'Their account managers.',
    },
  ],
  coverage: {
    searched: ['merchants.csv, all 60 rows, by filter'],
    not_searched: ['production configuration', 'manual overrides that were set during incidents'],
  },
  effort: { tool_calls: 4, budget_exhausted: false },
};

const columns = ['merchant_id', 'name', 'region', 'primary_adapter', 'api_version_override', 'retry_policy'];

export const configAnalyst: Script = {
  speaker: 'You are config_analyst',
  turns: [
    {
      text: 'Rule 1 and rule 2 are about the first try.',
      calls: [
        {
          name: 'query_merchants',
          args: {
            where: [
              { column: 'status', is_one_of: ['active'] },
              { column: 'primary_adapter', is_one_of: ['norvik-legacy'] },
            ],
            columns,
          },
        },
        {
          name: 'query_merchants',
          args: {
            where: [
              { column: 'status', is_one_of: ['active'] },
              { column: 'api_version_override', is_one_of: ['2023-08'] },
            ],
            columns,
          },
        },
      ],
    },
    {
      after: ['13 of 60 rows match', '5 of 60 rows match'],
      text: 'Thirteen on the legacy adapter, two of them pinned forward. Now rule 3, and the merchants that are not active.',
      calls: [
        {
          name: 'query_merchants',
          args: {
            where: [
              { column: 'status', is_one_of: ['active'] },
              { column: 'region', is_one_of: ['latam'] },
              { column: 'retry_policy', is_one_of: ['cascade'] },
            ],
            columns,
          },
        },
        {
          name: 'query_merchants',
          args: {
            where: [{ column: 'status', is_one_of: ['paused', 'closed'] }],
            columns: [
              'merchant_id',
              'name',
              'status',
              'region',
              'primary_adapter',
              'api_version_override',
              'retry_policy',
            ],
          },
        },
      ],
    },
    {
      after: [
        'mer_1015,Dorada Hoteles',
        'mer_1042,Olinda Eventos',
        'mer_1046,Quetzal Telecom',
        'mer_1057,Valle Alto Vinos',
      ],
      text: 'Five rows cascade in LATAM, two of which I have counted already. The rest is set arithmetic.',
      calls: [{ name: 'research_result', args: record }],
    },
  ],
};
