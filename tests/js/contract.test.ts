// Contracts as applications use them: any schema library, values and texts, Standard Schema both ways, and their end.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { compileContract, isContract, readReturn, SchemaError, SubcontractError } from 'subcontract';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call } from '../../js/boundary.js';
import { readBrief } from '../../js/contract.js';
import { buildEnvelope } from '../../js/core.js';
import type { EnvelopeParts } from '../../js/envelope.js';
import { mainCore } from '../../js/instance.js';

const pricing = {
  type: 'object',
  required: ['plan'],
  properties: { plan: { type: 'string' }, seats: { type: 'integer' } },
};

function schemaError(compile: () => unknown): SchemaError {
  try {
    compile();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error('it compiles');
}

describe('schemas', () => {
  const Zod = z.object({ plan: z.string(), seats: z.number().optional() });
  const Ark = type({ plan: 'string', 'seats?': 'number' });
  const Valibot = v.object({ plan: v.string(), seats: v.optional(v.number()) });

  test.each([
    ['a JSON Schema', pricing],
    ['the text of one', JSON.stringify(pricing)],
    ['zod', Zod],
    ['arktype', Ark],
    ['valibot, through its converter', toStandardJsonSchema(Valibot)],
    ['a contract', compileContract(pricing)],
  ])('%s', (_name, schema) => {
    const contract = compileContract(schema);
    expect(isContract(contract)).toBe(true);
    expect(contract.check('{"plan":"Team"}')).toEqual({
      ok: true,
      value: { plan: 'Team' },
      text: '{"plan":"Team"}',
      flags: [],
    });
    const refused = contract.check('{"seats":"ten"}');
    expect(refused.ok || refused.issues.map((issue) => [issue.instancePath, issue.keyword])).toEqual([
      ['', 'required'],
      ['/seats', 'type'],
    ]);
  });

  test('valibot without its converter names the remedy', () => {
    const error = schemaError(() => compileContract(Valibot));
    expect(error.code).toBe('no_json_schema');
    expect(error.message).toContain('wrap it with toStandardJsonSchema from @valibot/to-json-schema');
  });

  test.each([
    ['zod', z.object({ at: z.date() })],
    ['valibot', toStandardJsonSchema(v.object({ at: v.date() }))],
  ])('a type of %s that JSON Schema cannot say is a schema error with its cause', (_name, schema) => {
    const error = schemaError(() => compileContract(schema));
    expect(error.code).toBe('no_json_schema');
    expect(error.cause).toBeInstanceOf(Error);
  });

  test.each([
    ['null', null],
    ['a number', 7],
    ['undefined', undefined],
  ])('%s is no schema', (_name, schema) => {
    expect(schemaError(() => compileContract(schema as unknown as object)).code).toBe('invalid_schema');
  });

  test('a schema with a part that is no JSON says where', () => {
    const error = schemaError(() => compileContract({ properties: { a: { maximum: Number.NaN } } }));
    expect([error.code, error.message]).toEqual([
      'invalid_json',
      'the schema is no JSON at /properties/a/maximum: NaN is no JSON number',
    ]);
  });

  test('the formats of a Standard Schema annotate, those of a JSON Schema assert', () => {
    expect(compileContract({ format: 'ipv4' }).isValid('"x"')).toBe(false);
    expect(compileContract(z.ipv4()).check('"999.1.1.1"').ok).toBe(false); // zod writes a pattern beside the format
    expect(compileContract(z.url()).isValid('"http://a b"')).toBe(true);
  });

  test('an unknown option is refused', () => {
    expect(() => compileContract(pricing, { format: 'assert' } as object)).toThrow("unknown option 'format'");
  });

  test('a schema from a model has limits', () => {
    const model = { trust: 'model' } as const;
    expect(compileContract({ type: 'integer', minimum: 0 }, model).isValid('1')).toBe(true);
    expect(schemaError(() => compileContract({ requried: ['a'] }, model)).code).toBe('unknown_keyword');
    expect(schemaError(() => compileContract({ pattern: '(a+)+$\\1' }, model)).code).toMatch(/pattern|invalid_schema/);
    expect(compileContract({ requried: ['a'] }).isValid('{}')).toBe(true);
  });
});

describe('values', () => {
  const open = compileContract(true);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = { cyclic };

  test.each([
    ['NaN', [Number.NaN], '/0', 'NaN is no JSON number'],
    ['an infinity', { a: -Infinity }, '/a', '-Infinity is no JSON number'],
    ['undefined in an array', { a: [1, undefined] }, '/a/1', 'undefined has no JSON form'],
    ['a function', { 'a/b': () => {} }, '/a~1b', 'function has no JSON form'],
    ['a symbol', Symbol('x'), '', 'symbol has no JSON form'],
    ['a bigint', { a: 1n }, '/a', 'bigint has no JSON form'],
    ['a Map', { a: new Map() }, '/a', 'Map has no JSON form'],
    ['a Set', new Set(), '', 'Set has no JSON form'],
    ['a Date', { at: new Date(0) }, '/at', 'Date has no JSON form'],
    ['toJSON', { a: { toJSON: () => 1 } }, '/a', 'an object with toJSON would be rewritten; give its JSON value'],
    ['a cycle', cyclic, '/self/cyclic', 'the value contains itself'],
  ])('%s is no JSON, and is not rewritten', (_name, value, instancePath, message) => {
    const verdict = open.checkValue(value);
    expect(verdict).toEqual({
      ok: false,
      code: 'invalid_json',
      issues: [{ instancePath, schemaPath: '', keyword: 'invalid_json', params: {}, message }],
      flags: [],
    });
  });

  test('a member that is undefined is absent', () => {
    expect(open.checkValue({ a: undefined, b: [null] })).toMatchObject({ ok: true, text: '{"b":[null]}' });
  });

  test('the same object twice is no cycle', () => {
    const shared = { x: 1 };
    expect(open.checkValue([shared, shared])).toMatchObject({ ok: true, text: '[{"x":1},{"x":1}]' });
  });

  test('__proto__ is an ordinary member and pollutes nothing', () => {
    const verdict = open.check('{"__proto__":{"admin":true},"constructor":1}');
    if (!verdict.ok) throw new Error('refused');
    expect(Object.keys(verdict.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('texts', () => {
  const text = compileContract({ type: 'string' });

  test('a lone surrogate in a JavaScript string is flagged as its escape would be', () => {
    const expected = { ok: true, value: 'a\ufffdb', text: '"a\\ufffdb"', flags: ['lone_surrogate'] };
    expect(text.check('"a\ud800b"')).toEqual(expected);
    expect(text.check('"a\\ud800b"')).toEqual(expected);
    expect(compileContract(true).check('{"\udc00":1}')).toMatchObject({ ok: false, code: 'invalid_json' });
  });

  test('invalid UTF-8 is no JSON', () => {
    expect(text.check(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ ok: false, code: 'invalid_json' });
  });

  test('more than 16 MiB is too large, as text and as bytes', () => {
    const size = (16 << 20) - 1;
    expect(text.isValid(`"${'x'.repeat(size - 1)}"`)).toBe(true);
    expect(text.check(`"${'x'.repeat(size)}"`)).toMatchObject({ ok: false, code: 'too_large' });
    expect(text.check(new Uint8Array((16 << 20) + 5))).toMatchObject({ ok: false, code: 'too_large' });
    expect(text.isValid('"after it"')).toBe(true);
  });

  test('a number of a return that the length limit may have cut is truncated', () => {
    const integer = compileContract({ type: 'integer' });
    expect(readReturn(integer, '12', { finishReason: 'length' })).toMatchObject({ ok: false, code: 'truncated' });
    expect(readReturn(integer, '12', { finishReason: 'stop' })).toMatchObject({ ok: true, value: 12 });
  });

  test('a blank return is an empty object where the contract takes one', () => {
    expect(readReturn(compileContract({ type: 'object' }), ' ')).toMatchObject({ ok: true, text: '{}' });
    expect(readReturn(compileContract(pricing), '')).toMatchObject({ ok: false, code: 'schema_violation' });
  });
});

describe("a Standard Schema's own validation", () => {
  const Even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even'), tag: z.string().default('none') });

  test('judges after the schema, in the same form', async () => {
    const verdict = await compileContract(Even).judge('{"n":3}');
    expect(verdict).toEqual({
      ok: false,
      code: 'refinement_failed',
      issues: [{ instancePath: '/n', schemaPath: '', keyword: 'refinement', params: {}, message: 'must be even' }],
      flags: [],
    });
  });

  test('a result that says the same keeps the text to the letter', async () => {
    const verdict = await compileContract(Even).judge('{ "n": 2.0, "tag": "x" }');
    expect(verdict).toMatchObject({ ok: true, text: '{ "n": 2.0, "tag": "x" }' });
  });

  test("a transform's result replaces value and text", async () => {
    const verdict = await compileContract(Even).judge('{"n":2}');
    expect(verdict).toEqual({ ok: true, value: { n: 2, tag: 'none' }, text: '{"n":2,"tag":"none"}', flags: [] });
  });

  test('a result that is no JSON is refused for a return and taken for a brief', async () => {
    const When = compileContract(z.object({ at: z.string().transform((text) => new Date(text)) }));
    const text = '{"at":"2027-03-01T14:00:00Z"}';
    await expect(When.judge(text)).rejects.toMatchObject({
      code: 'transform_not_json',
      message: expect.stringContaining('/at: Date has no JSON form'),
    });
    expect(await readBrief(When, text)).toEqual({
      ok: true,
      input: { at: new Date('2027-03-01T14:00:00Z') },
      text,
      flags: [],
    });
  });

  test('valibot refines after its schema too', async () => {
    const More = v.object({
      n: v.pipe(
        v.number(),
        v.minValue(0),
        v.check((n) => n > 1, 'must be more than one'),
      ),
    });
    const contract = compileContract(toStandardJsonSchema(More));
    expect(contract.check('{"n":-1}')).toMatchObject({ ok: false, code: 'schema_violation' });
    expect(await contract.judge('{"n":1}')).toMatchObject({
      code: 'refinement_failed',
      issues: [{ instancePath: '/n', message: 'must be more than one' }],
    });
    expect(await contract.judge('{"n":2}')).toMatchObject({ ok: true });
  });

  test('may be asynchronous', async () => {
    const Slow = z.object({ n: z.number().refine(async (n) => n > 1, 'must be more than one') });
    const contract = compileContract(Slow);
    expect(await contract.judge('{"n":2}')).toMatchObject({ ok: true });
    expect(await contract.judge('{"n":1}')).toMatchObject({ ok: false, code: 'refinement_failed' });
  });
});

describe('a contract as a Standard Schema', () => {
  const contract = compileContract({ ...pricing, $schema: 'https://json-schema.org/draft/2020-12/schema' });

  test('validates', () => {
    const standard = contract['~standard'];
    expect([standard.version, standard.vendor]).toEqual([1, 'subcontract']);
    expect(standard.validate({ plan: 'Team' })).toEqual({ value: { plan: 'Team' } });
    expect(standard.validate({ plan: 1 })).toEqual({
      issues: [{ message: 'expected string, found integer', path: ['plan'] }],
    });
  });

  test('converts to JSON Schema, but not to a dialect it is not written in', () => {
    const { jsonSchema } = contract['~standard'];
    expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(contract.jsonSchema);
    expect(() => jsonSchema.input({ target: 'draft-07' })).toThrow('cannot be given as draft-07');
  });

  test('can be compiled again from there', () => {
    const again = compileContract({ '~standard': contract['~standard'] });
    expect(again.digest).toBe(contract.digest);
  });
});

describe('the life of a contract', () => {
  test('digests say when two schemas say the same', () => {
    const digest = (schema: string) => compileContract(schema).digest;
    expect(digest('{"minimum":1,"type":"integer"}')).toBe(digest('{ "type":"integer", "minimum": 1.0 }'));
    expect(digest('{"minimum":9007199254740993}')).not.toBe(digest('{"minimum":9007199254740992}'));
  });

  test('a freed contract says so', () => {
    const contract = compileContract(pricing);
    contract.free();
    contract.free();
    expect(() => contract.check('{}')).toThrow(
      new SubcontractError('this contract was freed', { code: 'contract_freed' }),
    );
  });

  test("arguments that are no JSON are the caller's fault, not a trap", () => {
    const core = mainCore.instance;
    const parts = { run_id: 1n } as unknown as EnvelopeParts;
    expect(() => buildEnvelope(parts)).toThrow(TypeError);
    expect(mainCore.instance).toBe(core);
  });

  test('after a trap the call reports an internal error and every contract goes on', () => {
    const contract = compileContract(pricing);
    const other = compileContract({ type: 'integer' });
    expect(() => call((core) => core.trap())).toThrow(
      expect.objectContaining({ code: 'internal_error', cause: expect.any(WebAssembly.RuntimeError) }),
    );
    expect(contract.check('{"plan":"Team"}').ok).toBe(true);
    expect(other.isValid('"x"')).toBe(false);
    other.free();
    expect(contract.isValid('{}')).toBe(false);
  });
});
