// A schema's own validation around a child: what it makes of a return, and what becomes of one that fails, hangs or comes late.
import { defineAgent, delegate } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scriptedChild } from './scripted-child.js';
import { collect, fixed } from './strict-client.js';

const base = { name: 'a', description: 'b' };
const LONG = '9007199254740993123';

describe("the schema's own validation", () => {
  test('a transform replaces the result; the child’s own text stays with the host', async () => {
    let runs = 0;
    const outputSchema = z.object({
      id: z.unknown(),
      seats: z.string().transform((text) => {
        runs += 1;
        return Number(text);
      }),
    });
    const args = `{ "id": ${LONG}, "seats": "12" }`;
    const agent = defineAgent({
      ...base,
      outputSchema,
      run: (ctx) => scriptedChild([{ calls: [{ id: 'c1', name: 'return_result', args }] }], ctx.tools),
    });
    const delegation = delegate(agent, undefined, fixed());
    const text = await delegation.envelopeText;
    expect(text).toContain(`"final_result":{"id":${LONG},"seats":12}`);
    expect(text).toContain(`"returned":${args}`);
    expect(JSON.parse(text)).toMatchObject({
      status: 'completed',
      amendments: [{ pointer: '/seats', by: 'transform' }],
      flags: ['unsafe_integer'],
    });
    expect(await delegation.toolResult).not.toContain('"12"');
    expect(runs).toBe(1);
  });

  test('one that throws fails the run and blames nobody else', async () => {
    const outputSchema = z.object({ n: z.number() }).refine(() => {
      throw new Error('no database');
    });
    const agent = defineAgent({ ...base, outputSchema, run: () => '{"n":1}' });
    expect(await delegate(agent, undefined, fixed()).envelope).toMatchObject({
      status: 'failed',
      attempts: [],
      error: { code: 'validation_threw', message: "the schema's own validation failed: no database" },
    });
  });

  const faulty: [string, unknown][] = [
    ['nothing', undefined],
    ['issues that are no list', { issues: 'bad' }],
    ['null for no issues', { issues: null, value: {} }],
    ['an issue that is none', { issues: [null] }],
    ['a path that is none', { issues: [{ message: 'm', path: 'n' }] }],
    ['a path with a hole', { issues: [{ message: 'm', path: [null] }] }],
  ];
  test.each(faulty)('one that gives %s is to blame itself, not the child', async (_, result) => {
    const outputSchema = {
      '~standard': {
        version: 1 as const,
        vendor: 'own',
        validate: () => result as never,
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
      },
    };
    const agent = defineAgent({ ...base, outputSchema, run: () => '{}' });
    expect(await delegate(agent, undefined, fixed()).envelope).toMatchObject({
      status: 'failed',
      attempts: [],
      error: { code: 'validation_threw' },
    });
  });

  test('what it or a guard throws reaches the parent in one short line', async () => {
    const thrown = new Error(`no\ndatabase ${'x'.repeat(10_000)}`);
    const fail = () => {
      throw thrown;
    };
    const schema = z.object({ n: z.number() });
    for (const agent of [
      defineAgent({ ...base, outputSchema: schema.refine(fail), run: () => '{"n":1}' }),
      defineAgent({ ...base, outputSchema: schema, guards: [{ name: 'g', check: fail }], run: () => '{"n":1}' }),
    ]) {
      const delegation = delegate(agent, undefined, fixed());
      const { error } = JSON.parse(await delegation.toolResult);
      expect(error).toMatch(/failed: no database x+ \[…\]$/);
      expect(error.length).toBeLessThan(600);
      // All of it is there for whoever runs this.
      await expect(delegation.orThrow()).rejects.toMatchObject({ cause: thrown });
    }
  });

  const never = z.object({ n: z.number() }).refine(() => new Promise<boolean>(() => {}));
  const returns: [string, (tools: never) => unknown][] = [
    ['a text', () => '{"n":1}'],
    [
      'its return tool',
      (tools) => scriptedChild([{ calls: [{ id: 'c', name: 'return_result', args: '{"n":1}' }] }], tools),
    ],
  ];
  test.each(returns)('one that never ends is reached by the timeout and by an abort: %s', async (_, run) => {
    const agent = defineAgent({ ...base, outputSchema: never, run: (ctx) => run(ctx.tools as never) as string });
    const late = delegate(agent, undefined, fixed({ timeoutMs: 20 }));
    expect(await late.envelope).toMatchObject({
      status: 'failed',
      error: { code: 'child_timeout' },
      final_result: null,
    });

    const aborted = delegate(agent, undefined, fixed());
    setTimeout(() => aborted.abort('enough'), 10);
    expect(await aborted.envelope).toMatchObject({ status: 'cancelled', error: { code: 'aborted' }, attempts: [] });
  });

  test('one that refuses asynchronously sends the return back', async () => {
    const outputSchema = z.object({ n: z.number().refine(async (n) => n > 1, 'must be more than one') });
    const agent = defineAgent({ ...base, outputSchema, run: (ctx) => `{"n":${ctx.attempt}}` });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      final_result: { n: 2 },
      attempts: [
        {
          outcome: 'rejected',
          code: 'refinement_failed',
          issues: [{ instancePath: '/n', message: 'must be more than one' }],
        },
        { outcome: 'accepted' },
      ],
    });
  });
});
