// Several children in one turn: they run together although 0.58 carries out one call after another.
import type { ChatMiddleware, Tool } from '@tanstack/ai';
import { type AgentContext, defineAgent, type SubcontractAgent } from 'subcontract';
import { chatWithSubagents, type SubagentsOptions, toSubagentResponse } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { ADAPTERS, hasResult, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

interface Call {
  id: string;
  name: string;
  arguments: string;
}

const call = (vendor: string): Call => ({ id: `call-${vendor}`, name: 'scout', arguments: `{"vendor":"${vendor}"}` });

/** A place that lets nobody pass before `count` have come. */
function meeting(count: number) {
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    here += 1;
    if (here === count) open();
    return all;
  };
}

interface Running {
  now: number;
  most: number;
  /** In the order of their start. */
  vendors: string[];
  aborted: string[];
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

/** An agent that says its vendor in two deltas and returns it; `meanwhile` happens between the deltas. */
function scout(meanwhile: (vendor: string, context: AgentContext<{ vendor: string }>) => Promise<unknown> | unknown) {
  const running: Running = { now: 0, most: 0, vendors: [], aborted: [] };
  const agent = defineAgent({
    name: 'scout',
    description: 'Finds prices',
    inputSchema: {
      type: 'object',
      properties: { vendor: { type: 'string' } },
      required: ['vendor'],
      additionalProperties: false,
    } as const,
    outputSchema: { title: 'record', type: 'object', properties: { vendor: { type: 'string' } }, required: ['vendor'] },
    maxRetries: 0,
    run: async function* (context): AsyncGenerator<AGUIEvent> {
      const { vendor } = context.input as { vendor: string };
      running.vendors.push(vendor);
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      context.abortSignal.addEventListener('abort', () => running.aborted.push(vendor));
      try {
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${vendor}1` };
        await meanwhile(vendor, context as AgentContext<{ vendor: string }>);
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${vendor}2` };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'return', delta: JSON.stringify({ vendor }) };
        yield {
          type: 'RUN_FINISHED',
          threadId: 't',
          runId: 'r',
          usage: [{ inputTokens: 10, outputTokens: 1, totalTokens: 11 }],
        };
      } finally {
        running.now -= 1;
      }
    },
  });
  return { agent: agent as unknown as SubcontractAgent, running };
}

const once =
  (calls: Call[]): Script =>
  (request) =>
    hasResult(request) ? { text: 'done', tokens: [1, 1] } : { text: 'All of them.', calls, tokens: [1, 1] };

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const start = async (
    agent: SubcontractAgent,
    calls: Call[],
    more: Partial<SubagentsOptions> = {},
    rest: { middleware?: ChatMiddleware[]; tools?: Tool[] } = {},
  ) => {
    models = await ScriptedModels.start(create, { parent: once(calls), child: () => ({ text: 'never asked' }) });
    return chatWithSubagents({
      adapter: models.adapter('parent'),
      messages: [{ role: 'user', content: 'prices?' }],
      threadId: 'thread',
      runId: 'run-1',
      ...rest,
      subagents: { agents: [agent], seal: 'none', ...more },
    });
  };
  it('one that waits for an answer is told to wait while the others work', async () => {
    let told = () => {};
    const waits = new Promise<void>((resolve) => {
      told = resolve;
    });
    // It ends only when the reader has heard of the other.
    const { agent } = scout(() => waits);
    const asker = defineAgent({
      name: 'asker',
      description: 'Asks a person',
      run: async function* (): AsyncGenerator<AGUIEvent> {
        const interrupts = [{ id: 'i', reason: 'approval' }];
        yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
      },
    });
    const asked = { id: 'call-asker', name: 'asker', arguments: '{"task":"ask"}' };
    const agents = [agent, asker as unknown as SubcontractAgent];
    const events: AGUIEvent[] = [];
    for await (const event of await start(agent, [asked, call('A')], { agents })) {
      events.push(event);
      if (event.type === 'CUSTOM' && event.name === 'subcontract.waiting') told();
    }
    const ends = ofType(events, 'SUBAGENT_FINISHED').map(({ outcome }) => outcome?.type);
    expect(ends).toEqual(['success', 'suspended']);
    const last = events.at(-1);
    const interrupts = last?.type === 'RUN_FINISHED' && last.outcome?.type === 'interrupt' && last.outcome.interrupts;
    const own = interrupts ? interrupts.map(({ id }) => id) : [];
    expect(own).toHaveLength(1);
    expect(ofType(events, 'CUSTOM').filter(({ name }) => name === 'subcontract.waiting')).toMatchObject([
      { value: { interruptIds: own }, subagentRunId: ofType(events, 'SUBAGENT_STARTED')[0]?.subagentRunId },
    ]);
  });

  const results = () => Object.values(toolResults(models.requests.parent[1])).map((text) => JSON.parse(text));

  it('runs the children of one turn together, and answers in the order of the calls', async () => {
    const meet = meeting(3);
    // The last one is done first.
    const wait: Record<string, number> = { A: 40, B: 20, C: 0 };
    const { agent, running } = scout(async (vendor) => {
      await meet();
      await new Promise((resolve) => setTimeout(resolve, wait[vendor]));
    });
    const events = await collect(await start(agent, [call('A'), call('B'), call('C')]));
    expect(running).toMatchObject({ most: 3, now: 0, vendors: ['A', 'B', 'C'] });
    const started = ofType(events, 'SUBAGENT_STARTED');
    expect(started.map(({ parentToolCallId }) => parentToolCallId)).toEqual(['call-A', 'call-B', 'call-C']);
    // Interleaved, and in order within each.
    const texts = ofType(events, 'TEXT_MESSAGE_CONTENT').filter(({ subagentRunId }) => subagentRunId !== undefined);
    expect(texts.slice(0, 3).map(({ delta }) => delta)).toEqual(['A1', 'B1', 'C1']);
    for (const { subagentRunId, parentToolCallId } of started) {
      const own = texts.filter((event) => event.subagentRunId === subagentRunId).map(({ delta }) => delta);
      const vendor = parentToolCallId?.slice(-1);
      expect(own).toEqual([`${vendor}1`, `${vendor}2`, `{"vendor":"${vendor}"}`]);
    }
    const ended = ofType(events, 'SUBAGENT_FINISHED').map(({ subagentRunId }) => subagentRunId);
    expect(ended).toEqual(started.map(({ subagentRunId }) => subagentRunId).reverse());
    const answered = ofType(events, 'TOOL_CALL_RESULT').filter(({ subagentRunId }) => subagentRunId === undefined);
    expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(['call-A', 'call-B', 'call-C']);
    expect(results().map(({ final_result }) => final_result.vendor)).toEqual(['A', 'B', 'C']);
    expect(ofType(events, 'RUN_FINISHED')[0]?.usage?.[0]).toMatchObject({ inputTokens: 32, outputTokens: 5 });
  });

  it('runs them one after another when told to', async () => {
    const { agent, running } = scout(() => new Promise((resolve) => setTimeout(resolve, 5)));
    await collect(await start(agent, [call('A'), call('B'), call('C')], { order: 'sequence' }));
    expect(running).toMatchObject({ most: 1, vendors: ['A', 'B', 'C'] });
  });

  it('runs the calls of delegate_task together', async () => {
    const meet = meeting(2);
    const { agent, running } = scout(meet);
    const calls = ['A', 'B'].map((vendor) => ({
      id: `call-${vendor}`,
      name: 'delegate_task',
      arguments: `{"subagent":"scout","input":{"vendor":"${vendor}"}}`,
    }));
    await collect(await start(agent, calls, { delegateTask: true }));
    expect(running.most).toBe(2);
    expect(results().map(({ final_result }) => final_result.vendor)).toEqual(['A', 'B']);
  });

  it('discards nobody for a sibling that fails, or whose brief is refused', async () => {
    const { agent, running } = scout((vendor) => {
      if (vendor === 'B') throw new Error('no such page');
    });
    const bad = { id: 'call-X', name: 'scout', arguments: '{"vendors":["X"]}' };
    const events = await collect(await start(agent, [call('A'), call('B'), bad, call('C')]));
    expect(running.vendors).toEqual(['A', 'B', 'C']);
    const read = toolResults(models.requests.parent[1]);
    expect(JSON.parse(read['call-A'] ?? '')).toMatchObject({ final_result: { vendor: 'A' } });
    expect(JSON.parse(read['call-B'] ?? '')).toMatchObject({ status: 'failed', final_result: null });
    expect(read['call-X']).toContain('/vendors');
    expect(JSON.parse(read['call-C'] ?? '')).toMatchObject({ final_result: { vendor: 'C' } });
    expect(ofType(events, 'SUBAGENT_ERROR')).toHaveLength(1);
  });

  it('carries out other tools between them', async () => {
    const order: string[] = [];
    const { agent, running } = scout((vendor) => {
      order.push(vendor);
    });
    const clock: Tool = {
      name: 'clock',
      description: 'Says the time',
      execute: () => {
        order.push('clock');
        return 'noon';
      },
    };
    const calls = [call('A'), { id: 'call-time', name: 'clock', arguments: '{}' }, call('B')];
    await collect(await start(agent, calls, {}, { tools: [clock] }));
    expect(running.vendors).toEqual(['A', 'B']);
    expect(order.sort()).toEqual(['A', 'B', 'clock']);
    expect(Object.keys(toolResults(models.requests.parent[1]))).toEqual(['call-A', 'call-time', 'call-B']);
  });

  it('stops them all when nobody reads on', async () => {
    const { agent, running } = scout((_vendor, { abortSignal }) => aborted(abortSignal));
    let seen = 0;
    for await (const event of await start(agent, [call('A'), call('B')])) {
      if (event.type === 'TEXT_MESSAGE_CONTENT' && event.subagentRunId !== undefined) seen += 1;
      if (seen === 2) break;
    }
    await expect.poll(() => running).toMatchObject({ now: 0, aborted: ['A', 'B'] });
  });

  describe('the application’s own hooks', () => {
    /** Hears of the calls, and decides by vendor. */
    const hook = (decide: (vendor: string) => unknown) => {
      const heard: [string, unknown][] = [];
      const middleware: ChatMiddleware = {
        name: 'own',
        onBeforeToolCall: (_context, { toolCallId, args, toolName, tool }) => {
          heard.push([toolCallId, args]);
          expect(tool?.name).toBe(toolName);
          return decide((args as { vendor: string }).vendor) as never;
        },
      };
      return { heard, middleware };
    };

    it('hear of each call once, before any child of the turn that they forbid is started', async () => {
      const { agent, running } = scout(meeting(2));
      const { heard, middleware } = hook((vendor) =>
        vendor === 'B' ? { type: 'skip', result: 'not that one' } : null,
      );
      const second = hook(() => undefined);
      const events = await collect(
        await start(agent, [call('A'), call('B'), call('C')], {}, { middleware: [middleware, second.middleware] }),
      );
      expect(heard).toEqual(['A', 'B', 'C'].map((vendor) => [`call-${vendor}`, { vendor }]));
      // Who comes after the one that decides is not asked, as in 0.58 itself.
      expect(second.heard.map(([id]) => id)).toEqual(['call-A', 'call-C']);
      expect(running).toMatchObject({ most: 2, vendors: ['A', 'C'] });
      expect(ofType(events, 'SUBAGENT_STARTED')).toHaveLength(2);
      expect(toolResults(models.requests.parent[1])['call-B']).toContain('not that one');
    });

    it('hear once of a call that stands twice in the thread, and it is one child', async () => {
      const { agent, running } = scout(() => {});
      const { heard, middleware } = hook(() => undefined);
      models = await ScriptedModels.start(create, { parent: () => ({ text: 'done' }), child: () => ({}) });
      const { id, ...called } = call('A');
      const twice = { id, type: 'function' as const, function: called };
      for (const order of ['parallel', 'sequence'] as const) {
        heard.length = 0;
        running.vendors.length = 0;
        const events = await collect(
          chatWithSubagents({
            adapter: models.adapter('parent'),
            messages: [
              { role: 'user', content: 'prices?' },
              { role: 'assistant', content: null, toolCalls: [twice, twice] },
            ],
            middleware: [middleware],
            subagents: { agents: [agent], seal: 'none', order },
          }),
        );
        expect(heard).toEqual([['call-A', { vendor: 'A' }]]);
        expect(running.vendors).toEqual(['A']);
        expect(events.at(-1)?.type).toBe('RUN_FINISHED');
      }
    });

    it('may abort: nothing after that call is started', async () => {
      const { agent, running } = scout(() => {});
      const { middleware } = hook((vendor) => (vendor === 'B' ? { type: 'abort', reason: 'enough' } : undefined));
      const events = await collect(
        await start(agent, [call('A'), call('B'), call('C')], {}, { middleware: [middleware] }),
      );
      expect(running.vendors).toEqual(['A']);
      expect(models.requests.parent).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    });

    it('stop the children of a run that they make fail', async () => {
      const { agent, running } = scout((vendor, { abortSignal }) =>
        vendor === 'A' ? aborted(abortSignal) : undefined,
      );
      const { middleware } = hook((vendor) => {
        if (vendor === 'B') throw new Error('the hook is broken');
      });
      const events = await collect(await start(agent, [call('A'), call('B')], {}, { middleware: [middleware] }));
      // What it says is for the host, which hears it where the events become a response.
      const failed = { type: 'RUN_ERROR', message: 'the run failed', code: 'stream_failed' };
      expect(events.at(-1)).toMatchObject(failed);
      await expect.poll(() => running.now).toBe(0);
      const heard: unknown[] = [];
      const again = await start(agent, [call('A'), call('B')], {}, { middleware: [middleware] });
      const text = await toSubagentResponse(again, { onError: (error) => heard.push(error) }).text();
      expect(JSON.parse(text.trim().split('\n\n').at(-1)?.slice(6) ?? '')).toMatchObject(failed);
      expect(text).not.toContain('the hook is broken');
      expect(heard).toEqual([new Error('the hook is broken')]);
    });

    it('may not rewrite a brief', async () => {
      const { agent, running } = scout(() => {});
      const { middleware } = hook(() => ({ type: 'transformArgs', args: { vendor: 'Z' } }));
      const events = await collect(await start(agent, [call('A')], {}, { middleware: [middleware] }));
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'brief_rewritten',
        message: expect.stringContaining('rewrite its brief'),
      });
      expect(running.vendors).toEqual([]);
    });
  });
});
