// Typed evidence: what a checking child saw and whether it passed, in named slots, and what several such checks come to.
import { compileContract, defineAgent, delegate, mergeResults, renderForParent } from 'subcontract';

/** `passed: true` means something only for a task that says what passing is: the brief has it. */
const evidence = {
  title: 'evidence',
  type: 'object',
  properties: {
    source: {
      type: 'string',
      description: 'What was run or read: a command, a file:line, a URL',
      'x-merge': 'keep-by-child',
    },
    passed: { type: 'boolean', description: 'Whether the criterion of the brief holds', 'x-merge': 'all' },
    failures: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Each way in which it does not hold; empty exactly when it passed',
      'x-merge': 'union',
      'x-render': 'keep',
    },
  },
  required: ['source', 'passed', 'failures'],
  // A verdict and its reasons cannot contradict each other.
  if: { properties: { passed: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
  then: { properties: { failures: { maxItems: 0 } } },
  else: { properties: { failures: { minItems: 1 } } },
  additionalProperties: false,
} as const;

/** What the scripted children return; a model would be asked here. The second one's first return contradicts itself. */
const returns: Record<string, object[]> = {
  'The test suite exits with 0': [{ source: 'npm test', passed: true, failures: [] }],
  'No file of src/ is longer than 300 lines': [
    { source: 'wc -l src/*', passed: true, failures: ['src/router.ts has 412 lines'] },
    { source: 'wc -l src/*', passed: false, failures: ['src/router.ts has 412 lines'] },
  ],
};

const checker = defineAgent({
  name: 'checker',
  description: 'Checks one criterion and returns the evidence.',
  inputSchema: {
    type: 'object',
    properties: { criterion: { type: 'string', minLength: 1 } },
    required: ['criterion'],
  },
  outputSchema: evidence,
  run(ctx) {
    const { criterion } = ctx.input as { criterion: string };
    return JSON.stringify(returns[criterion]?.[ctx.attempt - 1]);
  },
});

const envelopes = await Promise.all(
  Object.keys(returns).map((criterion, at) =>
    delegate(checker, { criterion }, { subagentRunId: `check-${at + 1}` }).orThrow(),
  ),
);
for (const { run_id, attempts } of envelopes) console.log(`${run_id}: ${attempts.length} judged return(s)`);

const contract = compileContract(evidence);
const rendering = renderForParent(mergeResults(contract, envelopes), { maxTokens: 400, contract });
console.log('text' in rendering ? rendering.text : `needs ${rendering.overBudget} tokens`);
