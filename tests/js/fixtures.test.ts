// The fixtures that `tests/fixtures.rs` runs natively, through wasm and the shim: whole results are compared.
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  compileContract,
  followUps,
  type GuardFinding,
  mergedContract,
  mergeResultsText,
  type RenderOptions,
  renderForParent,
  researchResult,
  SchemaError,
  SubcontractError,
  strictResearchResult,
  type ToolCallEvidence,
} from 'subcontract';
import { describe, expect, test } from 'vitest';
import {
  type AttemptOptions,
  assertEnvelope,
  buildEnvelope,
  type Decision,
  envelopeForEvent,
  envelopeTextForModel,
  estimateTokens,
  type GateRefusal,
  openResumeState,
  type ResumeExpectation,
  type Verdict,
  type Via,
  writeResumeState,
} from '../../js/core.js';
import type { EnvelopeParts } from '../../js/envelope.js';
import type { ResumeState } from '../../js/resume.js';

interface Named {
  name: string;
}

function fixtures<T>(file: string, list: string): (T & Named)[] {
  const url = new URL(`../fixtures/${file}`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'))[list];
}

/** What a call gave, or the refusal it threw. */
function outcome<T>(call: () => T): T | { refusal: string; message: string } {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof SubcontractError)) throw error;
    return { refusal: error.code, message: error.message };
  }
}

describe('verdicts', () => {
  type Case = { schema: string; options: object; text: string; verdict: Verdict };
  test.each(fixtures<Case>('verdicts.json', 'verdicts'))('$name', ({ schema, options, text, verdict }) => {
    const contract = compileContract(schema, options);
    const expected = verdict.ok ? { ...verdict, value: JSON.parse(verdict.text) } : verdict;
    expect(contract.check(text)).toEqual(expected);
    expect(contract.check(new TextEncoder().encode(text))).toEqual(expected);
    expect(contract.isValid(text)).toBe(verdict.ok);
    contract.free();
  });

  type ErrorCase = { schema: string; options: object; error: { code: string; message: string; issues: unknown } };
  test.each(fixtures<ErrorCase>('verdicts.json', 'schemaErrors'))(
    'schema error: $name',
    ({ schema, options, error }) => {
      let thrown: unknown;
      try {
        compileContract(schema, options);
      } catch (caught) {
        thrown = caught;
      }
      if (!(thrown instanceof SchemaError)) throw new Error('it compiles', { cause: thrown });
      expect({ code: thrown.code, message: thrown.message, issues: thrown.issues }).toEqual(error);
    },
  );
});

describe('decisions', () => {
  type Case = { schema: string; raw: string; options: AttemptOptions & { via: Via }; decision: Decision };
  test.each(fixtures<Case>('decisions.json', 'returns'))('$name', ({ schema, raw, options, decision }) => {
    expect(compileContract(schema).handle.judge(raw, options)).toEqual(decision);
  });

  type Refused = { schema: string; refusal: GateRefusal; options: AttemptOptions & { via: Via }; decision: Decision };
  test.each(fixtures<Refused>('decisions.json', 'refusals'))('$name', ({ schema, refusal, options, decision }) => {
    expect(compileContract(schema).handle.refuse(refusal, options)).toEqual(decision);
  });

  type End = { schema: string; options: AttemptOptions & { returnTool: boolean }; decision: Decision };
  test.each(fixtures<End>('decisions.json', 'ends'))('$name', ({ schema, options, decision }) => {
    expect(compileContract(schema).handle.judgeNoReturn(options)).toEqual(decision);
  });
});

describe('guards', () => {
  const file = JSON.parse(readFileSync(new URL('../fixtures/guards.json', import.meta.url), 'utf8'));
  type Case = { guard: string; schema: string; result: string; evidence: ToolCallEvidence[]; findings: GuardFinding[] };
  test.each(file.guards as (Case & Named)[])('$guard: $name', ({ guard, schema, result, evidence, findings }) => {
    const contract = compileContract(file.schemas[schema]);
    expect(contract.handle.guard(guard, result, { toolCalls: evidence })).toEqual(findings);
    contract.free();
  });

  test('are tried on the records that are exported', () => {
    expect(JSON.parse(file.schemas.research)).toEqual(researchResult);
    expect(JSON.parse(file.schemas.strict)).toEqual(strictResearchResult);
  });
});

describe('tokens', () => {
  type Case = { text: string; tokens: number; estimate: number };
  test.each(fixtures<Case>('tokens.json', 'texts'))('$name', ({ text, tokens, estimate }) => {
    expect(countTokens(text)).toBe(tokens);
    expect(estimateTokens(text)).toBe(estimate);
  });
});

describe('envelopes', () => {
  test.each(fixtures<{ parts: EnvelopeParts; built: unknown }>('envelopes.json', 'envelopes'))(
    '$name',
    ({ parts, built }) => {
      const actual = outcome(() => {
        const text = buildEnvelope(parts);
        return { text, forModel: envelopeTextForModel(text), forEvent: envelopeForEvent(text) };
      });
      expect(actual).toEqual(built);
    },
  );

  test.each(fixtures<{ text: string; read: { text: string } | { refusal: string } }>('envelopes.json', 'texts'))(
    '$name',
    ({ text, read }) => {
      const actual = outcome(() => {
        assertEnvelope(text);
        return { text };
      });
      expect(actual).toEqual(read);
    },
  );
});

describe('merges', () => {
  type Case = { schema: string; children: string[]; order?: string[]; merge: object };
  test.each(fixtures<Case>('merge.json', 'merges'))('$name', ({ schema, children, order = [], merge }) => {
    const contract = compileContract(schema);
    const actual = outcome(() => {
      const text = mergeResultsText(contract, children, { order });
      expect(compileContract(mergedContract(contract) as object).check(text)).toMatchObject({ ok: true });
      return {
        text,
        rendering: renderForParent(text, { maxTokens: 10_000, countTokens: quarter }),
        briefs: followUps(text),
      };
    });
    expect(actual).toEqual(merge);
  });

  const quarter = (text: string) => Math.ceil([...text].length / 4);

  type Render = { value: string; options: Omit<RenderOptions, 'countTokens'>; rendering: object };
  test.each(fixtures<Render>('merge.json', 'renders'))('rendered: $name', ({ value, options, rendering }) => {
    expect(outcome(() => renderForParent(value, { ...options, countTokens: quarter }))).toEqual(rendering);
  });

  test.each(fixtures<{ value: string; briefs: object }>('merge.json', 'followUps'))('$name', ({ value, briefs }) => {
    expect(followUps(value)).toEqual(briefs);
  });
});

describe('resume states', () => {
  type Wire = {
    thread_id?: string;
    tool_call_id?: string;
    subagent?: string;
    brief?: string;
    contract_digest?: string;
    now?: number;
  };
  type Case = { state?: ResumeState; text?: string; expected: Wire; opened: { text: string } | { refusal: string } };
  test.each(fixtures<Case>('resume.json', 'states'))('$name', ({ state, text, expected, opened }) => {
    const expectation: ResumeExpectation = {
      threadId: expected.thread_id,
      toolCallId: expected.tool_call_id,
      subagent: expected.subagent,
      brief: expected.brief,
      contractDigest: expected.contract_digest,
      now: expected.now,
    };
    const actual = outcome(() => {
      const written = state ? writeResumeState(state) : (text ?? '');
      return { text: written, state: openResumeState(written, expectation) };
    });
    expect(actual).toEqual('text' in opened ? { ...opened, state: JSON.parse(opened.text) } : opened);
  });
});
