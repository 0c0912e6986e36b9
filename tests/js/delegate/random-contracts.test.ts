// For random contracts, returns and fault plans: what is accepted satisfies its contract under the reference engine, what is refused stays away from the parent's model.
import fc from 'fast-check';
import { type DelegationEvent, defineAgent, delegate } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { compileContract as compileByReference } from 'subcontract/reference';
import { expect, test } from 'vitest';
import { collect, fixed, soon } from './strict-client.js';

/** In every value that a return may be refused for, so that it is found wherever it turns up. */
const MARK = 'M4RK';

const leaf = fc.constantFrom(
  { type: 'integer', minimum: 0 },
  { type: 'string', maxLength: 3 },
  { enum: ['a', 'b'] },
  { type: 'array', items: { type: 'integer' }, maxItems: 2 },
  { type: ['null', 'boolean'] },
);
const contracts = fc.oneof(
  leaf,
  fc
    .record({
      properties: fc.dictionary(fc.constantFrom('p', 'q', 'r'), leaf),
      closed: fc.boolean(),
      all: fc.boolean(),
    })
    .map(({ properties, closed, all }) => ({
      title: 'made',
      type: 'object',
      properties,
      required: all ? Object.keys(properties) : [],
      ...(closed && { additionalProperties: false }),
    })),
);
const scalar = fc.constantFrom<unknown>(0, 7, 'a', 'b', null, true, [], [1], `${MARK}s`, [MARK], { [MARK]: 1 }, -1.5);
const values = fc.oneof(scalar, fc.dictionary(fc.constantFrom('p', 'q', 'r', MARK), scalar));
const attempt = fc.record({
  value: values,
  how: fc.constantFrom('tool', 'tool', 'unseen', 'text', 'nothing', 'throws'),
  cut: fc.boolean(),
  fits: fc.boolean(),
});

/** A value that satisfies a contract of these. */
function fitting(schema: { type?: unknown; enum?: unknown; properties?: object }): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, fitting(of)]));
  }
  if (schema.enum) return 'a';
  if (schema.type === 'integer') return 7;
  if (schema.type === 'string') return 'xyz';
  return schema.type === 'array' ? [1, 2] : null;
}

test('an accepted return holds under the reference engine; a refused one never shows; one end each', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      contracts,
      fc.array(attempt, { minLength: 1, maxLength: 6 }),
      fc.nat(3),
      fc.boolean(),
      async (schema, plan, maxRetries, seeds) => {
        const news: DelegationEvent[] = [];
        let turn = 0;
        const agent = defineAgent({
          name: 'a',
          description: 'b',
          outputSchema: schema as object,
          maxRetries,
          run: async function* (ctx): AsyncGenerator<AGUIEvent> {
            if (seeds) ctx.seed([]);
            const tool = ctx.returnTool;
            for (;;) {
              const step = plan[Math.min(turn, plan.length - 1)];
              turn += 1;
              if (!step || !tool) return;
              const text = JSON.stringify(step.fits ? fitting(schema) : step.value);
              const wrapped = 'properties' in tool.inputSchema && tool.name !== 'made' ? `{"result":${text}}` : text;
              const args = step.cut ? wrapped.slice(0, -1) : wrapped;
              const id = `c${turn}`;
              if (step.how === 'throws') throw new Error('thrown');
              if (step.how === 'nothing') return;
              if (step.how === 'text') {
                yield { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: step.cut ? text.slice(0, -1) : text };
                return;
              }
              if (step.how === 'tool') {
                yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: tool.name };
                for (const delta of args) yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta };
                yield { type: 'TOOL_CALL_END', toolCallId: id };
              }
              const content = await tool.execute(step.how === 'unseen' ? args : undefined, { toolCallId: id });
              if (step.how === 'tool')
                yield { type: 'TOOL_CALL_RESULT', messageId: `r${turn}`, toolCallId: id, content };
              else yield { type: 'CUSTOM', name: 'turn', value: turn };
            }
          },
        });
        const delegation = delegate(agent, undefined, fixed({ onEvent: (event) => void news.push(event) }));
        const events = await soon(collect(delegation));
        const envelope = await delegation.envelope;
        const shown = await delegation.toolResult;
        expect(envelope.attempts.length).toBeLessThanOrEqual(1 + maxRetries);
        expect(events.filter(({ type }) => /^SUBAGENT_(FINISHED|ERROR)$/.test(type))).toEqual([events.at(-1)]);
        expect(news.filter(({ type }) => /^(accepted|exhausted|failed)$/.test(type))).toEqual([news.at(-1)]);
        if (envelope.status === 'completed') {
          accepted += 1;
          const reference = compileByReference(schema as object);
          expect(reference.isValid(JSON.stringify(envelope.final_result))).toBe(true);
          reference.free();
          expect(envelope.attempts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
          const { final_result: _, ...rest } = JSON.parse(shown);
          expect(JSON.stringify(rest)).not.toContain(MARK);
        } else {
          expect(envelope.final_result).toBeNull();
          expect(shown).not.toContain(MARK);
        }
        expect(JSON.stringify(news)).not.toContain(MARK);
      },
    ),
    { numRuns: 150 },
  );
  expect(accepted).toBeGreaterThan(25);
}, 120_000);
