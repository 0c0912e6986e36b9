// Turns of any children, answered in any way, to their end: every call is answered once, and a tool runs as often as it may.
import fc from 'fast-check';
import { memoryResumeStore, type Seal } from 'subcontract';
import { lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { BAD, GOOD, scout } from './agents.js';
import { fetchTool, interruptsOf, messagesOf } from './conversation.js';
import { ADAPTERS, hasResult, type Request, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

const KEYS = [{ id: 'k1', secret: new Uint8Array(32).fill(5) }];

/** What a child does: it asks so often, and then returns, mends its return, or fails. */
interface Child {
  asks: 0 | 1 | 2;
  ends: 'returns' | 'mends' | 'never returns';
  brief: 'good' | 'refused';
}

interface Turn {
  children: Child[];
  order: 'parallel' | 'sequence';
  delegateTask: boolean;
  seal: () => Seal;
  /** How the interrupts are answered, one after another; after the last, they are approved. */
  answers: ('approve' | 'deny' | 'cancel')[];
  /** Whether the page is loaded anew before each answer: its next request has the messages alone. */
  reloads: boolean;
}

const anyTurn: fc.Arbitrary<Turn> = fc.record({
  children: fc.array(
    fc.record({
      asks: fc.constantFrom<Child['asks']>(0, 1, 2),
      ends: fc.constantFrom<Child['ends']>('returns', 'mends', 'never returns'),
      brief: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Child['brief']>('good') },
        { weight: 1, arbitrary: fc.constant<Child['brief']>('refused') },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  order: fc.constantFrom<Turn['order']>('parallel', 'sequence'),
  delegateTask: fc.boolean(),
  seal: fc.constantFrom<Turn['seal']>(
    () => 'none',
    () => ({ keys: KEYS }),
    () => ({ keys: KEYS, store: memoryResumeStore(), encrypt: true }),
  ),
  answers: fc.array(fc.constantFrom<Turn['answers'][number]>('approve', 'deny', 'cancel'), { maxLength: 4 }),
  reloads: fc.boolean(),
});

/** The child that a request is of, by the brief in it. */
function childOf(request: Request, children: readonly Child[]): Child | undefined {
  const [, index] = /child (\d)/.exec(JSON.stringify(request.messages)) ?? [];
  return children[Number(index)];
}

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  let turn: Turn;
  beforeAll(async () => {
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request)
          ? { text: 'done', tokens: [2, 1] }
          : {
              text: 'All of them.',
              calls: turn.children.map(({ brief }, index) => {
                const input = brief === 'good' ? `{"task":"child ${index}"}` : '{"job":1}';
                return turn.delegateTask
                  ? { id: `call-${index}`, name: 'delegate_task', arguments: `{"subagent":"scout","input":${input}}` }
                  : { id: `call-${index}`, name: 'scout', arguments: input };
              }),
            },
      child: (request) => {
        const { asks = 0, ends = 'returns' } = childOf(request, turn.children) ?? {};
        const ids = Object.keys(toolResults(request));
        const asked = ids.filter((id) => id.startsWith('fetch-')).length;
        if (asked < asks) {
          return { calls: [{ id: `fetch-${asked + 1}`, name: 'fetch_page', arguments: '{"url":"u"}' }] };
        }
        const attempt = ids.length - asked;
        const good = ends === 'returns' || (ends === 'mends' && attempt > 0);
        return { calls: [{ id: `return-${attempt + 1}`, name: 'price_record', arguments: good ? GOOD : BAD }] };
      },
    });
  });
  afterAll(() => models.stop());

  it('each call gets one answer, none while its child waits, and approved tools run once', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, async (given) => {
        turn = given;
        const page = fetchTool();
        const agent = scout(models, { tools: [page.tool], maxRetries: 1, earlyReject: false });
        const seal = given.seal();
        const { order, delegateTask } = given;
        const thread: AGUIEvent[] = [];
        let runs = 0;
        const run = async (sent: object) => {
          runs += 1;
          const events = await collect(
            chatWithSubagents({
              adapter: models.adapter('parent'),
              threadId: 'thread',
              messages: [{ role: 'user', content: 'prices?' }],
              runId: `run-${runs}`,
              ...(runs > 1 && { parentRunId: `run-${runs - 1}` }),
              ...sent,
              subagents: { agents: [agent], seal, order, delegateTask },
            }),
          );
          const findings = lintEvents(events, { earlier: thread, ...sent });
          expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
          thread.push(...events);
          return events;
        };

        let approved = 0;
        const answers = [...given.answers];
        let events = await run({});
        for (let asked = interruptsOf(events); asked.length > 0; asked = interruptsOf(events)) {
          expect(answered(events).filter((id) => waiting(events).has(id))).toEqual([]);
          if (given.reloads) {
            const again = await run({ messages: messagesOf(events) });
            expect(interruptsOf(again).map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
            events = again;
          }
          const resume = asked.map(({ id: interruptId }) => {
            const answer = answers.shift() ?? 'approve';
            if (answer === 'approve') approved += 1;
            if (answer === 'cancel') return { interruptId, status: 'cancelled' };
            return { interruptId, status: 'resolved', payload: { approved: answer === 'approve' } };
          });
          events = await run({ messages: messagesOf(events), resume });
        }
        expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
        expect(answered(thread).sort()).toEqual(given.children.map((_, index) => `call-${index}`));
        expect(page.ran).toHaveLength(approved);
        const started = ofType(thread, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
        expect(new Set(started).size).toBe(given.children.filter(({ brief }) => brief === 'good').length);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

/** The parent's calls that got their result, as often as they got it. */
function answered(events: readonly AGUIEvent[]): string[] {
  return ofType(events, 'TOOL_CALL_RESULT').flatMap((event) =>
    event.subagentRunId === undefined ? event.toolCallId : [],
  );
}

/** The parent's calls whose children wait. */
function waiting(events: readonly AGUIEvent[]): Set<string | undefined> {
  const asked = new Set(interruptsOf(events).map(({ subagentRunId }) => subagentRunId));
  const children = ofType(events, 'SUBAGENT_STARTED').filter(({ subagentRunId }) => asked.has(subagentRunId));
  return new Set(children.map(({ parentToolCallId }) => parentToolCallId));
}
