// The whole way through 0.58's chat() with the real OpenAI adapters: brief, gate, envelope, failure and abort.
import { chat } from '@tanstack/ai';
import { defineAgent, type SubcontractAgent } from 'subcontract';
import { chatWithSubagents, toSubagentResponse } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { BAD, BRIEF, GOOD, PRICE, scout } from './agents.js';
import { ADAPTERS, hasResult, type Role, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType, outline, verify } from './strict-client.js';

const QUESTION = [{ role: 'user' as const, content: 'what does vendor A cost?' }];

/** Delegates once with `brief`, then answers. */
const delegateOnce =
  (brief: string): Script =>
  (request) =>
    hasResult(request)
      ? { text: 'It costs 10.', tokens: [50, 5] }
      : {
          text: 'Delegating.',
          reasoning: 'someone else knows',
          calls: [{ id: 'call-1', name: 'scout', arguments: brief }],
          tokens: [40, 8],
        };

async function* replay(events: readonly AGUIEvent[]) {
  yield* events;
}

const returning =
  (...returns: string[]): Script =>
  (_request, turn) => ({
    text: `try ${turn}`,
    calls: [{ id: `return-${turn}`, name: 'price_record', arguments: returns[turn - 1] ?? GOOD }],
    tokens: [100, 20],
  });

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const start = async (scripts: Record<Role, Script>) => {
    models = await ScriptedModels.start(create, scripts);
  };
  const run = (agent: SubcontractAgent, more: { abortController?: AbortController } = {}) =>
    chatWithSubagents({
      adapter: models.adapter('parent'),
      messages: QUESTION,
      threadId: 'thread',
      runId: 'run-1',
      subagents: { agents: [agent], seal: 'none' },
      ...more,
    });

  it('delegates with a brief and gives the parent the envelope', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(GOOD) });
    const inputs: unknown[] = [];
    const events = await collect(run(scout(models, { onRun: ({ input }) => inputs.push(input) })));

    expect(inputs).toEqual([{ task: 'find the list price of vendor A' }]);
    const [started] = ofType(events, 'SUBAGENT_STARTED');
    expect(started).toMatchObject({ name: 'scout', parentToolCallId: 'call-1' });
    const [finished] = ofType(events, 'SUBAGENT_FINISHED');
    expect(finished).toMatchObject({
      subagentRunId: started?.subagentRunId,
      result: { status: 'completed', final_result: JSON.parse(GOOD) },
    });
    expect(JSON.parse(toolResults(models.requests.parent[1])['call-1'] ?? '')).toEqual({
      run_id: started?.subagentRunId,
      subagent: 'scout',
      task_summary: expect.anything(),
      final_result: JSON.parse(GOOD),
    });
    const results = ofType(events, 'TOOL_CALL_RESULT').filter((e) => e.subagentRunId === undefined);
    expect(results.map((e) => e.content)).toEqual([toolResults(models.requests.parent[1])['call-1']]);
    expect(outline(events)[0]).toBe('RUN_STARTED');
    expect(outline(events).filter((type) => type.startsWith('RUN_'))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it('streams the child live: its first event comes before it has been asked for its return', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(GOOD) });
    let requestsAtStart: number | undefined;
    for await (const event of run(scout(models))) {
      if (event.type === 'SUBAGENT_STARTED') requestsAtStart = models.requests.child.length;
    }
    expect(requestsAtStart).toBe(0);
  });

  it('sums the usage of parent and child into one entry and says whose it was', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(GOOD) });
    const events = await collect(run(scout(models)));
    const [finished] = ofType(events, 'RUN_FINISHED');
    expect(finished?.usage).toHaveLength(1);
    expect(finished?.usage?.[0]).toMatchObject({
      inputTokens: 190,
      outputTokens: 33,
      totalTokens: 223,
    });
    const subagentRunId = ofType(events, 'SUBAGENT_STARTED')[0]?.subagentRunId;
    expect(finished?.metadata?.subcontract).toMatchObject({
      usage: {
        parent: { inputTokens: 90, outputTokens: 13 },
        children: [{ subagentRunId, subagent: 'scout', usage: { inputTokens: 100, outputTokens: 20 } }],
      },
    });
  });

  it('hands a bad brief back to the parent with its issues, without starting the child', async () => {
    await start({
      parent: (request) => {
        const results = toolResults(request);
        if ('call-2' in results) return { text: 'done' };
        const [id, brief] = 'call-1' in results ? ['call-2', BRIEF] : ['call-1', '{"tasks":7}'];
        return { calls: [{ id, name: 'scout', arguments: brief }] };
      },
      child: returning(GOOD),
    });
    const events = await collect(run(scout(models)));
    expect(ofType(events, 'SUBAGENT_STARTED')).toHaveLength(1);
    expect(models.requests.child).toHaveLength(1);
    const refusal = toolResults(models.requests.parent[1])['call-1'];
    expect(refusal).toContain('task');
    expect(refusal).not.toContain('final_result');
    expect(toolResults(models.requests.parent[2])['call-2']).toContain('"final_result":{"plan"');
  });

  it.each([
    ['cut off', '{"task":"find'],
    ['a duplicate key', '{"task":"a","task":"b"}'],
    ['no object', '"find the price"'],
  ])('refuses a brief that is %s', async (_what, brief) => {
    await start({ parent: delegateOnce(brief), child: returning(GOOD) });
    const events = await collect(run(scout(models)));
    expect(models.requests.child).toHaveLength(0);
    expect(ofType(events, 'SUBAGENT_STARTED')).toHaveLength(0);
    expect(toolResults(models.requests.parent[1])['call-1']).toMatch(/brief|scout/);
    expect(ofType(events, 'RUN_FINISHED')).toHaveLength(1);
  });

  it('tells the parent model that the child sees only the brief', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(GOOD) });
    await collect(run(scout(models)));
    const tools = JSON.stringify(models.requests.parent[0]?.tools);
    expect(tools).toContain('Finds prices');
    expect(tools).toMatch(/brief/);
  });

  it('has the child mend an invalid return', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(BAD, GOOD) });
    const events = await collect(run(scout(models, { earlyReject: false })));
    expect(toolResults(models.requests.child[1])['return-1']).toContain('/price');
    const [finished] = ofType(events, 'SUBAGENT_FINISHED');
    expect(finished?.result).toMatchObject({
      final_result: JSON.parse(GOOD),
      attempts: [
        { attempt: 1, outcome: 'rejected' },
        { attempt: 2, outcome: 'accepted' },
      ],
    });
    const attempts = ofType(events, 'CUSTOM').filter((e) => e.name === 'subcontract.attempt');
    expect(attempts).toHaveLength(2);
    expect(JSON.stringify(models.requests.parent[1]?.messages)).not.toMatch(/\bten\b/);
  });

  it('stops a child whose return cannot be mended while it streams, and has it begin again from what it has', async () => {
    const long = `{"price":"ten","plan":"${'word '.repeat(4000)}"}`;
    await start({ parent: delegateOnce(BRIEF), child: returning(long, GOOD) });
    const runs: string[] = [];
    const events = await collect(run(scout(models, { onRun: ({ runId }) => runs.push(runId) })));
    const [started] = ofType(events, 'SUBAGENT_STARTED');
    const cut = `${started?.subagentRunId}:return-1`;
    const seen = ofType(events, 'TOOL_CALL_ARGS').filter(({ toolCallId }) => toolCallId === cut);
    expect(seen.map(({ delta }) => delta).join('').length).toBeLessThan(long.length / 10);
    expect(ofType(events, 'TOOL_CALL_END').some(({ toolCallId }) => toolCallId === cut)).toBe(true);
    expect(runs).toHaveLength(2);
    // The cut call is not sent to the provider again; what was wrong with it is, in a message of the user's.
    const second = models.requests.child[1]?.messages ?? [];
    expect(JSON.stringify(second)).not.toContain('return-1');
    expect(JSON.stringify(second.at(-1))).toContain('/price: expected number, found string');
    expect(second.at(-1)?.role).toBe('user');
    expect(ofType(events, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      final_result: JSON.parse(GOOD),
      attempts: [
        { attempt: 1, outcome: 'rejected', early: true, code: 'schema_violation' },
        { attempt: 2, outcome: 'accepted' },
      ],
    });
    await verify(events);
  });

  it('fails a child that never meets its contract, and tells the parent so', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(BAD, BAD, BAD, BAD) });
    const events = await collect(run(scout(models, { maxRetries: 1 })));
    expect(models.requests.child).toHaveLength(2);
    expect(ofType(events, 'SUBAGENT_ERROR')[0]?.code).toBe('contract_exhausted');
    const result = toolResults(models.requests.parent[1])['call-1'] ?? '';
    expect(JSON.parse(result)).toMatchObject({ status: 'failed', final_result: null });
    expect(ofType(events, 'RUN_FINISHED')).toHaveLength(1);
  });

  it('keeps a 19-digit id in the brief and in the return, wherever they go', async () => {
    const id = '1234567890123456789';
    await start({
      parent: delegateOnce(`{"merchant": ${id}}`),
      child: (_request, turn) => ({
        calls: [{ id: `r-${turn}`, name: 'merchant_record', arguments: `{"id":${id},"rate":1.10}` }],
      }),
    });
    const agent = defineAgent({
      name: 'scout',
      description: 'Looks a merchant up',
      inputSchema: {
        type: 'object',
        properties: { merchant: { type: 'integer' } },
        required: ['merchant'],
      },
      outputSchema: {
        title: 'merchant_record',
        type: 'object',
        properties: { id: { type: 'integer' }, rate: { type: 'number' } },
        required: ['id', 'rate'],
      },
      run: (context) =>
        chat({
          adapter: models.adapter('child'),
          messages: context.seed([{ role: 'user', content: 'go' }]),
          runId: context.runId,
          tools: context.tools,
        }),
    });
    const events = await collect(run(agent));
    const second = models.requests.parent[1];
    expect(toolResults(second)['call-1']).toContain(`"final_result":{"id":${id},"rate":1.10}`);
    const [call] = second?.messages.flatMap(({ tool_calls }) => tool_calls ?? []) ?? [];
    expect(call?.function.arguments).toBe(`{"merchant": ${id}}`);
    const [result] = ofType(events, 'TOOL_CALL_RESULT').filter((e) => e.toolCallId === 'call-1');
    expect(result?.content).toBe(toolResults(second)['call-1']);
    // Events are JavaScript values; the wire has the text behind them.
    const wire = await toSubagentResponse(replay(events)).text();
    expect(wire).not.toContain('1234567890123456800');
    expect(wire).toContain(`"final_result":{"id":${id},"rate":1.10}`);
  });

  it('sends schemas with optional fields in a form that no adapter widens to null', async () => {
    await start({ parent: delegateOnce('{"merchant":7}'), child: () => ({ text: 'fine' }) });
    const agent = defineAgent({
      name: 'scout',
      description: 'Looks a merchant up',
      inputSchema: {
        type: 'object',
        properties: { merchant: { type: 'integer' }, note: { type: 'string' } },
        required: ['merchant'],
        additionalProperties: false,
      },
      run: () => 'fine',
    });
    await collect(run(agent));
    const [tool] = models.requests.parent[0]?.tools ?? [];
    expect(tool?.function.parameters).toMatchObject({
      properties: { note: { type: 'string' } },
      required: ['merchant'],
    });
    expect(toolResults(models.requests.parent[1])['call-1']).toContain('fine');
  });

  it('runs an agent without schemas on the conversation, as the host itself would', async () => {
    await start({ parent: delegateOnce('{}'), child: () => ({ text: 'ten a month' }) });
    const agent = defineAgent({
      name: 'scout',
      description: 'Answers about prices',
      run: (context) => {
        expect(context.input).toBeUndefined();
        return chat({
          adapter: models.adapter('child'),
          messages: context.messages as typeof QUESTION,
          runId: context.runId,
        });
      },
    });
    const events = await collect(run(agent));
    expect(models.requests.parent[0]?.tools?.[0]?.function.description).toBe('Answers about prices');
    const seen = models.requests.child[0]?.messages ?? [];
    expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(seen[0]?.content).toBe(QUESTION[0]?.content);
    expect(seen.some(({ tool_calls }) => tool_calls !== undefined)).toBe(false);
    expect(ofType(events, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      task_summary: 'ten a month',
      final_result: null,
    });
  });

  it('runs several calls of one turn one after another, each with its own brief', async () => {
    await start({
      parent: (request) =>
        hasResult(request)
          ? { text: 'done' }
          : {
              calls: ['A', 'B'].map((vendor) => ({
                id: `call-${vendor}`,
                name: 'scout',
                arguments: `{"task":"price of ${vendor}"}`,
              })),
            },
      child: returning(GOOD, GOOD),
    });
    const tasks: string[] = [];
    const events = await collect(run(scout(models, { onRun: ({ input }) => tasks.push(input.task) })));
    expect(tasks).toEqual(['price of A', 'price of B']);
    const ids = ofType(events, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
    expect(new Set(ids).size).toBe(2);
    expect(Object.keys(toolResults(models.requests.parent[1]))).toEqual(['call-A', 'call-B']);
  });

  it('reports a child that throws, and the parent goes on', async () => {
    await start({ parent: delegateOnce('{}'), child: returning() });
    const agent = defineAgent({
      name: 'scout',
      description: 'Breaks',
      run: () => {
        throw new Error('no such table');
      },
    });
    const events = await collect(run(agent));
    expect(ofType(events, 'SUBAGENT_ERROR')[0]).toMatchObject({
      code: 'child_error',
      message: expect.stringContaining('no such table'),
    });
    expect(toolResults(models.requests.parent[1])['call-1']).toContain('"status":"failed"');
    expect(ofType(events, 'RUN_FINISHED')).toHaveLength(1);
  });

  it('closes everything and ends as cancelled when it is aborted midway', async () => {
    const abortController = new AbortController();
    const aborted = new Promise((resolve) => abortController.signal.addEventListener('abort', resolve));
    await start({
      parent: delegateOnce(BRIEF),
      child: async () => {
        await aborted;
        return { text: 'too late' };
      },
    });
    const events = await collect(
      run(scout(models, { onRun: () => setTimeout(() => abortController.abort(), 20) }), {
        abortController,
      }),
    );
    expect(ofType(events, 'SUBAGENT_ERROR')[0]?.code).toBe('aborted');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(models.requests.parent).toHaveLength(1);
  });

  it('ends as cancelled when it is aborted while the parent model is at work', async () => {
    const abortController = new AbortController();
    const aborted = new Promise((resolve) => abortController.signal.addEventListener('abort', resolve));
    await start({
      parent: async () => {
        setTimeout(() => abortController.abort(), 20);
        await aborted;
        return { text: 'too late' };
      },
      child: returning(),
    });
    const events = await collect(run(scout(models), { abortController }));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(events.map(({ type }) => type)).not.toContain('RUN_ERROR');
  });

  it('lets a child have children of its own', async () => {
    await start({
      parent: delegateOnce(BRIEF),
      child: (request) => {
        if (request.messages.some(({ role, content }) => role === 'user' && content === 'inner')) {
          return { calls: [{ id: 'inner-return', name: 'price_record', arguments: GOOD }], tokens: [7, 3] };
        }
        return hasResult(request)
          ? { calls: [{ id: 'outer-return', name: 'price_record', arguments: GOOD }], tokens: [20, 2] }
          : { calls: [{ id: 'inner-call', name: 'helper', arguments: '{"task":"inner"}' }], tokens: [10, 1] };
      },
    });
    const helper = defineAgent({
      name: 'helper',
      description: 'Helps',
      inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
      outputSchema: PRICE,
      run: (context) =>
        chat({
          adapter: models.adapter('child'),
          messages: context.seed([{ role: 'user', content: 'inner' }]),
          tools: context.tools,
        }),
    });
    const outer = defineAgent({
      name: 'scout',
      description: 'Finds prices',
      outputSchema: PRICE,
      run: (context) => {
        const abortController = new AbortController();
        context.abortSignal.addEventListener('abort', () => abortController.abort());
        return chatWithSubagents({
          adapter: models.adapter('child'),
          messages: context.seed([{ role: 'user', content: 'outer' }]),
          tools: context.tools,
          // A run tells its usage when it ends, and this one ends when its return is accepted.
          abortController,
          subagents: { agents: [helper], seal: 'none' },
        });
      },
    });
    const events = await collect(run(outer));
    const [first, second] = ofType(events, 'SUBAGENT_STARTED');
    expect(second).toMatchObject({ name: 'helper', parentSubagentRunId: first?.subagentRunId });
    expect(ofType(events, 'SUBAGENT_FINISHED').map(({ subagentRunId }) => subagentRunId)).toEqual([
      second?.subagentRunId,
      first?.subagentRunId,
    ]);
    expect(ofType(events, 'RUN_FINISHED')[0]?.usage?.[0]).toMatchObject({
      inputTokens: 90 + 7 + 20 + 10,
      outputTokens: 13 + 3 + 2 + 1,
    });
  });

  it('stops the child when the reader leaves', async () => {
    await start({ parent: delegateOnce(BRIEF), child: returning(GOOD) });
    let signal: AbortSignal | undefined;
    const agent = scout(models, {
      onRun: (context) => {
        signal = context.abortSignal;
      },
    });
    for await (const event of run(agent)) {
      if (event.type === 'TEXT_MESSAGE_START' && event.subagentRunId !== undefined) break;
    }
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(models.requests.parent).toHaveLength(1);
  });

  it('stops a child that never sends anything when the client goes away', async () => {
    await start({ parent: delegateOnce('{}'), child: returning() });
    let signal: AbortSignal | undefined;
    const silent = defineAgent({
      name: 'scout',
      description: 'never says a word',
      run: ({ abortSignal }) => {
        signal = abortSignal;
        return new Promise<never>(() => {});
      },
    });
    const reader = toSubagentResponse(run(silent)).body?.getReader();
    for (let text = ''; !text.includes('SUBAGENT_STARTED'); ) {
      text += new TextDecoder().decode((await reader?.read())?.value);
    }
    await expect.poll(() => signal).toBeDefined();
    await reader?.cancel();
    expect(signal?.aborted).toBe(true);
  });

  it("keeps apart what models give the same ids: the parent's call, a child's, and a sibling's", async () => {
    await start({
      parent: (_request, turn) =>
        turn > 2
          ? { text: 'done' }
          : { text: 'go', calls: [{ id: turn === 1 ? 'call_0' : 'call_2', name: 'scout', arguments: BRIEF }] },
      child: (_request, turn) =>
        turn % 2 === 1
          ? { calls: [{ id: 'call_0', name: 'look_up', arguments: '{}' }] }
          : { calls: [{ id: 'call_1', name: 'price_record', arguments: GOOD }] },
    });
    const lookUp = { name: 'look_up', description: 'looks', execute: async () => 'found' };
    const events = await collect(run(scout(models, { tools: [lookUp] })));
    const [first, second] = ofType(events, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
    const ids = (owner: string | undefined) =>
      ofType(events, 'TOOL_CALL_RESULT')
        .filter(({ subagentRunId }) => subagentRunId === owner)
        .map(({ toolCallId }) => toolCallId);
    expect(ids(undefined)).toEqual(['call_0', 'call_2']);
    expect(ids(first)).toEqual([`${first}:call_0`, `${first}:call_1`]);
    expect(ids(second)).toEqual([`${second}:call_0`, `${second}:call_1`]);
    const started = ofType(events, 'TOOL_CALL_START').map(({ toolCallId, subagentRunId }) => [
      toolCallId,
      subagentRunId,
    ]);
    expect(started).toEqual([
      ['call_0', undefined],
      [`${first}:call_0`, first],
      [`${first}:call_1`, first],
      ['call_2', undefined],
      [`${second}:call_0`, second],
      [`${second}:call_1`, second],
    ]);
    expect(ofType(events, 'SUBAGENT_FINISHED')).toHaveLength(2);
  });

  it('ends in RUN_ERROR when the parent model fails, with what was open closed', async () => {
    await start({
      parent: () => {
        throw new Error('broken');
      },
      child: returning(),
    });
    const events = await collect(run(scout(models)));
    expect(events[0]?.type).toBe('RUN_STARTED');
    expect(events.at(-1)?.type).toBe('RUN_ERROR');
    await verify(events);
  });
});
