// Merging and rendering from JavaScript: what the shim adds to the core, the host's functions, and large numbers of children.
import {
  compileContract,
  followUps,
  type Mergeable,
  markSettled,
  mergedContract,
  mergeResults,
  mergeResultsText,
  renderForParent,
  type StrictResearchResult,
  slotUse,
  strictResearchResult,
} from 'subcontract';
import { describe, expect, it } from 'vitest';

const contract = compileContract(strictResearchResult);

function record(over: Partial<StrictResearchResult> = {}): StrictResearchResult {
  return {
    findings: [],
    assumptions: [],
    unresolved: [],
    coverage: { searched: [], not_searched: [] },
    effort: { tool_calls: 1, budget_exhausted: false },
    ...over,
  };
}

describe('mergeResults', () => {
  it('takes values, texts and merges, and a schema in place of a contract', () => {
    const children = [
      { id: 'a', result: record({ assumptions: ['cafe\u0301'] }) },
      { id: 'b', result: record({ assumptions: ['café', 'Café'] }) },
    ];
    const merged = mergeResults(contract, children);
    // The host's normalisation, through the boundary.
    expect(merged.merged?.assumptions).toEqual(['cafe\u0301', 'Café']);
    expect(merged.merged?.effort).toEqual({ tool_calls: 2, budget_exhausted: false });
    expect(merged.contract).toBe(contract.digest);
    expect(mergeResults(strictResearchResult, [merged, JSON.stringify(children[0])])).toEqual(merged);
    expect(compileContract(mergedContract(contract) as object).checkValue(merged)).toMatchObject({ ok: true });
  });

  it('keeps numbers exact in texts', () => {
    const text = mergeResultsText('true', ['{"id":"a","result":9007199254740993}']);
    expect(text).toContain('{"merged":{"by_child":[{"id":"a","value":9007199254740993}]}');
  });

  it('orders by call where the children are given as they arrived', () => {
    const children = ['c', 'a', 'b'].map((id) => ({ id, result: record({ assumptions: [id] }) }));
    const merged = mergeResults(contract, children, { order: ['a', 'b', 'c'] });
    expect(merged.merged?.assumptions).toEqual(['a', 'b', 'c']);
    expect(merged.children.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('refuses a value that JSON cannot carry, and says where it stands', () => {
    const circular: Record<string, unknown> = { id: 'a' };
    circular.result = circular;
    for (const [child, message] of [
      [undefined, 'children[1] is no JSON at its root: undefined has no JSON form'],
      [() => {}, 'children[1] is no JSON at its root: function has no JSON form'],
      [{ id: 'a', result: { n: [Number.NaN] } }, 'children[1] is no JSON at /result/n/0: NaN is no JSON number'],
      [{ id: 'a', result: new Date(0) }, 'children[1] is no JSON at /result: Date has no JSON form'],
      [new Map(), 'children[1] is no JSON at its root: Map has no JSON form'],
      [circular, 'children[1] is no JSON at /result: the value contains itself'],
    ] as const) {
      const children = [{ id: 'b', result: 1 }, child] as Mergeable[];
      expect(() => mergeResults('true', children)).toThrow(
        expect.objectContaining({ code: 'merge_unreadable', message }),
      );
    }
    // Merges are deeper than what is in them.
    const deepest = JSON.parse(`${'['.repeat(512)}${']'.repeat(512)}`) as unknown;
    const merged = mergeResults('true', [{ id: 'a', result: deepest }]);
    expect(mergeResults('true', [merged])).toEqual(merged);
  });

  it('refuses what cannot be merged, and nothing that a text says reaches out of its place', () => {
    expect(() => mergeResults(contract, [])).toThrow(expect.objectContaining({ code: 'merge_no_children' }));
    for (const text of ['{"id":"a","result":1}],"order":["', '{"id":"a","error":"x"},{"id":"b","error":"y"}', '']) {
      expect(() => mergeResults(contract, [text])).toThrow(expect.objectContaining({ code: 'merge_unreadable' }));
    }
    expect(() => mergeResults(contract, 'abc' as unknown as Mergeable[])).toThrow(TypeError);
  });

  it('takes lone surrogates as the replacement character', () => {
    const { children } = mergeResults('true', [{ id: 'a', result: 'x\ud800' }]);
    expect(children[0]?.result).toBe('x\ufffd');
  });

  it('merges 4,096 children, of which nobody is lost', () => {
    const children = Array.from({ length: 4096 }, (_, at) => ({
      id: `run-${at}`,
      result: record({
        findings: [
          { claim: `claim ${at % 500}`, provenance: [`f:${at}`], confidence: at % 2 ? 'inferred' : 'verified' },
        ],
        coverage: { searched: [`s${at % 7}`], not_searched: ['logs', `n${at % 11}`] },
      }),
    }));
    const { merged } = mergeResults(contract, children);
    expect(merged?.findings).toHaveLength(500);
    expect(merged?.findings.flatMap(({ by_child }) => by_child)).toHaveLength(4096);
    expect(merged?.coverage.not_searched).toEqual(['logs']);
    expect(merged?.coverage.partly_declared).toHaveLength(11);
    expect(merged?.effort.tool_calls).toBe(4096);
  });
});

describe('followUps', () => {
  it('is no larger than the record, however much a child asks and has searched', () => {
    const unresolved = Array.from({ length: 4000 }, (_, at) => ({ question: `q${at}`, would_settle_it: 'w' }));
    const asked = record({ unresolved, coverage: { searched: ['x'.repeat(1 << 20)], not_searched: [] } });
    const briefs = followUps(asked);
    expect(briefs).toHaveLength(4000);
    expect(briefs[0]).toEqual({
      question: 'q0',
      would_settle_it: ['w'],
      already_searched: asked.coverage.searched,
      asked_by: [],
    });
    expect(briefs[3999]?.already_searched).toBe(briefs[0]?.already_searched);
  });
});

describe('markSettled', () => {
  const asked = { id: 'a', result: record({ unresolved: [{ question: 'When?', would_settle_it: 'the changelog' }] }) };
  const found = { claim: 'In May.', provenance: ['c:1'], confidence: 'verified' as const };

  it('moves an answered question, and merges what the answer says', () => {
    const answer = { id: 'b', result: record({ findings: [found], assumptions: ['the changelog is complete'] }) };
    const merged = markSettled(contract, asked, [{ question: 'When?', answer }]);
    expect(merged.merged?.unresolved).toEqual([]);
    expect(merged.settled).toEqual([{ question: 'When?', by: 'b', holds: true }]);
    expect(merged.merged?.findings).toMatchObject([found]);
    expect(merged.merged?.assumptions).toEqual(['the changelog is complete']);
    // It stays so in a later merge.
    expect(mergeResults(contract, [{ id: 'z', error: 'x' }, merged]).merged?.unresolved).toEqual([]);
  });

  it.each([
    ['failed', { id: 'b', error: 'boom' }],
    ['asks it too', { ...asked, id: 'b' }],
  ])('leaves a question open whose answer %s', (_name, answer) => {
    const merged = markSettled(contract, asked, [{ question: 'When?', answer }]);
    expect(merged.merged?.unresolved).toHaveLength(1);
    expect(merged.settled).toEqual([{ question: 'When?', by: 'b', holds: false }]);
  });

  it.each([undefined, null, 'text'])('names the answer that is %j', (answer) => {
    const answers = [
      { question: 'When?', answer: { id: 'b', error: 'x' } },
      { question: 'Why?', answer: answer as never },
    ];
    expect(() => markSettled(contract, asked, answers)).toThrow('answers[1].answer must be an envelope');
  });
});

describe('renderForParent', () => {
  const full = record({ findings: [{ claim: 'c', provenance: ['a:1'], confidence: 'inferred' }], assumptions: ['x'] });

  it('counts with what it is given, a few times', () => {
    let calls = 0;
    const rendering = renderForParent(full, {
      maxTokens: 120,
      countTokens(text) {
        calls += 1;
        return text.length;
      },
    });
    if ('overBudget' in rendering) throw new Error('it fits');
    expect(rendering.text.length).toBe(rendering.tokens);
    expect(rendering.tokens).toBeLessThanOrEqual(120);
    expect(rendering.text).toMatch(/^assumption: "x"\n/);
    expect(rendering.text).toContain('left out');
    expect(calls).toBeLessThan(6);
  });

  it('says how much is needed, when caveats alone do not fit', () => {
    expect(renderForParent(full, { maxTokens: 3, countTokens: (text) => text.length })).toEqual({
      overBudget: expect.any(Number),
    });
    expect(renderForParent(full, { maxTokens: Infinity })).toHaveProperty('text');
  });

  it('passes on what a counter throws, and takes no answer that is no number', () => {
    const failure = new Error('the tokenizer is gone');
    const fails = () => {
      throw failure;
    };
    expect(() => renderForParent(full, { maxTokens: 10, countTokens: fails })).toThrow(failure);
    for (const answer of [Number.NaN, -1, '7', undefined]) {
      expect(() => renderForParent(full, { maxTokens: 10, countTokens: () => answer as number })).toThrow(RangeError);
    }
    expect(() => renderForParent(full, { maxTokens: Number.NaN })).toThrow(RangeError);
    // The core goes on.
    expect(renderForParent(full, { maxTokens: 1000 })).toHaveProperty('text');
  });

  it('refuses a value that JSON cannot carry, and loses nothing of it in silence', () => {
    const error = expect.objectContaining({ code: 'unreadable_record' });
    for (const value of [
      new Map([['findings', []]]),
      { ...full, extra: Number.NaN },
      { unresolved: new Set(['q']) },
      () => {},
    ]) {
      expect(() => renderForParent(value, { maxTokens: 100 })).toThrow(error);
      expect(() => followUps(value)).toThrow(error);
    }
  });

  it('lets a counter use the core', () => {
    const countTokens = (text: string) => (contract.checkValue(full).ok ? text.length : 0);
    expect(renderForParent(full, { maxTokens: 1000, countTokens, contract })).toHaveProperty('text');
  });
});

describe('slotUse', () => {
  const value = record({
    findings: [
      { claim: 'c', provenance: [], confidence: 'verified' },
      { claim: '[f1]', provenance: [], confidence: 'reported' },
    ],
    assumptions: ['x'],
    unresolved: [{ question: 'When "exactly"?', would_settle_it: 'y' }],
  });
  const text = (markers: boolean) => {
    const rendering = renderForParent(value, { maxTokens: 1000, markers });
    return 'text' in rendering ? rendering.text : '';
  };

  it('tells by markers and by questions that were sent on', () => {
    const later = { texts: ['As it says [f2, a1], and f1 is not cited.'], questions: ['When "exactly"?'] };
    expect(slotUse(text(true), later)).toEqual({
      findings: { shown: 2, actedOn: ['f2'] },
      assumptions: { shown: 1, actedOn: ['a1'] },
      unresolved: { shown: 1, actedOn: ['u1'] },
    });
  });

  it('passes over a line that renderForParent did not write', () => {
    expect(slotUse('unresolved u1: "\\x"', { questions: ['x'] }).unresolved).toEqual({ shown: 1, actedOn: [] });
  });

  it('knows nothing without markers', () => {
    expect(text(false)).not.toMatch(/ [fau]1[:,]/);
    expect(slotUse(text(false), { texts: ['[f1]'] }).findings).toEqual({ shown: 0, actedOn: [] });
  });
});
