// An agent under a host that runs it itself: what the parent's model reads, what the browser sees, and how it ends.
import { type AgentContext, defineAgent, delegate, type RunOutput } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectReadable } from '../ag-ui/readers.js';
import { type LoopTool, type ScriptedTurn, scriptedChild } from '../delegate/scripted-child.js';
import { soon } from '../delegate/strict-client.js';
import { EmulatedHost, type HostRun, type Version } from './emulated-host.js';

const PRICE = {
  title: 'price_record',
  type: 'object',
  properties: { plan: { type: 'string' }, price: { type: 'number' } },
  required: ['plan', 'price'],
} as const;
const BRIEF = { task: 'find the price' };
const GOOD = '{"plan":"Team","price":10}';
const PARENT = [{ role: 'user', content: 'price of A?' }];

/** A child whose model takes these turns, in each of its runs. */
const taking =
  (...turns: ScriptedTurn[]) =>
  (ctx: AgentContext) => {
    ctx.seed([]);
    return scriptedChild(turns, ctx.tools as unknown as LoopTool[], ctx.runId);
  };
const returns = (args: string, id = 'r-1') => ({ id, name: 'price_record', args });

function priced(run: (ctx: AgentContext) => RunOutput | Promise<RunOutput>, more: object = {}) {
  return defineAgent({
    name: 'scout',
    description: 'Finds prices',
    inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
    outputSchema: PRICE,
    run: run as never,
    ...more,
  });
}

/** The one call of the agent, read by every client. */
async function call(
  version: Version,
  agent: unknown,
  input: unknown = BRIEF,
  parent: object[] = PARENT,
): Promise<HostRun> {
  const host = new EmulatedHost(version, [agent]);
  const run = await soon(host.delegate({ agent: (agent as { name: string }).name, input }, parent as never));
  await expectReadable(run.events);
  return run;
}

const last = ({ events, subagentRunId }: HostRun) =>
  events.findLast(
    (event) => event.type.startsWith('SUBAGENT_') && 'subagentRunId' in event && event.subagentRunId === subagentRunId,
  );

describe('the newest host', () => {
  test('the parent’s model reads the envelope, and none of the child’s words on the way', async () => {
    const run = await call('newest', priced(taking({ text: 'Looking around.', calls: [returns(GOOD)] })));
    expect(run.toolResult).toEqual({
      result: {
        run_id: 'subagent-1',
        subagent: 'scout',
        task_summary: 'Looking around.',
        final_result: JSON.parse(GOOD),
      },
    });
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_FINISHED', result: { final_result: JSON.parse(GOOD) } });
    const said = run.events.find((event) => event.type === 'REASONING_MESSAGE_CONTENT');
    expect(said).toMatchObject({ delta: 'Looking around'.slice(0, 8), subagentRunId: 'subagent-1' });
  });

  test('a string that the host would cut comes whole, as text', async () => {
    const long = JSON.stringify({ plan: 'x'.repeat(2049), price: 10 });
    const run = await call('newest', priced(taking({ text: 'Looking.', calls: [returns(long)] })));
    const { result } = run.toolResult as { result: string };
    expect(JSON.parse(result).final_result).toEqual(JSON.parse(long));
    expect(last(run)).not.toHaveProperty('result');
    const fits = JSON.stringify({ plan: 'x'.repeat(2048), price: 10 });
    const short = await call('newest', priced(taking({ calls: [returns(fits)] })));
    expect((short.toolResult as { result: { final_result: unknown } }).result.final_result).toEqual(JSON.parse(fits));
  });

  test('a number that JavaScript would round comes to the letter, as text', async () => {
    const exact = '{"plan":"Team","price":1234567890123456789}';
    const run = await call('newest', priced(taking({ calls: [returns(exact)] })));
    expect((run.toolResult as { result: string }).result).toContain('"price":1234567890123456789');
  });

  test('a child’s own run finds what the host gave: its keys, and the rest, as ctx.host', async () => {
    let seen: AgentContext | undefined;
    const agent = priced((ctx) => {
      seen = ctx;
      return GOOD;
    });
    await call('newest', agent);
    const host = seen?.host as { keys: { get(name: string): string }; forward: object };
    expect(host.keys.get('openai')).toBe('key of openai');
    expect(host.forward).toMatchObject({ subagentRunId: 'subagent-1' });
    expect(seen).toMatchObject({
      input: BRIEF,
      messages: PARENT,
      threadId: 'thread:scout',
      runId: 'run-1:subagent-1',
      parentRunId: 'run-1',
      subagentRunId: 'subagent-1',
      attempt: 1,
    });
  });

  test('an input that the schema has transformed is not judged a second time', async () => {
    const inputs: unknown[] = [];
    const agent = defineAgent({
      name: 'scout',
      description: 'd',
      inputSchema: z.object({
        task: z.string().transform((task) => task.length),
        when: z.string().transform((s) => new Date(s)),
      }),
      outputSchema: PRICE,
      run: (ctx) => {
        inputs.push(ctx.input);
        return GOOD;
      },
    });
    const input = agent.inputSchema?.parse({ task: 'four', when: '2026-01-01' });
    const { toolResult } = await call('newest', agent, input);
    expect(inputs).toEqual([{ task: 4, when: new Date('2026-01-01') }]);
    expect(toolResult).toHaveProperty('result.final_result');
  });

  test('a plain JSON Schema is judged here: the parent’s model reads what is wrong with its brief', async () => {
    let runs = 0;
    const agent = priced(() => {
      runs += 1;
      return GOOD;
    });
    const run = await call('newest', agent, { task: 7 });
    expect(runs).toBe(0);
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_ERROR', code: 'brief_rejected' });
    expect((run.toolResult as { error: string }).error).toContain('/task');
  });

  test('names and fields that the host reserves', () => {
    const base = { description: 'd', run: () => '' };
    for (const name of ['main', 'sessionId', 'background']) {
      expect(() => defineAgent({ name, ...base })).toThrow('the name is reserved by hosts');
    }
    const fields = { type: 'object', properties: { sessionId: { type: 'string' } } };
    const agent = defineAgent({ name: 'a', ...base, inputSchema: fields });
    // The host says so itself, and only where it uses the field.
    expect(() => new EmulatedHost('newest', [agent], { persistence: true })).toThrow('uses sessionId');
    expect(() => new EmulatedHost('newest', [agent])).not.toThrow();
  });
});

describe('the host of 0.59', () => {
  test('the parent’s model reads the envelope to the letter, and none of the child’s words on the way', async () => {
    const agent = defineAgent({
      name: 'scout',
      description: 'd',
      outputSchema: PRICE,
      run: taking({ text: 'Looking around.', calls: [returns('{"plan": "Team", "price": 10.0}')] }) as never,
    });
    const { toolResult } = await call('0.59', agent, {});
    expect(toolResult).toEqual({
      result:
        '{"run_id":"subagent-1","subagent":"scout","task_summary":"Looking around.","final_result":{"plan": "Team", "price": 10.0}}',
    });
  });

  test('an agent with an inputSchema says that this host gives it no input', async () => {
    const run = await call(
      '0.59',
      priced(() => GOOD),
    );
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_ERROR', code: 'brief_rejected' });
    expect((run.toolResult as { error: string }).error).toContain('TanStack AI gives a child one from 0.63 on');
  });
});

describe.each<Version>(['0.59', 'newest'])('every host: %s', (version) => {
  const untyped = (run: (ctx: AgentContext<undefined>) => RunOutput | Promise<RunOutput>) =>
    defineAgent({ name: 'writer', description: 'Writes', run });

  test('an agent without schemas is what it is there without us: its text, and the parent’s messages', async () => {
    let messages: readonly unknown[] = [];
    const agent = untyped((ctx) => {
      messages = ctx.messages;
      return scriptedChild([{ text: 'First, ' }, { text: 'then.' }], [], ctx.runId);
    });
    const run = await call(version, agent, {});
    expect(messages).toEqual(PARENT);
    expect(run.toolResult).toEqual({ result: 'First, then.' });
  });

  test.each<[string, () => RunOutput | Promise<RunOutput>, unknown]>([
    ['a text', () => 'done', 'done'],
    [
      'deltas of text',
      async function* () {
        yield 'do';
        yield 'ne';
      },
      'done',
    ],
  ])('an agent without schemas that comes to %s', async (_name, run, result) => {
    expect((await call(version, untyped(run), {})).toolResult).toEqual({ result });
  });

  test('an agent without schemas that comes to a value', async () => {
    const { toolResult } = await call(
      version,
      untyped(async () => ({ n: 1 })),
      {},
    );
    expect(toolResult).toEqual({ result: version === '0.59' ? '{"n":1}' : { n: 1 } });
  });

  const typed = (run: (ctx: AgentContext<undefined>) => RunOutput | Promise<RunOutput>, more: object = {}) =>
    defineAgent({ name: 'scout', description: 'd', outputSchema: PRICE, run: run as never, ...more });

  test('a refused return goes back to the child, and what both cost is the parent’s', async () => {
    const usage = (n: number) => [{ model: 'm', inputTokens: n, outputTokens: 1 }];
    const agent = typed(
      taking(
        { calls: [returns('{"plan":"Team","price":"ten"}')], usage: usage(10) },
        { calls: [returns(GOOD, 'r-2')], usage: usage(20) },
      ) as never,
      { earlyReject: false },
    );
    const run = await call(version, agent, {});
    expect(JSON.stringify(run.toolResult)).toContain('Team');
    expect(run.events.at(-1)).toMatchObject({ usage: [{ model: 'm', inputTokens: 30, outputTokens: 2 }] });
    const attempts = run.events.filter((event) => event.type === 'CUSTOM' && event.name === 'subcontract.attempt');
    expect(attempts).toHaveLength(2);
  });

  test('a child that never returns what it must has failed, with a code, and what it spent is counted', async () => {
    const usage = [{ model: 'm', inputTokens: 10, outputTokens: 1 }];
    const agent = typed(taking({ calls: [returns('{}')], usage }) as never, { maxRetries: 0, earlyReject: false });
    const run = await call(version, agent, {});
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_ERROR', code: 'contract_exhausted' });
    expect(run.toolResult).toEqual({
      error: 'no return was accepted in 1 attempt; the last one failed with schema_violation (required)',
    });
    expect(run.events.at(-1)).toMatchObject({ usage: [{ inputTokens: 10, outputTokens: 1 }] });
  });

  test.each([
    ['with a contract', typed],
    ['without one', untyped],
  ] as const)('a child %s that throws has failed', async (_name, agentOf) => {
    const run = await call(
      version,
      agentOf(() => Promise.reject(new Error('the page is down'))),
      {},
    );
    expect(run.toolResult).toEqual({ error: 'the page is down' });
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_ERROR', code: 'child_error' });
  });

  test.each([
    ['with a contract', typed],
    ['without one', untyped],
  ] as const)('a child %s that ignores its signal does not hold up a host that stops', async (_name, agentOf) => {
    const stop = new AbortController();
    let ended = false;
    const agent = agentOf(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          setTimeout(() => stop.abort(), 5);
          return new Promise<never>(() => {});
        },
        return: async () => {
          ended = true;
          return { done: true as const, value: undefined };
        },
      }),
    }));
    const host = new EmulatedHost(version, [agent], { signal: stop.signal });
    const run = await soon(host.delegate({ agent: agent.name }));
    expect(last(run)).toMatchObject({ type: 'SUBAGENT_ERROR', message: 'Stopped' });
    await expect.poll(() => ended).toBe(true);
  });

  test('in a sequence the next child reads the envelope of the one before', async () => {
    const read: unknown[] = [];
    const second = untyped((ctx) => {
      read.push(...ctx.messages.slice(1));
      return 'written';
    });
    const host = new EmulatedHost(version, [
      typed(taking({ text: 'Looking.', calls: [returns(GOOD)] }) as never),
      second,
    ]);
    const [first] = await soon(host.sequence(['scout', 'writer'], PARENT));
    expect(JSON.parse(first ?? '')).toMatchObject({ subagent: 'scout', final_result: JSON.parse(GOOD) });
    expect(read).toEqual([{ role: 'assistant', content: first }]);
  });

  test('a child of a child keeps its own card', async () => {
    const helper = defineAgent({ name: 'helper', description: 'd', run: () => 'ten' });
    const agent = typed(async function* (ctx: AgentContext<undefined>) {
      const { subagentRunId, threadId } = ctx;
      yield* delegate(helper, undefined, { subagentRunId: 'nested', parentSubagentRunId: subagentRunId, threadId });
      yield* scriptedChild([{ calls: [returns(GOOD)] }], ctx.tools as unknown as LoopTool[]);
    } as never);
    const run = await call(version, agent, {});
    expect(run.events.find((e) => e.type === 'SUBAGENT_STARTED' && e.name === 'helper')).toMatchObject({
      subagentRunId: 'nested',
      parentSubagentRunId: 'subagent-1',
    });
    expect(JSON.stringify(run.toolResult)).toContain('Team');
  });
});
