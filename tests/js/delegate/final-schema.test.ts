// A model's schema for one call: refused before the child starts when it does not keep to its limits, judged by when it does.
import { defineAgent, delegate } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { scriptedChild } from './scripted-child.js';
import { collect, fixed } from './strict-client.js';

const base = { name: 'a', description: 'b' };

describe("a model's final schema", () => {
  let deep: object = { type: 'integer' };
  for (let level = 0; level < 70; level += 1) deep = { items: deep };

  const refused: [string, unknown, string][] = [
    ['null', null, 'invalid_schema'],
    ['a text that is no JSON', 'integer', 'invalid_json'],
    ['the text of a string', '"integer"', 'invalid_schema'],
    ['a number', 7, 'invalid_schema'],
    ['a type that does not exist', { type: 'float' }, 'invalid_schema'],
    ['a misspelt keyword', { type: 'object', requried: ['a'] }, 'unknown_keyword'],
    ['too many levels', deep, 'too_deep'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, 'unresolved_ref'],
    ['a pattern that backtracks', { type: 'string', pattern: '^(a+)+\\1$' }, 'unsupported_pattern'],
    ['a dialect that is not known', { $schema: 'https://example.com/x' }, 'unknown_dialect'],
  ];
  test.each(refused)('%s is refused, and the child does not start', async (_, finalSchema, code) => {
    let runs = 0;
    const agent = defineAgent({
      ...base,
      // The one that the call overrides is no refuge.
      outputSchema: { type: 'object' },
      run: () => {
        runs += 1;
        return '{}';
      },
    });
    const delegation = delegate(agent, undefined, fixed({ finalSchema: finalSchema as object }));
    const events = await collect(delegation);
    expect(events).toMatchObject([{ type: 'CUSTOM', name: 'subcontract.not_started', value: { code } }]);
    const envelope = await delegation.envelope;
    expect(envelope).toMatchObject({ status: 'failed', final_result: null, attempts: [], error: { code } });
    expect(envelope.error?.message).toMatch(/\S/);
    expect(await delegation.toolResult).toContain(code);
    expect(runs).toBe(0);
  });

  test('a number goes through the return tool wrapped, is refused where it stands, and comes out bare', async () => {
    const call = (id: string, args: string) => ({ id, name: 'return_result', args });
    const agent = defineAgent({
      ...base,
      run: (ctx) =>
        scriptedChild(
          [
            { calls: [call('c1', '7')] },
            { calls: [call('c2', '{"result":-1}')] },
            { calls: [call('c3', '{"result": 90071992547409931}')] },
          ],
          ctx.tools,
        ),
    });
    const delegation = delegate(agent, undefined, fixed({ finalSchema: { type: 'integer', minimum: 0 } }));
    const events = await collect(delegation);
    const answers = events.flatMap((event) => (event.type === 'TOOL_CALL_RESULT' ? [event.content] : []));
    expect(answers).toEqual([
      expect.stringContaining('expected an object with the single property "result"'),
      expect.stringContaining('/result: expected a number >= 0, found -1'),
      'The return was accepted. Your task is done; do nothing more.',
    ]);
    expect(await delegation.envelopeText).toContain('"final_result":90071992547409931,');
    expect(await delegation.envelope).toMatchObject({
      status: 'completed',
      contract: { source: 'final_schema', digest: expect.stringMatching(/^sha256-/) },
      flags: ['unsafe_integer'],
    });
  });
});
