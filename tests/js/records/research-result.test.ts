// The research record's two schemas: what each accepts, and where a refusal points.
import { readFileSync } from 'node:fs';
import {
  type Contract,
  compileContract,
  extendResearchResult,
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

function issuesOf(contract: Pick<Contract, 'checkValue'>, value: unknown): string[] {
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
    ['an assumption that says nothing', { ...full, assumptions: [''] }, '/assumptions/0 minLength'],
    ['a negative count', { ...full, effort: { ...full.effort, tool_calls: -1 } }, '/effort/tool_calls minimum'],
    ['coverage without its lists', { ...full, coverage: {} }, '/coverage required'],
    ['effort without its fields', { ...full, effort: {} }, '/effort required'],
  ])('closes the strict form to %s, and leaves the other open', (_name, record, issue) => {
    expect(new Set(issuesOf(strict, record))).toEqual(new Set([issue]));
    expect(issuesOf(lenient, record)).toEqual([]);
  });
});

it('is what the tests of the core merge by', () => {
  const fixture = readFileSync(new URL('../../fixtures/research-result.json', import.meta.url), 'utf8');
  expect(JSON.parse(fixture)).toEqual({ lenient: researchResult, strict: strictResearchResult });
});

describe('an extension', () => {
  const fields = { severity: { enum: ['high', 'low'] }, note: { type: 'string' } } as const;
  const extended = compileContract(extendResearchResult(fields, { optional: ['note'] }));
  const closed = compileContract(extendResearchResult(fields, { strict: true, title: 'audit_result' }));

  it('requires its fields, but for the optional ones', () => {
    expect(issuesOf(extended, full)).toEqual([' required']);
    expect(issuesOf(extended, { ...full, severity: 'high' })).toEqual([]);
    expect(issuesOf(extended, { ...full, severity: 'high', note: 1 })).toEqual(['/note type']);
    expect(issuesOf(closed, { ...full, severity: 'low' })).toEqual([' required']);
    expect(closed.title).toBe('audit_result');
  });

  it('loosens nothing', () => {
    const value = { ...full, severity: 'low', note: 'n' };
    expect(issuesOf(closed, value)).toEqual([]);
    expect(issuesOf(closed, { ...value, own: 1 })).toEqual(['/own additionalProperties']);
    for (const slot of Object.keys(empty)) {
      const { [slot]: _left, ...rest } = value as Record<string, unknown>;
      expect(issuesOf(extended, rest)).toEqual([' required']);
    }
    expect(() => extendResearchResult({ findings: {} })).toThrow("'findings' is a slot of the research record");
    expect(() => extendResearchResult({ a: {} }, { optional: ['b' as 'a'] })).toThrow("'b' is no added field");
  });
});
