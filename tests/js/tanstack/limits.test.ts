// Limits of the whole tree of children, shared by the calls of a turn, later turns, a router's picks, and children of children.
import { defineAgent, delegate, delegationTree, type Limits, type SubcontractAgent } from 'subcontract';
import { chatWithSubagents, type SubagentsOptions } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { ADAPTERS, hasResult, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

const call = (id: string) => ({ id, name: 'scout', arguments: '{}' });
const MESSAGES = [{ role: 'user' as const, content: 'prices?' }];

/** Answers in prose, and counts how many do at once. */
function scout(run?: () => unknown) {
  const running = { now: 0, most: 0, all: 0 };
  const agent = defineAgent({
    name: 'scout',
    description: 'Finds prices',
    run: async function* (): AsyncGenerator<AGUIEvent> {
      running.now += 1;
      running.all += 1;
      running.most = Math.max(running.most, running.now);
      try {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await run?.();
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'ten' };
        yield {
          type: 'RUN_FINISHED',
          threadId: 't',
          runId: 'r',
          usage: [{ inputTokens: 90, outputTokens: 10, totalTokens: 100 }],
        };
      } finally {
        running.now -= 1;
      }
    },
  });
  return { agent: agent as unknown as SubcontractAgent, running };
}

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const start = async (
    parent: Script,
    agents: SubcontractAgent[],
    limits: Limits,
    more: Partial<SubagentsOptions> = {},
  ) => {
    models = await ScriptedModels.start(create, { parent, child: () => ({ text: 'never asked' }) });
    return collect(
      chatWithSubagents({
        adapter: models.adapter('parent'),
        messages: MESSAGES,
        threadId: 'thread',
        runId: 'run-1',
        subagents: { agents, seal: 'none', limits, ...more },
      }),
    );
  };
  const read = (turn = 1) => Object.values(toolResults(models.requests.parent[turn])).map((text) => JSON.parse(text));

  it('more children than may run at once wait for their turn', async () => {
    const { agent, running } = scout();
    const calls = Array.from({ length: 7 }, (_, index) => call(`call-${index}`));
    await start((request) => (hasResult(request) ? { text: 'done' } : { calls }), [agent], { maxConcurrent: 2 });
    expect(running).toEqual({ now: 0, most: 2, all: 7 });
    expect(read().map(({ task_summary }) => task_summary)).toEqual(calls.map(() => 'ten'));
  });

  it('more calls than the run may make are refused with a sentence, in this turn and in later ones', async () => {
    const { agent, running } = scout();
    const events = await start(
      (_request, turn) =>
        [{ calls: [call('a'), call('b')] }, { calls: [call('c'), call('d')] }][turn - 1] ?? { text: 'ok' },
      [agent],
      { maxCalls: 3 },
    );
    expect(running.all).toBe(3);
    const [a, b, c, d] = read(2);
    expect([a, b, c].map(({ task_summary }) => task_summary)).toEqual(['ten', 'ten', 'ten']);
    expect(d).toMatchObject({
      status: 'failed',
      final_result: null,
      error: expect.stringMatching(/^max_calls_reached: ./),
    });
    expect(ofType(events, 'SUBAGENT_STARTED')).toHaveLength(3);
    expect(ofType(events, 'CUSTOM').map(({ name }) => name)).toContain('subcontract.not_started');
  });

  it('what the children have used is counted: nobody starts past it', async () => {
    const { agent, running } = scout();
    await start(
      (_request, turn) => [{ calls: [call('a')] }, { calls: [call('b')] }][turn - 1] ?? { text: 'ok' },
      [agent],
      { maxTokens: 100 },
    );
    expect(running.all).toBe(1);
    expect(read(2)[1]).toMatchObject({ error: expect.stringMatching(/^max_tokens_reached: ./) });
  });

  it('hold for the picks of a router', async () => {
    const { agent, running } = scout();
    const events = await start(
      () => ({ text: 'never asked' }),
      [agent],
      { maxAgents: 1 },
      {
        router: () => ['scout', 'scout'],
      },
    );
    expect(running.all).toBe(1);
    const results = ofType(events, 'TOOL_CALL_RESULT').map(({ content }) => JSON.parse(String(content)));
    expect(results.map(({ status = 'completed' }) => status).sort()).toEqual(['completed', 'failed']);
  });

  /** Has other children find prices. */
  const leader = (inner: SubcontractAgent) =>
    defineAgent({
      name: 'lead',
      description: 'Has others find prices',
      run: (context) =>
        chatWithSubagents({
          adapter: models.adapter('child'),
          messages: MESSAGES,
          threadId: context.threadId,
          runId: context.runId,
          subagents: { agents: [inner], seal: 'none', parent: context },
        }),
    }) as unknown as SubcontractAgent;

  it('hold for children of children, which stand in their parent’s place', async () => {
    const inner = scout();
    const lead = leader(inner.agent);
    const run = async (limits: Limits) => {
      inner.running.all = 0;
      models = await ScriptedModels.start(create, {
        parent: (request) =>
          hasResult(request) ? { text: 'done' } : { calls: [{ id: 'lead-1', name: 'lead', arguments: '{}' }] },
        child: (request) =>
          hasResult(request) ? { text: 'ten, they say' } : { calls: [call('inner-1'), call('inner-2')] },
      });
      return collect(
        chatWithSubagents({
          adapter: models.adapter('parent'),
          messages: MESSAGES,
          subagents: { agents: [lead], seal: 'none', limits },
        }),
      );
    };
    const events = await run({ maxCalls: 2 });
    // The lead is one of the two.
    expect(inner.running.all).toBe(1);
    const [outer, below] = ofType(events, 'SUBAGENT_STARTED');
    expect(below?.parentSubagentRunId).toBe(outer?.subagentRunId);
    expect(ofType(events, 'RUN_FINISHED')).toHaveLength(1);
    expect(Object.values(toolResults(models.requests.child[1])).join()).toContain('max_calls_reached');
    await models.stop();

    await run({ maxDepth: 1 });
    expect(inner.running.all).toBe(0);
    expect(Object.values(toolResults(models.requests.child[1])).join()).toContain('max_depth_reached');
  });

  it('count the tokens of children of children once, which their parent reports with its own', async () => {
    const inner = scout();
    models = await ScriptedModels.start(create, {
      parent: () => ({ text: 'never asked' }),
      child: (request) => (hasResult(request) ? { text: 'ten' } : { calls: [call('inner-1'), call('inner-2')] }),
    });
    const limits = delegationTree({ maxTokens: 1_000_000 });
    const { usage: [usage] = [] } = await delegate(leader(inner.agent), undefined, { limits }).envelope;
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    expect(inner.running.all).toBe(2);
    // Each of the two has used a hundred, and the lead's own model something.
    expect(inputTokens + outputTokens).toBeGreaterThan(200);
    expect(limits.used.tokens).toBe(inputTokens + outputTokens);
  });
});
