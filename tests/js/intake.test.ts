// Lenient intake through WebAssembly: the reported cases, whole and streamed, and any text cut anywhere.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { compileContract, type ReadonlyJson, readReturn, type Verdict } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { copy, cut, isKept, type Piece, pushAll } from './stream-pieces.js';

const anything = compileContract(true);
const anObject = compileContract({ type: 'object' });
const encoder = new TextEncoder();

interface Row {
  id: string;
  schema: object;
  raw_text: string;
  finish_reason?: string;
  expected: {
    kind: string;
    value?: unknown;
    also_ok?: string[];
    flags?: string[];
    must_not?: unknown[];
    must_not_silently?: unknown[];
    error_path?: string;
  };
}

describe('reported returns', () => {
  const rows = readFileSync(new URL('../fixtures/cases/repair.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const cases = rows.map((row) => JSON.parse(row) as Row);
  // Prose or a fence around the value is no JSON to strict intake; the text of an answer is no value when there is none.
  const lenientOnly = /^R0(01|03|05|09|11|13|15|17|19|21|66)$/;
  const strictOnly = /^R02[57]$/;
  const byIntake = cases.flatMap((row) => [
    ...(lenientOnly.test(row.id) ? [] : [[row.id, 'strict', row] as const]),
    ...(strictOnly.test(row.id) ? [] : [[row.id, 'lenient', row] as const]),
  ]);

  test.each(byIntake)('%s by %s intake', (_, intake, { schema, raw_text, finish_reason, expected }) => {
    const contract = compileContract(schema);
    const reason = finish_reason === undefined ? {} : { finishReason: finish_reason };
    const verdict = readReturn(contract, raw_text, { ...reason, intake });
    // Deeper than our limit is refused under its own name.
    const codes: Record<string, string> = { schema_violation: 'schema_error', too_deep: 'invalid_json' };
    const kind = verdict.ok ? 'value' : (codes[verdict.code] ?? verdict.code);
    expect([expected.kind, ...(expected.also_ok ?? [])]).toContain(kind);
    if (verdict.ok) {
      // Minus zero is zero.
      expect(JSON.stringify(verdict.value)).toBe(JSON.stringify(expected.value));
      for (const unwanted of expected.must_not ?? []) expect(verdict.value).not.toEqual(unwanted);
      if (verdict.flags.length === 0) {
        for (const unwanted of expected.must_not_silently ?? []) expect(verdict.value).not.toEqual(unwanted);
      }
      expect(verdict.flags).toEqual(expect.arrayContaining(expected.flags ?? []));
    } else if (expected.kind === kind && kind === 'schema_error' && expected.error_path !== undefined) {
      expect(verdict.issues.map((issue) => issue.instancePath)).toContain(expected.error_path);
    }
    for (const pieces of [raw_text.split(''), cut(encoder.encode(raw_text), [1, 7, 20])]) {
      expect(pushAll(contract.stream({ intake }), pieces).end(reason)).toEqual(verdict);
    }
    expect({}).not.toHaveProperty('admin');
  });
});

describe('any answer, cut anywhere', () => {
  const marks = fc.constantFrom(
    ...['```json\n', '```', '```\n', '\n```\n', '~~~\n', '```js\n', '`', '<think>', '</think>', '[THINK]', '[/THINK]'],
    ...[
      '\n\n',
      ' ',
      '\ufeff',
      'So: ',
      'I used {braces}',
      '[1]',
      '{',
      '}',
      '[',
      ']',
      '"',
      'true',
      '-1',
      "{'a': ",
      'é😀',
      '◁',
    ],
    ...['{"', '[{', '{}', '\ud83d', '\\'],
  );
  const values = fc.json({ maxDepth: 3 });
  const parts = fc.oneof(
    { weight: 2, arbitrary: marks },
    values,
    fc.tuple(values, fc.nat(40)).map(([json, end]) => json.slice(0, end)),
  );
  const answer = fc.array(parts, { maxLength: 8 }).map((all) => all.join(''));
  const places = fc.array(fc.nat(200), { maxLength: 20 });

  function streamed(pieces: readonly Piece[], wanted: Verdict, finishReason: string | undefined) {
    const stream = anObject.stream({ intake: 'lenient' });
    let before: ReadonlyJson | undefined;
    for (const piece of pieces) {
      const version = stream.version;
      stream.push(piece);
      const shown = stream.snapshot();
      expect(isKept(before, shown)).toBe(true);
      expect(stream.changedSince(version).length > 0).toBe(stream.version > version);
      before = copy(shown);
    }
    const { status, rejectedAt, rejection } = stream;
    const verdict = stream.end(finishReason === undefined ? {} : { finishReason });
    expect(verdict).toEqual(wanted);
    if (status === 'complete') expect(verdict).toMatchObject({ ok: true, value: stream.snapshot() });
    if (status === 'invalid_json') expect(verdict).toMatchObject({ ok: false, code: 'invalid_json' });
    if (status === 'rejected') expect(verdict.ok).toBe(false);
    return { status, rejectedAt, rejection, shown: before };
  }

  test('the verdict is that of the whole text, and the value so far only grows', () => {
    fc.assert(
      fc.property(answer, places, fc.constantFrom(undefined, 'length'), (text, places, finishReason) => {
        const reason = finishReason === undefined ? {} : { finishReason };
        const wanted = readReturn(anObject, text, { ...reason, intake: 'lenient' });
        const whole = streamed([text], wanted, finishReason);
        expect(streamed(cut(text, places), wanted, finishReason)).toEqual(whole);
        expect(streamed(text.split(''), wanted, finishReason)).toEqual(whole);
        if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)) return;
        const inBytes = streamed(cut(encoder.encode(text), places), wanted, finishReason);
        expect({ ...inBytes, rejectedAt: 0 }).toEqual({ ...whole, rejectedAt: 0 });
      }),
      { seed: 5, numRuns: 500 },
    );
  }, 60_000);
});

describe('what surrounds a value', () => {
  test.each([
    ['{"a":1}', ['{"a":1}']],
    ['```json\n{"a":1}\n```', ['{"a":1}', 'fenced']],
    ['As [1] says, {so}:\n{"a":1}\n\nBye.', ['{"a":1}', 'leading_text', 'trailing_text']],
    [
      '<think>{"a":9}</think>~~~\n{"a":9007199254740993}\n~~~',
      ['{"a":9007199254740993}', 'fenced', 'leading_text', 'unsafe_integer'],
    ],
  ])('%s', (text, [value, ...flags]) => {
    expect(readReturn(anObject, text, { intake: 'lenient' })).toMatchObject({ ok: true, text: value, flags });
    expect(readReturn(anObject, encoder.encode(text), { intake: 'lenient' })).toMatchObject({
      ok: true,
      text: value,
      flags,
    });
  });

  test.each([
    ['no value', 'I could not find it.', 'no_return', 'there is no JSON value in the text'],
    ['two values', '{"a":1} or {"a":2}', 'ambiguous', 'there is more than one JSON value in the text'],
    ['a value in reasoning', '{"a":1}</think>', 'ambiguous', 'the reasoning ends only after the JSON value'],
    ['a cut value', 'So: {"a":[1', 'truncated', 'the text ends before the JSON value does at line 1 column 8'],
    ['endless reasoning', '<think>{"a":1}', 'truncated', 'the text ends inside a reasoning block'],
    [
      'quotes of another language',
      "{'a': 1}",
      'invalid_json',
      'expected a member name in double quotes at line 1 column 2',
    ],
  ])('%s has its own code', (_, text, code, message) => {
    const verdict = readReturn(anObject, text, { intake: 'lenient' });
    expect(verdict).toMatchObject({ ok: false, code, issues: [{ keyword: code, message }] });
  });

  test('an array is meant where the contract may take one', () => {
    const numbers = compileContract({ type: ['array', 'null'], items: { type: 'integer' } });
    expect(readReturn(numbers, 'So: [1, 2]', { intake: 'lenient' })).toMatchObject({ ok: true, value: [1, 2] });
    expect(readReturn(anObject, 'So: [1, 2]', { intake: 'lenient' })).toMatchObject({ ok: false, code: 'no_return' });
  });

  test('a scalar may be the whole answer', () => {
    expect(readReturn(anything, '<think>hm</think> 42', { intake: 'lenient' })).toMatchObject({ ok: true, value: 42 });
    const cutOff = readReturn(anything, '42', { intake: 'lenient', finishReason: 'length' });
    expect(cutOff).toMatchObject({ ok: false, code: 'truncated' });
  });
});

describe('a stream of an answer', () => {
  test('shows the value alone, and what made it ambiguous rejects it', () => {
    const stream = anObject.stream({ intake: 'lenient' });
    const shown = [
      '<think>{"a":9}</th',
      'ink>I used {braces}:\n``',
      '`json\n',
      '{"claim":"é',
      '```"',
      '}\n`',
      '``\nDone.',
    ].map((piece) => {
      stream.push(piece);
      return copy(stream.snapshot());
    });
    const whole = { claim: 'é```' };
    expect(shown).toEqual([undefined, undefined, undefined, { claim: 'é' }, whole, whole, whole]);
    expect(stream.status).toBe('complete');
    stream.push(' {"claim"');
    expect(stream.status).toBe('rejected');
    expect(stream.rejection).toMatchObject({ code: 'ambiguous', flags: ['fenced', 'leading_text', 'trailing_text'] });
    expect(stream.snapshot()).toEqual(whole);
    expect(stream.end()).toMatchObject({ ok: false, code: 'ambiguous' });
  });

  test('tells where in the whole text a violation is proved', () => {
    const contract = compileContract({ type: 'object', properties: { confidence: { enum: ['verified'] } } });
    const text = 'Naïve 😀: {"confidence":"certain"} and more';
    for (const pieces of [[text], text.split(''), cut(text, [9, 20])]) {
      const stream = pushAll(contract.stream({ intake: 'lenient' }), pieces);
      expect(stream.status).toBe('rejected');
      expect(stream.rejectedAt).toBe(text.indexOf('"certain"') + '"certain"'.length);
    }
  });
});
