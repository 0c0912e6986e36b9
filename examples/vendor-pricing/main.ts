// Vendor pricing: one child a vendor, prices as numbers with their source, and one record of them within a token budget.
import { compileContract, defineAgent, delegate, followUps, mergeResults, renderForParent } from 'subcontract';
import { z } from 'zod';

const pricing = {
  title: 'vendor_pricing',
  type: 'object',
  properties: {
    plans: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          plan: { type: 'string', minLength: 1, description: 'Vendor and plan, as the vendor names them' },
          price_per_seat: { type: 'number', minimum: 0, description: 'US dollars a month' },
          billing_period: { type: 'string', enum: ['monthly', 'yearly'], description: 'What that price is billed by' },
          source_url: { type: 'string', format: 'uri', description: 'The page that says so' },
        },
        required: ['plan', 'price_per_seat', 'billing_period', 'source_url'],
        additionalProperties: false,
      },
      'x-merge': 'dedupe:plan',
    },
    unresolved: {
      type: 'array',
      items: { type: 'string' },
      description: 'What the page does not say',
      'x-merge': 'union',
    },
  },
  required: ['plans', 'unresolved'],
  additionalProperties: false,
} as const;

const url = (vendor: string) => `https://${vendor.toLowerCase()}.example/pricing`;

/** What the scripted children return; a model would be asked here. Ardent's first price is no number, Cobalt's page is down. */
const returns: Record<string, object[]> = {
  Ardent: [
    { plans: [{ plan: 'Ardent Team', price_per_seat: 'ten', billing_period: 'monthly', source_url: url('Ardent') }] },
    {
      plans: [{ plan: 'Ardent Team', price_per_seat: 10, billing_period: 'monthly', source_url: url('Ardent') }],
      unresolved: ['Is there a minimum number of seats?'],
    },
  ],
  Borealis: [
    {
      plans: [
        { plan: 'Borealis Start', price_per_seat: 0, billing_period: 'monthly', source_url: url('Borealis') },
        { plan: 'Borealis Scale', price_per_seat: 12.5, billing_period: 'yearly', source_url: url('Borealis') },
      ],
      unresolved: [],
    },
  ],
};

const pricer = defineAgent({
  name: 'pricer',
  description: "Finds a vendor's list prices.",
  inputSchema: z.object({ vendor: z.string() }),
  outputSchema: pricing,
  run(ctx) {
    const found = returns[ctx.input.vendor]?.[ctx.attempt - 1];
    if (found === undefined) throw new Error('the page is down');
    return JSON.stringify(found);
  },
});

const envelopes = await Promise.all(
  ['Ardent', 'Borealis', 'Cobalt'].map((vendor) => delegate(pricer, { vendor }, { subagentRunId: vendor }).envelope),
);
const contract = compileContract(pricing);
const merged = mergeResults(contract, envelopes);
for (const maxTokens of [1000, 170]) {
  const rendering = renderForParent(merged, { maxTokens, contract });
  console.log(`at most ${maxTokens} tokens:`);
  console.log('text' in rendering ? rendering.text : `needs ${rendering.overBudget} tokens`, '\n');
}
for (const { question, asked_by } of followUps(merged)) console.log(`still to ask ${asked_by}: ${question}`);
