// subcontract/reference: the same contracts judged by the reference engine, in a core of its own.
import { readFileSync } from 'node:fs';
import { compileContract as compileOwn, defineAgent, delegate, SchemaError, SubcontractError } from 'subcontract';
import { compileContract, isContract, readReturn } from 'subcontract/reference';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call } from '../../js/boundary.js';
import { mainCore } from '../../js/instance.js';
import { referenceCore } from '../../js/reference/core.js';

const pricing = { type: 'object', required: ['plan'], properties: { plan: { type: 'string', minLength: 1 } } };

/** The engines are known to disagree on it: the crate rounds to a double. */
const beyondDoubles = [{ multipleOf: 3 }, '3.00000000000000000001'] as const;

test('it is another engine', () => {
  const [schema, text] = beyondDoubles;
  expect(compileOwn(schema).isValid(text)).toBe(false);
  expect(compileContract(schema).isValid(text)).toBe(true);
});

test('verdicts have the same shape, and contracts the same digest', () => {
  const [own, reference] = [compileOwn(pricing), compileContract(pricing)];
  expect(reference.digest).toBe(own.digest);
  for (const text of ['{"plan":"Team"}', '{}', '{"plan":""}', '[]', '{"plan":', '{"plan":"a","plan":"b"}']) {
    expect(reference.check(text)).toEqual(own.check(text));
  }
  expect(readReturn(reference, ' {"plan":"Team"} ')).toMatchObject({ ok: true, value: { plan: 'Team' } });
});

test('options mean the same; a schema from a model is refused', () => {
  const other = compileContract({ $ref: 'https://example.com/a' }, { schemas: { 'https://example.com/a': pricing } });
  expect(other.isValid('{}')).toBe(false);
  expect(compileContract({ format: 'email' }, { formats: 'annotate' }).isValid('"x"')).toBe(true);
  expect(compileContract({ items: [{ type: 'string' }] }, { dialect: 'draft7' }).isValid('[1]')).toBe(false);
  expect(() => compileContract(pricing, { trust: 'model' })).toThrow(SchemaError);
  expect(() => compileContract({ type: 'nonsense' })).toThrow(expect.objectContaining({ code: 'invalid_schema' }));
});

test('a contract keeps its engine until it is compiled anew', () => {
  const [schema, text] = beyondDoubles;
  const [own, reference] = [compileOwn(schema), compileContract(schema)];
  expect(isContract(reference)).toBe(true);
  expect(compileContract(reference)).toBe(reference);
  expect(compileOwn(reference)).toBe(reference);
  expect(compileContract(own).isValid(text)).toBe(true);
  expect(compileOwn(reference, { formats: 'annotate' }).isValid(text)).toBe(false);
});

test('a Standard Schema is judged by its JSON Schema and then by itself', async () => {
  const even = z.object({
    n: z
      .number()
      .int()
      .refine((n) => n % 2 === 0, 'must be even'),
  });
  const contract = compileContract(even);
  expect(contract.check('{"n":1}').ok).toBe(true);
  expect(await contract.judge('{"n":1}')).toMatchObject({ ok: false, code: 'refinement_failed' });
  expect(await compileContract(compileOwn(even)).judge('{"n":2}')).toMatchObject({ ok: true, value: { n: 2 } });
});

test('a delegation is gated by it', async () => {
  const [schema, text] = beyondDoubles;
  const agent = (outputSchema: object) =>
    defineAgent({ name: 'counter', description: 'counts', outputSchema, maxRetries: 0, run: async () => text });
  const status = async (outputSchema: object) => (await delegate(agent(outputSchema), 'count').envelope).status;
  expect(await status(compileContract(schema))).toBe('completed');
  expect(await status(compileOwn(schema))).toBe('failed');
});

test('a trap of one core leaves the other alone, and its own contracts go on', () => {
  const [own, reference] = [compileOwn(pricing), compileContract(pricing)];
  const [ownInstance, referenceInstance] = [mainCore.instance, referenceCore.instance];
  expect(() => call((instance) => instance.trap(), referenceCore)).toThrow(
    expect.objectContaining({ code: 'internal_error' }),
  );
  expect(mainCore.instance).toBe(ownInstance);
  expect(referenceCore.instance).not.toBe(referenceInstance);
  expect([own, reference].map((contract) => contract.isValid('{"plan":"Team"}'))).toEqual([true, true]);
  expect([own, reference].map((contract) => contract.isValid('{}'))).toEqual([false, false]);
  reference.free();
  expect(() => reference.isValid('{}')).toThrow('this contract was freed');
  expect(own.isValid('{}')).toBe(false);
});

interface Row {
  draft: 'draft4' | 'draft6' | 'draft7' | '2019-09' | '2020-12';
  schemas?: Record<string, object>;
  instance_text: string;
  valid: boolean | null;
  why: string;
}

test('through wasm the engines disagree where they do natively', () => {
  const lines = readFileSync(new URL('../fixtures/disagreements.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) {
    const row = JSON.parse(line) as Row;
    // The schema's own text: a number beyond a double would not survive `JSON.parse`.
    const schema = line.slice(line.indexOf('"schema":') + 9, line.search(/,"(schemas|instance_text)":/));
    const options = { dialect: row.draft, ...(row.schemas && { schemas: row.schemas }) };
    const verdict = (compile: typeof compileContract) => {
      try {
        return compile(schema, options).isValid(row.instance_text);
      } catch (error) {
        if (error instanceof SchemaError) return null;
        // A panic of the crate is a trap here: also no verdict, and the instance is made anew.
        if (compile === compileContract && error instanceof SubcontractError && error.code === 'internal_error')
          return 'trapped';
        throw error;
      }
    };
    expect([row.why, verdict(compileOwn)]).toEqual([row.why, row.valid]);
    expect([row.why, verdict(compileContract)]).not.toEqual([row.why, row.valid]);
  }
});
