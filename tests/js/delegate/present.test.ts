// `present`: what the parent's model reads of an envelope, as JSON or rendered.
import {
  type DelegateOptions,
  defineAgent,
  delegate,
  delegateTaskTool,
  envelopeForModel,
  type Present,
  researchResult,
} from 'subcontract';
import { expect, test } from 'vitest';
import { fixed } from './strict-client.js';

const RESULT = {
  findings: [{ claim: 'v3 is pinned', provenance: ['a.ts:1'], confidence: 'inferred' }],
  assumptions: ['the table is current'],
  unresolved: [{ question: 'who?', would_settle_it: 'ask' }],
  coverage: {},
  effort: {},
};

const researcher = defineAgent({
  name: 'researcher',
  description: 'Researches.',
  outputSchema: researchResult,
  run: async () => RESULT as never,
});

const CAVEATS =
  'subagent researcher: completed\nunresolved: "who?" | would settle it: "ask"\nassumption: "the table is current"';

const shown = (options: DelegateOptions) => delegate(researcher, undefined, fixed(options)).toolResult;

test('it is JSON unless it is rendered', async () => {
  const delegation = delegate(researcher, undefined, fixed());
  expect(await delegation.toolResult).toBe(envelopeForModel(await delegation.envelopeText));
  expect(await shown({ present: 'json' })).toBe(await delegation.toolResult);
  const whole = `${CAVEATS}\nfinding, inferred: "v3 is pinned" | provenance: "a.ts:1"`;
  expect(await shown({ present: 'render' })).toBe(whole);
  expect(await shown({ present: { maxTokens: 1000, countTokens: (text) => text.length } })).toBe(whole);
});

test('what must not be dropped comes whatever it takes, and nothing else does', async () => {
  const present: Present = { maxTokens: 1, countTokens: (text) => text.length };
  expect(await shown({ present })).toBe(`${CAVEATS}\nleft out for the token budget: 1 finding (1 inferred)`);
});

test('a tokenizer that fails costs the rendering and not the result', async () => {
  const countTokens = () => {
    throw new Error('no');
  };
  expect(JSON.parse(await shown({ present: { maxTokens: 100, countTokens } }))).toMatchObject({ final_result: RESULT });
});

test('it goes with failures, prose and delegate_task, and not with a refused brief', async () => {
  const failing = defineAgent({ name: 'f', description: 'f', run: () => Promise.reject(new Error('boom')) });
  expect(await delegate(failing, undefined, fixed({ present: 'render' })).toolResult).toBe(
    'subagent f: failed | error child_error: "boom"',
  );
  const prose = defineAgent({ name: 'p', description: 'p', run: async () => 'Seven.\nassumption: "none"' });
  const tool = delegateTaskTool([prose], { delegation: { present: 'render' } });
  expect(await tool.execute({ subagent: 'p', task: 'count' })).toBe(
    'subagent p: completed\nanswer: "Seven.\\nassumption: \\"none\\""',
  );
  const strict = defineAgent({ name: 's', description: 's', inputSchema: { type: 'object' }, run: async () => 'x' });
  expect(await delegate(strict, '[]', fixed({ present: 'render' })).toolResult).toContain('expected object');
});

test('what is no way to present is misuse', () => {
  for (const present of ['text', 7, null, {}, { maxTokens: Number.NaN }, { maxTokens: 1, countTokens: 'x' }]) {
    expect(() => delegate(researcher, undefined, { present: present as never })).toThrow(
      new TypeError("present must be 'json', 'render' or { maxTokens, countTokens? }"),
    );
  }
});
