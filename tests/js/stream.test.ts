// Contracts judging text while it streams: any cut, the value so far, early rejection, and what becomes of a stream.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  type ContractStream,
  compileContract,
  type ReadonlyJson,
  type Rejection,
  readReturn,
  researchResult,
  SubcontractError,
  type Verdict,
} from 'subcontract';
import { describe, expect, test } from 'vitest';
import { call } from '../../js/boundary.js';
import { copy, cut, isKept, type Piece, pushAll } from './stream-pieces.js';

const anything = compileContract(true);
const encoder = new TextEncoder();

describe('reported cases', () => {
  interface Row {
    id: string;
    format: 'text-deltas' | 'base64-bytes' | 'tool-call-deltas';
    chunks: string[];
    schema?: object;
    finish_reason?: string;
    expected: {
      final: { kind: string; value?: unknown; also_ok?: string[] };
      partial_after?: Record<string, unknown[]>;
      must_not_show?: string;
      must_not_finalize_before_end?: boolean;
      no_undefined_after_first_member?: boolean;
    };
  }
  const rows = readFileSync(new URL('../fixtures/cases/stream.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const cases = rows.map((row) => JSON.parse(row) as Row).filter(({ format }) => format !== 'tool-call-deltas');
  // A fence is no JSON to strict intake; the text of an answer is no value when there is none.
  const lenientOnly = 'T019';
  const strictOnly = 'T021';
  const byIntake = cases.flatMap((row) => [
    ...(row.id === lenientOnly ? [] : [[row.id, 'strict', row] as const]),
    ...(row.id === strictOnly ? [] : [[row.id, 'lenient', row] as const]),
  ]);

  test.each(byIntake)('%s by %s intake', (_, intake, row) => {
    const stream = compileContract(row.schema ?? true).stream({ intake });
    let before: ReadonlyJson | undefined;
    let seen = false;
    row.chunks.forEach((chunk, index) => {
      const status = stream.push(row.format === 'base64-bytes' ? Buffer.from(chunk, 'base64') : chunk);
      const shown = stream.snapshot();
      expect(isKept(before, shown)).toBe(true);
      before = copy(shown);
      const acceptable = row.expected.partial_after?.[index];
      if (acceptable) expect(acceptable).toContainEqual(shown ?? null);
      if (row.expected.must_not_show) expect(JSON.stringify(shown)).not.toContain(row.expected.must_not_show);
      if (row.expected.must_not_finalize_before_end) expect(status).not.toBe('complete');
      seen ||= shown !== undefined;
      if (seen && row.expected.no_undefined_after_first_member) expect(shown).toBeDefined();
    });
    const verdict = stream.end(row.finish_reason === undefined ? {} : { finishReason: row.finish_reason });
    const { kind, value, also_ok = [] } = row.expected.final;
    expect([kind, ...also_ok]).toContain(verdict.ok ? 'value' : verdict.code);
    if (verdict.ok) expect(verdict.value).toEqual(value);
  });

  test('a fence is no JSON to strict intake', () => {
    const row = cases.find(({ id }) => id === lenientOnly) as Row;
    const stream = pushAll(anything.stream(), row.chunks);
    expect([stream.status, stream.rejectedAt]).toEqual(['invalid_json', 1]);
  });
});

describe('any text, cut anywhere', () => {
  const text = fc.constantFrom(
    '',
    'a',
    'ab',
    'é',
    '😀',
    'a\n"\\',
    '\ud83d',
    '\ufeffx',
    'x'.repeat(50),
    '“”€'.repeat(12),
  );
  const name = fc.constantFrom('a', 'b', 'ab', '__proto__', 'constructor', 'é', 'a/b~c', 'toString');
  const number = fc.constantFrom(0, -0, 1, -1, 2.5, 1e21, 1e-7, 123456789, -1234567890, 9007199254740992);
  const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text);
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<object | boolean>(true, {}, false),
      fc.record({ type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null') }),
      fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }).map(wellFormed),
      fc.record({ maxLength: fc.nat(3), minLength: fc.nat(3) }),
      fc.record({ minimum: fc.constantFrom(0, 1, 2.5), maxItems: fc.nat(3), uniqueItems: fc.boolean() }),
      fc.record({ items: tie('schema'), minItems: fc.nat(2) }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      }),
    ),
  }));
  const places = fc.array(fc.nat(400), { maxLength: 40 });

  /** A schema is UTF-8 text in the end. */
  function wellFormed<T>(json: T): T {
    return JSON.parse(JSON.stringify(json).replaceAll('\\ud83d', '?')) as T;
  }

  /** JSON text with its spelling varied, and sometimes damaged. */
  const textOf = fc
    .tuple(
      value,
      fc.constantFrom(0, 1, '\t'),
      fc.nat(400),
      fc.constantFrom('', '', '', '"', '}', ',', '\\', '\udc00', 'cut'),
    )
    .map(([json, space, place, damage]) => {
      const whole = JSON.stringify(json, undefined, space).replaceAll('é', '\\u00e9').replaceAll('\\ud83d', '\ud83d');
      const at = place % (whole.length + 1);
      return damage === 'cut' ? whole.slice(0, at) : whole.slice(0, at) + damage + whole.slice(at);
    });

  function check(stream: ContractStream, pieces: readonly Piece[], wanted: Verdict, watched: boolean) {
    let before: ReadonlyJson | undefined;
    for (const piece of pieces) {
      const status = stream.status;
      const version = watched ? stream.version : 0;
      stream.push(piece);
      if (status === 'rejected' || status === 'invalid_json') expect(stream.status).toBe(status);
      if (!watched) continue;
      const shown = stream.snapshot();
      expect(isKept(before, shown)).toBe(true);
      expect(stream.changedSince(version).length > 0).toBe(stream.version > version);
      before = copy(shown);
    }
    const { status, rejectedAt } = stream;
    expect(stream.rejection !== undefined).toBe(status === 'rejected' || status === 'invalid_json');
    const verdict = stream.end();
    expect(verdict).toEqual(wanted);
    if (status === 'complete') expect(verdict.ok).toBe(true);
    if (status === 'rejected' || status === 'invalid_json') expect(verdict.ok).toBe(false);
    if (status === 'complete' && verdict.ok) expect(stream.snapshot()).toEqual(verdict.value);
    return { status, rejectedAt, snapshot: copy(stream.snapshot()) };
  }

  test('the verdict is that of the whole text, and the value so far only grows', () => {
    fc.assert(
      fc.property(schema, textOf, places, places, (schema, text, places, more) => {
        const contract = compileContract(schema);
        const wanted = readReturn(contract, text);
        const whole = check(contract.stream(), [text], wanted, false);
        const pieces = check(contract.stream(), cut(text, places), wanted, true);
        expect(pieces).toEqual(whole);
        expect(
          check(
            contract.stream(),
            [...text].flatMap((character) => character.split('')),
            wanted,
            true,
          ),
        ).toEqual(whole);
        if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)) return;
        const bytes = encoder.encode(text);
        const inBytes = check(contract.stream(), cut(bytes, more), readReturn(contract, bytes), true);
        expect({ ...inBytes, rejectedAt: 0 }).toEqual({ ...whole, rejectedAt: 0 });
        contract.free();
      }),
      { seed: 4, numRuns: 300 },
    );
  }, 60_000);

  test('strings are told and shown piece by piece as their bytes are', () => {
    fc.assert(
      fc.property(schema, textOf, places, (schema, text, places) => {
        const contract = compileContract(schema);
        const [strings, bytes] = [contract.stream(), contract.stream()];
        for (const piece of cut([...text.replace(/\p{Surrogate}/gu, '?')], places)) {
          const string = piece.join('');
          expect(strings.push(string)).toBe(bytes.push(encoder.encode(string)));
          expect(strings.snapshot()).toEqual(bytes.snapshot());
          expect(strings.version).toBe(bytes.version);
          expect(strings.rejection).toEqual(bytes.rejection);
        }
        contract.free();
      }),
      { seed: 4, numRuns: 300 },
    );
  }, 60_000);
});

describe('the value so far', () => {
  test('grows in place, and hides what is half there', () => {
    const stream = anything.stream();
    expect([stream.snapshot(), stream.version]).toEqual([undefined, 0]);
    stream.push('{"findings":[{"cla');
    const shown = stream.snapshot();
    expect(shown).toEqual({ findings: [{}] });
    for (const [piece, wanted] of [
      ['im":"pins v', 'pins v'],
      ['3\\', 'pins v3'],
      ['n\\ud83d', 'pins v3\n'],
      ['\\ude00 é', 'pins v3\n😀 é'],
      ['"', 'pins v3\n😀 é'],
    ] as const) {
      stream.push(piece);
      expect(shown).toEqual({ findings: [{ claim: wanted }] });
    }
    stream.push(',"n":-12');
    expect(shown).toEqual({ findings: [{ claim: 'pins v3\n😀 é' }] });
    stream.push('.5e1}],"ok":tr');
    expect(shown).toEqual({ findings: [{ claim: 'pins v3\n😀 é', n: -125 }] });
    stream.push('ue}');
    expect(shown).toEqual({ findings: [{ claim: 'pins v3\n😀 é', n: -125 }], ok: true });
    expect(stream.snapshot()).toBe(shown);
    expect(stream.end()).toMatchObject({ ok: true, value: shown });
    expect(stream.snapshot()).toBe(shown);
  });

  test.each([
    ['a string', '"ab\\u00e9', 'abé', '"'],
    ['a number', '12', undefined, ' '],
    ['a literal', 'nul', undefined, 'l'],
  ])('may be %s', (_, beginning, shown, rest) => {
    const stream = pushAll(anything.stream(), [...beginning]);
    expect(stream.snapshot()).toBe(shown);
    stream.push(rest);
    const verdict = stream.end();
    expect(verdict.ok && verdict.value).toBe(stream.snapshot());
  });

  test('has inherited names as data', () => {
    const text = '{"__proto__":{"x":1},"constructor":"c","toString":[true],"hasOwnProperty":null}';
    const stream = anything.stream();
    stream.version;
    for (const unit of text) stream.push(unit);
    const shown = stream.snapshot() as object;
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
    expect(Object.keys(shown)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(JSON.stringify(shown)).toBe(text);
    expect({}).not.toHaveProperty('x');
  });

  test('grows a string under an inherited name', () => {
    const stream = anything.stream();
    stream.version;
    pushAll(stream, ['{"__proto__":"a', 'b', 'c"}']);
    expect(JSON.stringify(stream.snapshot())).toBe('{"__proto__":"abc"}');
  });

  test('is frozen where it is closed, and writing into what is open changes nothing but what is shown', () => {
    const stream = pushAll(anything.stream(), ['[{"a":1},']);
    const shown = stream.snapshot() as unknown[];
    expect(() => {
      (shown[0] as { a: number }).a = 2;
    }).toThrow(TypeError);
    shown.push('mine', 'mine too');
    stream.push('3]');
    expect(stream.end()).toMatchObject({ ok: true, value: [{ a: 1 }, 3] });
  });

  test('looked at late, or only after the end, is the same', () => {
    const text = '{"a":[1,{"b":"c\\n😀d"},[]],"e":"f';
    for (let looked = 0; looked <= text.length; looked++) {
      const stream = pushAll(anything.stream(), text.slice(0, looked).split(''));
      stream.snapshot();
      pushAll(stream, text.slice(looked).split(''));
      expect(stream.snapshot()).toEqual({ a: [1, { b: 'c\n😀d' }, []], e: 'f' });
    }
    const stream = anything.stream();
    stream.push(text);
    stream.end();
    expect(stream.snapshot()).toEqual({ a: [1, { b: 'c\n😀d' }, []], e: 'f' });
  });

  test('says what changed since a version, new things once', () => {
    const stream = anything.stream();
    expect(stream.changedSince(0)).toEqual([]);
    stream.push('{"a/b":[{"c":"x');
    const first = stream.version;
    expect(stream.changedSince(0)).toEqual(['']);
    stream.push('y');
    expect(stream.changedSince(first)).toEqual(['/a~1b/0/c']);
    stream.push('z","d":1},{"c":"');
    expect(stream.changedSince(first)).toEqual(['/a~1b/0/c', '/a~1b/0/d', '/a~1b/1']);
    const second = stream.version;
    stream.push('","e');
    expect(stream.version).toBe(second);
    expect(stream.changedSince(second)).toEqual([]);
    stream.push('":[],"f":tru');
    expect(stream.changedSince(second)).toEqual(['/a~1b/1/e']);
    expect(stream.changedSince(stream.version)).toEqual([]);
  });

  test('forgets changes that are long ago, and then says that all may have changed', () => {
    const stream = anything.stream();
    stream.push('[0');
    const early = stream.version;
    for (let item = 1; item < 5000; item++) stream.push(`,${item}`);
    expect(stream.changedSince(early)).toEqual(['']);
    expect(stream.changedSince(stream.version - 2)).toEqual(['/4997', '/4998']);
  });

  test('stays as it is after a rejection', () => {
    const stream = compileContract({ items: { type: 'integer' } }).stream();
    stream.push('[1,2,"x",3');
    // The string that nothing can mend has begun.
    expect(stream.snapshot()).toEqual([1, 2, '']);
    stream.push(',4]');
    expect(stream.snapshot()).toEqual([1, 2, '']);
  });
});

describe('early rejection', () => {
  const confidence = { properties: { confidence: { enum: ['verified', 'inferred'] } } };

  test('names the issue and the character that proves it', () => {
    const stream = compileContract(confidence).stream();
    expect(stream.push('{"é😀":"é😀","confid')).toBe('incomplete');
    expect([stream.rejection, stream.rejectedAt]).toEqual([undefined, undefined]);
    expect(stream.push('ence":"certain", "more":1')).toBe('rejected');
    expect(stream.rejectedAt).toBe('{"é😀":"é😀","confidence":"certain"'.length);
    expect(stream.rejection).toMatchObject({
      ok: false,
      code: 'schema_violation',
      issues: [{ instancePath: '/confidence', keyword: 'enum', schemaPath: '/properties/confidence/enum' }],
    });
    expect(stream.push('}')).toBe('rejected');
    expect((stream.end() as Rejection).issues).toEqual(stream.rejection?.issues);
  });

  test('is where it is after any length of text that two streams were told by turns', () => {
    const contract = compileContract(confidence);
    const streams = [contract.stream(), contract.stream()];
    const claims = ['pins v3, é and 😀; '.repeat(900), 'drops the id of the merchant; '.repeat(700)];
    for (const stream of streams) stream.push('{"claim":"');
    for (let at = 0; at < 20_000; at += 12) {
      streams.forEach((stream, index) => {
        expect(stream.push((claims[index] ?? '').slice(at, at + 12))).toBe('incomplete');
      });
    }
    streams.forEach((stream, index) => {
      const claim = (claims[index] ?? '').slice(0, 20_004);
      expect(stream.push('!", "confidence":"certain", "more":1')).toBe('rejected');
      expect(stream.snapshot()).toMatchObject({ claim: `${claim}!` });
      expect(stream.rejectedAt).toBe(`{"claim":"${claim}!", "confidence":"certain"`.length);
    });
  });

  test('counts bytes of bytes', () => {
    const stream = compileContract(confidence).stream();
    stream.push(encoder.encode('{"é😀":1,"confidence":"cer'));
    stream.push(encoder.encode('tain","'));
    expect(stream.rejectedAt).toBe(encoder.encode('{"é😀":1,"confidence":"certain"').length);
  });

  test('comes in the first finding of a research record', () => {
    const finding = { claim: 'c', provenance: ['p'], confidence: 'certain' };
    const text = JSON.stringify({ findings: [finding, ...Array(200).fill({ ...finding, confidence: 'verified' })] });
    const stream = compileContract(researchResult).stream();
    for (const unit of text) if (stream.push(unit) === 'rejected') break;
    expect(stream.rejectedAt).toBe(text.indexOf('"certain"') + '"certain"'.length);
  });
});

describe('the life of a stream', () => {
  test('is over at its end', () => {
    const stream = anything.stream();
    stream.push('[1]');
    const verdict = stream.end();
    expect(verdict).toEqual({ ok: true, value: [1], text: '[1]', flags: [] });
    expect(stream.end()).toBe(verdict);
    expect(() => stream.push(' ')).toThrow(expect.objectContaining({ code: 'stream_ended' }));
    stream.free();
    expect(stream.end()).toBe(verdict);
  });

  test('is over when it is freed', () => {
    const stream = anything.stream();
    stream.push('[1');
    stream[Symbol.dispose]();
    expect(() => stream.push(']')).toThrow(expect.objectContaining({ code: 'stream_freed' }));
    expect(() => stream.end()).toThrow(SubcontractError);
    expect(stream.snapshot()).toEqual([]);
  });

  test('does not depend on its contract being kept', () => {
    const contract = compileContract({ type: 'array' });
    const stream = contract.stream();
    contract.free();
    stream.push('{');
    expect(stream.status).toBe('rejected');
    expect(() => contract.stream()).toThrow(expect.objectContaining({ code: 'contract_freed' }));
  });

  test('goes on in a fresh instance after another call has trapped', () => {
    const contract = compileContract({ items: { type: 'string' } });
    const [watched, unwatched] = [contract.stream(), contract.stream()];
    pushAll(watched, ['["a', 'b\\u00']);
    const shown = watched.snapshot();
    pushAll(unwatched, [encoder.encode('["é').subarray(0, 3)]);
    expect(() => call((core) => core.trap())).toThrow(expect.objectContaining({ code: 'internal_error' }));
    watched.push('e9"');
    unwatched.push(encoder.encode('é').subarray(1));
    unwatched.push('",1');
    expect(shown).toEqual(['abé']);
    expect(unwatched.rejection?.issues[0]).toMatchObject({ instancePath: '/1', keyword: 'type' });
    expect(() => call((core) => core.trap())).toThrow();
    watched.push(']');
    expect(watched.end()).toMatchObject({ ok: true, text: '["ab\\u00e9"]' });
    expect(watched.snapshot()).toBe(shown);
    unwatched.free();
  });

  test.each([
    ['a blank text is an empty object', '  \n', undefined, { ok: true, value: {} }],
    ['a literal may have been going on', 'true', 'length', { ok: false, code: 'truncated' }],
    ['an object shows its end', '{}', 'length', { ok: true, value: {} }],
    [
      'a lone surrogate is replaced and flagged',
      '["\ud83d"]',
      undefined,
      { ok: true, text: '["\\ufffd"]', flags: ['lone_surrogate'] },
    ],
    ['a half at the very end', '["\ud83d', undefined, { ok: false, code: 'truncated' }],
    [
      'a byte order mark is ignored',
      '\ufeff[9007199254740993]',
      undefined,
      { ok: true, text: '[9007199254740993]', flags: ['unsafe_integer'] },
    ],
  ])('%s', (_, text, finishReason, wanted) => {
    const stream = pushAll(anything.stream(), text.split(''));
    const verdict = stream.end(finishReason === undefined ? {} : { finishReason });
    expect(verdict).toMatchObject(wanted);
    expect(verdict).toEqual(readReturn(anything, text, finishReason === undefined ? {} : { finishReason }));
  });

  test('pieces may be large', () => {
    const text = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => `item ${index} é`));
    for (const pieces of [[text], cut(text, [70_000, 350_000]), [encoder.encode(text)]]) {
      const stream = anything.stream();
      stream.version;
      pushAll(stream, pieces);
      expect(stream.status).toBe('complete');
      expect(stream.snapshot()).toEqual(JSON.parse(text));
      expect(stream.end()).toMatchObject({ ok: true, text });
    }
  });

  test('what is no text is refused, and no trap', () => {
    const stream = anything.stream();
    expect(() => stream.push(1 as unknown as string)).toThrow(TypeError);
    expect(() => stream.push(null as unknown as string)).toThrow(TypeError);
    expect(stream.push('1 ')).toBe('complete');
  });

  test('an unknown intake is refused with a sentence', () => {
    const intake = 'loose' as 'strict';
    expect(() => anything.stream({ intake })).toThrow(`intake must be 'strict' or 'lenient', not "loose"`);
    expect(() => readReturn(anything, '1', { intake })).toThrow(`intake must be 'strict' or 'lenient', not "loose"`);
  });
});
