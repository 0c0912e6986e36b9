// What users see of the record types: inference from the schemas, extensions, merges.
import {
  compileContract,
  defineAgent,
  delegate,
  extendResearchResult,
  type MergedResearchResult,
  mergeResults,
  type ResearchResult,
  renderForParent,
  researchResult,
  type StrictResearchResult,
  strictResearchResult,
} from 'subcontract';
import { expectTypeOf, test } from 'vitest';

test('the research schemas know what they accept', () => {
  const lenient = compileContract(researchResult).check('{}');
  if (lenient.ok) expectTypeOf(lenient.value).toEqualTypeOf<ResearchResult>();
  const strict = compileContract(strictResearchResult).check('{}');
  if (strict.ok) expectTypeOf(strict.value).toEqualTypeOf<StrictResearchResult>();
  const plain = compileContract({ type: 'object' }).check('{}');
  if (plain.ok) expectTypeOf(plain.value).toBeUnknown();
});

test('an agent with one has a typed result', async () => {
  const agent = defineAgent({ name: 'a', description: 'd', outputSchema: strictResearchResult, run: () => '{}' });
  const { final_result } = await delegate(agent, undefined).envelope;
  expectTypeOf(final_result).toEqualTypeOf<StrictResearchResult | null>();
});

test('an extension adds its fields, required but for the optional ones', () => {
  const extended = extendResearchResult(
    {
      severity: { enum: ['high', 'low'] },
      owners: { type: 'array', items: { type: 'string' } },
      score: { type: 'number' },
    },
    { strict: true, optional: ['score'] },
  );
  const verdict = compileContract(extended).check('{}');
  if (!verdict.ok) return;
  expectTypeOf(verdict.value.severity).toEqualTypeOf<'high' | 'low'>();
  expectTypeOf(verdict.value.owners).toEqualTypeOf<string[]>();
  expectTypeOf(verdict.value.score).toEqualTypeOf<number | undefined>();
  expectTypeOf(verdict.value.findings).toEqualTypeOf<StrictResearchResult['findings']>();
  // @ts-expect-error: only an added field can be optional
  extendResearchResult({ severity: { type: 'string' } }, { optional: ['findings'] });
});

test('a merge of research records has their slots', () => {
  const merged = mergeResults(compileContract(strictResearchResult), []);
  expectTypeOf(merged.merged).toEqualTypeOf<MergedResearchResult | null>();
  expectTypeOf(merged.children[0]?.result).toEqualTypeOf<StrictResearchResult | undefined>();
  expectTypeOf(mergeResults('true', []).merged).toBeUnknown();
});

test('a rendering is a text or the size of what must be in it', () => {
  const rendering = renderForParent({}, { maxTokens: 1 });
  if ('text' in rendering) expectTypeOf(rendering.dropped.findings).toBeNumber();
  else expectTypeOf(rendering.overBudget).toBeNumber();
});
