// Whatever a child does, in any order: one envelope, a stream that a strict client takes, and no attempt too many.
import fc from 'fast-check';
import { type AgentContext, defineAgent, delegate } from 'subcontract';
import { expect, test } from 'vitest';
import { collect, fixed, soon } from './strict-client.js';

const MARK = 'REFUSED';
const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

type Step = (ctx: AgentContext, at: number) => AsyncGenerator<unknown>;

const say = (text: string): Step =>
  async function* (_, at) {
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${at}`, delta: text };
  };
const call = (args: string, executes: boolean): Step =>
  async function* (ctx, at) {
    const toolCallId = `c${at}`;
    yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: ctx.returnTool?.name };
    yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: args };
    yield { type: 'TOOL_CALL_END', toolCallId };
    const content = executes ? await ctx.returnTool?.execute({}, { toolCallId }) : 'refused by the host';
    yield { type: 'TOOL_CALL_RESULT', messageId: `r${at}`, toolCallId, content };
  };
const once = (item: unknown): Step =>
  async function* () {
    yield item;
  };

const steps: Record<string, Step> = {
  prose: say('some words'),
  'JSON text': say('{"n":1}'),
  'bad JSON text': say(`{"n":"${MARK}"}`),
  'good call': call('{"n":2}', true),
  'bad call': call(`{"n":"${MARK}"}`, true),
  'cut call': call(`{"n":"${MARK}`, false),
  'open tool call': once({ type: 'TOOL_CALL_START', toolCallId: 'open', toolCallName: 'x' }),
  'stray end': once({ type: 'STEP_FINISHED', stepName: 's' }),
  nested: once({ type: 'SUBAGENT_STARTED', subagentRunId: 'g', name: 'g' }),
  delta: once('text '),
  garbage: once({ type: 'TEXT_MESSAGE_START' }),
  error: once({ type: 'RUN_ERROR', message: 'quota' }),
  interrupt: once({
    type: 'RUN_FINISHED',
    threadId: 't',
    runId: 'r',
    outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] },
  }),
  throw: async function* () {
    yield 'x';
    throw new Error('thrown');
  },
};

test('one envelope, one end, a valid stream, and nothing refused is shown to the parent', async () => {
  // Mostly harmless steps, so that runs get far.
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'prose',
        'bad call',
        'bad JSON text',
        'open tool call',
        'stray end',
        'nested',
        'delta',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(steps)) },
  );
  const plans = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      plans,
      fc.integer({ min: 0, max: 3 }),
      fc.option(fc.nat(20), { nil: undefined }),
      async (plan, maxRetries, leaveAt) => {
        let runs = 0;
        const agent = defineAgent({
          name: 'a',
          description: 'b',
          outputSchema,
          maxRetries,
          run: async function* (ctx) {
            const names = plan[Math.min(runs, plan.length - 1)] ?? [];
            runs += 1;
            for (const [index, name] of names.entries())
              yield* (steps[name] as Step)(ctx, index) as AsyncGenerator<never>;
          },
        });
        const delegation = delegate(agent, undefined, fixed());
        if (leaveAt === undefined) {
          const events = await soon(collect(delegation));
          const ends = events.filter(
            (event) =>
              /^SUBAGENT_(FINISHED|ERROR)$/.test(event.type) &&
              'subagentRunId' in event &&
              event.subagentRunId === 'child-1',
          );
          expect(ends).toEqual([events.at(-1)]);
        } else {
          let count = 0;
          for await (const _ of delegation) {
            count += 1;
            if (count > leaveAt) break;
          }
        }
        const envelope = await soon(delegation.envelope);
        expect(envelope.attempts.length).toBeLessThanOrEqual(1 + maxRetries);
        expect(envelope.attempts.map(({ attempt }) => attempt)).toEqual(envelope.attempts.map((_, index) => index + 1));
        if (envelope.status === 'completed') expect([{ n: 1 }, { n: 2 }]).toContainEqual(envelope.final_result);
        else expect(envelope.final_result).toBeNull();
        expect(await delegation.toolResult).not.toContain(MARK);
      },
    ),
    { numRuns: 400 },
  );
}, 60_000);
