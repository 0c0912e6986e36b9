// defineAgent: what it takes, what it refuses, and the contracts it makes of every kind of schema.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { compileContract, defineAgent, delegate, SchemaError } from 'subcontract';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const run = () => '';
const description = 'does it';

describe('names', () => {
  test.each([
    ['', 'an agent needs a name'],
    [undefined, 'an agent needs a name'],
    ['main', 'agent "main": the name is reserved by hosts'],
    ['sessionId', 'agent "sessionId": the name is reserved by hosts'],
    ['background', 'agent "background": the name is reserved by hosts'],
    ['two words', 'agent "two words": the name is also its tool'],
    ['9lives', 'agent "9lives": the name is also its tool'],
    ['né', 'agent "né": the name is also its tool'],
    ['x'.repeat(65), `agent "${'x'.repeat(65)}": the name is also its tool`],
  ])('%j is refused', (name, message) => {
    expect(() => defineAgent({ name: name as string, description, run })).toThrow(message);
  });

  test.each(['researcher', 'Price_Finder-2', '_x', 'x'.repeat(64)])('%j is taken', (name) => {
    expect(defineAgent({ name, description, run }).name).toBe(name);
  });
});

describe('definitions', () => {
  const base = { name: 'a', description, run };

  test('defaults', () => {
    const agent = defineAgent(base);
    expect({ ...agent, definition: undefined }).toEqual({
      name: 'a',
      description,
      maxRetries: 2,
      earlyReject: true,
      allowFinalSchema: false,
      definition: undefined,
      run: expect.any(Function),
    });
    expect(agent.definition).toBe(base);
    expect(Object.isFrozen(agent)).toBe(true);
  });

  test.each([
    [{ description: ' ' }, 'description must say what the agent does'],
    [{ run: 'x' }, 'run must be a function'],
    [{ maxRetries: -1 }, 'maxRetries must be an integer from 0 to 100, not -1'],
    [{ maxRetries: 1.5 }, 'maxRetries must be an integer from 0 to 100, not 1.5'],
    [{ maxRetries: Number.POSITIVE_INFINITY }, 'maxRetries must be an integer from 0 to 100, not Infinity'],
    [{ maxRetries: '2' }, 'maxRetries must be an integer from 0 to 100, not "2"'],
    [
      { outputSchema: { type: 'object' }, finalSchema: { type: 'object' } },
      'finalSchema conflicts with outputSchema: declare one',
    ],
    [{ inputSchema: {}, parameters: {} }, 'parameters conflicts with inputSchema: declare one'],
    [{ output: {} }, 'output is called outputSchema'],
    [{ maxRetrys: 3 }, 'unknown field "maxRetrys"'],
  ])('%j is refused', (fields, message) => {
    const definition = { ...base, ...fields } as typeof base;
    expect(() => defineAgent(definition)).toThrow(new RegExp(`^agent "a": ${literal(message)}`));
  });

  test('a schema that does not compile names the agent and the field, and keeps code and issues', () => {
    const define = () => defineAgent({ ...base, outputSchema: { type: 'objekt' } });
    expect(define).toThrow(SchemaError);
    expect(define).toThrow(/^agent "a": outputSchema: .*\/type: expected one of "array", .*, found "objekt"$/);
    try {
      define();
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_schema', cause: { code: 'invalid_schema' } });
      expect((error as SchemaError).issues.length).toBeGreaterThan(0);
    }
  });

  test('valibot without its converter names the remedy', () => {
    expect(() => defineAgent({ ...base, inputSchema: v.object({ task: v.string() }) })).toThrow(/toStandardJsonSchema/);
  });
});

describe('every kind of schema', () => {
  const json = { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] } as const;
  const schemas = {
    zod: z.object({ task: z.string() }),
    arktype: type({ task: 'string' }),
    valibot: toStandardJsonSchema(v.object({ task: v.string() })),
    'JSON Schema': json,
    'JSON Schema text': JSON.stringify(json),
    Contract: compileContract(json),
  };

  test.each(Object.entries(schemas))(
    '%s: the brief reaches ctx.input, another does not start the child',
    async (_, inputSchema) => {
      const seen: unknown[] = [];
      const agent = defineAgent({
        name: 'a',
        description,
        inputSchema: inputSchema as object,
        run: (ctx) => {
          seen.push(ctx.input);
          return 'done';
        },
      });
      const good = await delegate(agent, '{"task":"x"}').envelope;
      const bad = await delegate(agent, '{"task":7}').envelope;
      expect(seen).toEqual([{ task: 'x' }]);
      expect(good).toMatchObject({ status: 'completed', input: { task: 'x' }, task_summary: 'done' });
      expect(bad).toMatchObject({ status: 'failed', error: { code: 'brief_rejected' } });
      expect(bad.error?.issues).toMatchObject([{ instancePath: '/task', keyword: 'type' }]);
    },
  );
});

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
