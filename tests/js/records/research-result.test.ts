// The research record's two schemas: what each accepts, and where a refusal points.
import {
  compileContract,
  type ResearchResult,
  researchResult,
  type StrictResearchResult,
  strictResearchResult,
} from 'subcontract';
import { describe, expect, it } from 'vitest';

const full = {
  findings: [{ claim: 'a', provenance: ['src/a.ts:1'], confidence: 'verified' }],
  assumptions: ['the table is current'],
  unresolved: [{ question: 'when?', would_settle_it: 'the changelog' }],
  coverage: { searched: ['src'], not_searched: ['docs'] },
  effort: { tool_calls: 3, budget_exhausted: false },
} satisfies StrictResearchResult & ResearchResult;

const empty = {
  findings: [],
  assumptions: [],
  unresolved: [],
  coverage: { searched: [], not_searched: [] },
  effort: { tool_calls: 0, budget_exhausted: true },
} satisfies StrictResearchResult;

const lenient = compileContract(researchResult);
const strict = compileContract(strictResearchResult);

function issuesOf(contract: typeof strict, value: unknown): string[] {
  const verdict = contract.checkValue(value);
  return verdict.ok ? [] : verdict.issues.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe('the research record', () => {
  it('is titled after its return tool', () => {
    expect(lenient.title).toBe('research_result');
    expect(strict.title).toBe('research_result');
  });

  it.each([
    ['a full record', full],
    ['an empty one', empty],
    ['one with a transcript handle', { ...full, transcript_ref: 't-1' }],
  ])('takes %s in both forms', (_name, record) => {
    expect(issuesOf(strict, record)).toEqual([]);
    expect(issuesOf(lenient, record)).toEqual([]);
  });

  it.each(['findings', 'assumptions', 'unresolved', 'coverage', 'effort'])('requires %s in both forms', (slot) => {
    const { [slot]: _left, ...rest } = full as Record<string, unknown>;
    expect(issuesOf(strict, rest)).toEqual([' required']);
    expect(issuesOf(lenient, rest)).toEqual([' required']);
  });

  it.each([
    [
      'a finding without provenance',
      { ...full, findings: [{ claim: 'a', confidence: 'verified' }] },
      '/findings/0 required',
    ],
    [
      'a confidence word of the model’s own',
      { ...full, findings: [{ claim: 'a', provenance: [], confidence: 'likely' }] },
      '/findings/0/confidence enum',
    ],
    [
      'a question without a way to settle it',
      { ...full, unresolved: [{ question: 'when?' }] },
      '/unresolved/0 required',
    ],
    ['a question as a bare string', { ...full, unresolved: ['when?'] }, '/unresolved/0 type'],
    ['an assumption that says nothing', { ...full, assumptions: [''] }, '/assumptions/0 minLength'],
    ['a count that is no integer', { ...full, effort: { ...full.effort, tool_calls: 2.5 } }, '/effort/tool_calls type'],
  ])('refuses %s in both forms', (_name, record, issue) => {
    expect(issuesOf(strict, record)).toEqual([issue]);
    expect(issuesOf(lenient, record)).toEqual([issue]);
  });

  it.each([
    ['a field of the author’s own', { ...full, severity: 'high' }, '/severity additionalProperties'],
    [
      'one inside a finding',
      { ...full, findings: [{ ...full.findings[0], line: 4 }] },
      '/findings/0/line additionalProperties',
    ],
    ['coverage without its lists', { ...full, coverage: {} }, '/coverage required'],
    ['effort without its fields', { ...full, effort: {} }, '/effort required'],
  ])('closes the strict form to %s, and leaves the other open', (_name, record, issue) => {
    expect(new Set(issuesOf(strict, record))).toEqual(new Set([issue]));
    expect(issuesOf(lenient, record)).toEqual([]);
  });
});
