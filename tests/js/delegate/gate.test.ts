// The gate: what is judged, how a refused return goes back to the child, and how often.
import { compileContract, defineAgent, delegate } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ScriptedTurn, scriptedChild } from './scripted-child.js';
import { collect, fixed, shape } from './strict-client.js';

const price = {
  title: 'Price',
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
} as const;
const base = { name: 'a', description: 'b' };
const call = (id: string, args: string, name = 'price') => ({ id, name, args });

function agentOf(turns: ScriptedTurn[], maxRetries = 2) {
  return defineAgent({
    ...base,
    outputSchema: price,
    maxRetries,
    run: (ctx) => scriptedChild(turns, ctx.tools),
  });
}

describe('the return tool', () => {
  test("a refused return is that call's result, and the child goes on", async () => {
    const delegation = delegate(
      agentOf([{ calls: [call('c1', '{"price":"12"}')] }, { calls: [call('c2', '{"price":12}')] }]),
      undefined,
      fixed(),
    );
    const events = await collect(delegation);
    const results = events.filter((event) => event.type === 'TOOL_CALL_RESULT');
    expect(results).toMatchObject([
      { toolCallId: 'child-1:c1', content: expect.stringContaining('/price') },
      { toolCallId: 'child-1:c2', content: 'The return was accepted. Your task is done; do nothing more.' },
    ]);
    expect(results[0]?.content).toMatch(/attempt 1 of 3/);
    expect(await delegation.envelope).toMatchObject({
      status: 'completed',
      final_result: { price: 12 },
      attempts: [
        {
          attempt: 1,
          via: 'return_tool',
          outcome: 'rejected',
          code: 'schema_violation',
          issues: [{ instancePath: '/price', keyword: 'type' }],
        },
        { attempt: 2, via: 'return_tool', outcome: 'accepted' },
      ],
      effort: { measured: { tool_calls: 0 } },
    });
    expect(events.flatMap((event) => (event.type === 'CUSTOM' ? [event.value] : []))).toMatchObject([
      { attempt: 1, outcome: 'rejected', maxRetries: 2 },
      { attempt: 2, outcome: 'accepted', maxRetries: 2 },
    ]);
  });

  test('judged returns are at most 1 + maxRetries; exhausted fails without a result', async () => {
    for (const maxRetries of [0, 1, 3]) {
      const turns = Array.from({ length: 10 }, (_, n) => ({ calls: [call(`c${n}`, `{"price":"bad-${n}"}`)] }));
      const delegation = delegate(agentOf(turns, maxRetries), undefined, fixed());
      const events = await collect(delegation);
      const envelope = await delegation.envelope;
      expect(envelope).toMatchObject({
        status: 'failed',
        final_result: null,
        task_summary: null,
        error: { code: 'contract_exhausted' },
      });
      expect(envelope.attempts.map(({ outcome }) => outcome)).toEqual(Array(1 + maxRetries).fill('rejected'));
      expect(events.at(-1)).toEqual({
        type: 'SUBAGENT_ERROR',
        subagentRunId: 'child-1',
        message: envelope.error?.message,
        code: 'contract_exhausted',
      });
      const shown = await delegation.toolResult;
      expect(JSON.parse(shown)).toMatchObject({
        final_result: null,
        status: 'failed',
        error: expect.stringMatching(/^contract_exhausted: /),
      });
      expect(shown).not.toContain('bad-');
      await expect(delegation.orThrow()).rejects.toMatchObject({
        name: 'SubagentContractError',
        code: 'contract_exhausted',
        issues: [{ instancePath: '/price' }],
      });
    }
  });

  test('the exact argument text is judged and goes out, not what a host parsed', async () => {
    const args = '{"price": 9007199254740993}';
    const delegation = delegate(agentOf([{ calls: [call('c1', args)] }]), undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelopeText).toContain(`"final_result":${args}`);
    expect((await delegation.envelope).flags).toEqual(['unsafe_integer']);
  });

  test('without the call in the stream the parsed arguments are judged', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        yield { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
        await ctx.returnTool?.execute({ price: 12 });
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    expect(shape(await collect(delegation))).toEqual([
      'SUBAGENT_STARTED',
      'CUSTOM subcontract.attempt',
      'SUBAGENT_FINISHED',
    ]);
    expect(await delegation.envelope).toMatchObject({ status: 'completed', final_result: { price: 12 } });
  });

  test('a host that streams no argument text has its parsed arguments judged', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'price' };
        yield { type: 'TOOL_CALL_END', toolCallId: 'c1', input: { price: 12 } };
        await ctx.returnTool?.execute({ price: 12 }, { toolCallId: 'c1' });
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      status: 'completed',
      final_result: { price: 12 },
    });
  });

  test('a call that its host refused itself, because it is no JSON, spends an attempt', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        void ctx.tools;
        for (const [id, args] of [
          ['c1', '{"price":1'],
          ['c2', '{"price":}'],
        ] as const) {
          yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'price' };
          yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args };
          yield { type: 'TOOL_CALL_END', toolCallId: id };
          yield {
            type: 'TOOL_CALL_RESULT',
            messageId: `${id}-r`,
            toolCallId: id,
            content: 'the host could not parse this',
          };
        }
      },
      maxRetries: 1,
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      status: 'failed',
      error: { code: 'contract_exhausted' },
      attempts: [
        { attempt: 1, via: 'return_tool', outcome: 'rejected' },
        { attempt: 2, via: 'return_tool', outcome: 'rejected', code: 'invalid_json' },
      ],
    });
  });

  test('the first accepted call wins; later calls of the turn are told so and change nothing', async () => {
    const answers: string[] = [];
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        yield { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
        const tool = ctx.returnTool;
        if (!tool) return;
        const calls = [{ price: 'no' }, { price: 1 }, { price: 2 }, { price: 'no' }];
        answers.push(...(await Promise.all(calls.map((args) => tool.execute(args)))));
        yield { type: 'CUSTOM', name: 'too late', value: 1 };
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    const events = await collect(delegation);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(await delegation.envelope).toMatchObject({
      final_result: { price: 1 },
      attempts: [
        { attempt: 1, outcome: 'rejected' },
        { attempt: 2, outcome: 'accepted' },
      ],
    });
    expect(answers[0]).toMatch(/attempt 1 of 3/);
    expect(answers.slice(1)).toEqual([
      'The return was accepted. Your task is done; do nothing more.',
      'A return was already accepted. Your task is done; do nothing more.',
      'A return was already accepted. Your task is done; do nothing more.',
    ]);
    expect(events).not.toContainEqual(expect.objectContaining({ name: 'too late' }));
  });

  test('acceptance stops the child: its signal aborts and its stream is ended', async () => {
    let signal: AbortSignal | undefined;
    let ended = false;
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        signal = ctx.abortSignal;
        try {
          yield* scriptedChild([{ calls: [call('c1', '{"price":1}')] }, { text: 'more' }], ctx.tools);
        } finally {
          ended = true;
        }
      },
    });
    await collect(delegate(agent, undefined, fixed()));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(signal?.aborted).toBe(true);
    expect(ended).toBe(true);
  });

  test('a contract whose root is no object is wrapped for the tool and unwrapped for the parent', async () => {
    let tool: unknown;
    const agent = defineAgent({
      ...base,
      outputSchema: { type: 'integer', minimum: 0 },
      run: (ctx) => {
        tool = ctx.returnTool;
        return scriptedChild(
          [
            { calls: [call('c1', '{"result":-1}', 'return_result')] },
            { calls: [call('c2', '{"result":7}', 'return_result')] },
          ],
          ctx.tools,
        );
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(tool).toMatchObject({ name: 'return_result', inputSchema: { type: 'object', required: ['result'] } });
    expect(await delegation.envelope).toMatchObject({
      final_result: 7,
      attempts: [{ outcome: 'rejected' }, { outcome: 'accepted' }],
    });
  });
});

describe('ends without the return tool', () => {
  test('a child that had the tool and ended in prose is run again with feedback', async () => {
    const seeds: unknown[] = [];
    const runIds: string[] = [];
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: (ctx) => {
        runIds.push(ctx.runId);
        seeds.push(ctx.seed([{ role: 'user', content: 'the brief' }]));
        const turns = ctx.attempt === 1 ? [{ text: 'It is twelve.' }] : [{ calls: [call('c1', '{"price":12}')] }];
        return scriptedChild(turns, ctx.tools, ctx.runId);
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(runIds).toEqual(['child-run', 'child-run-2']);
    expect(seeds).toEqual([
      [{ role: 'user', content: 'the brief' }],
      [
        { role: 'user', content: 'the brief' },
        { role: 'assistant', content: 'It is twelve.' },
        { role: 'user', content: expect.stringMatching(/Call price/) },
      ],
    ]);
    expect((await delegation.envelope).attempts).toEqual([
      { attempt: 1, outcome: 'no_return', code: 'no_return' },
      { attempt: 2, via: 'return_tool', outcome: 'accepted' },
    ]);
  });

  test('an answer with prose, a fence and reasoning around one value is that value', async () => {
    const text = '<think>{"price":9}?</think>\nAs asked:\n```json\n{"price":12}\n```';
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: (ctx) => scriptedChild([{ text }], ctx.tools, ctx.runId),
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      status: 'completed',
      final_result: { price: 12 },
      flags: ['fenced', 'leading_text'],
      attempts: [{ attempt: 1, via: 'text', outcome: 'accepted' }],
    });
  });

  test('an answer with two values goes back to the child, as a return', async () => {
    const text = '{"price":12}, or with tax {"price":14}';
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      maxRetries: 0,
      run: (ctx) => scriptedChild([{ text }], ctx.tools),
    });
    expect((await delegate(agent).envelope).attempts).toMatchObject([
      { attempt: 1, via: 'text', outcome: 'rejected', code: 'ambiguous' },
    ]);
  });

  test('a child that never took the tool is told so by code', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      maxRetries: 1,
      run: () => scriptedChild([{ text: 'prose' }]),
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      status: 'failed',
      attempts: [
        { outcome: 'no_return', code: 'return_tool_missing' },
        { outcome: 'no_return', code: 'return_tool_missing' },
      ],
    });
  });

  test('a cut generation is truncated, not no_return', async () => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      maxRetries: 0,
      run: (ctx) => scriptedChild([{ text: '{"price":1', finishReason: 'length' }], ctx.tools),
    });
    const { attempts, effort } = await delegate(agent).envelope;
    expect(attempts).toEqual([{ attempt: 1, outcome: 'no_return', code: 'truncated' }]);
    expect(effort.measured.finish_reason).toBe('length');
  });

  test('calls that nobody answered are not in the history of the next run', async () => {
    let seeded: unknown;
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: async function* (ctx) {
        if (ctx.attempt === 2) {
          seeded = ctx.seed([]);
          yield '{"price":1}';
          return;
        }
        yield* scriptedChild([{ text: 'One.', calls: [call('c1', '{}', 'x')] }], [{ name: 'x', execute: () => 'y' }]);
        yield { type: 'TOOL_CALL_START', toolCallId: 'c2', toolCallName: 'client_tool' };
      },
    });
    await collect(delegate(agent, undefined, fixed()));
    expect(seeded).toEqual([
      {
        role: 'assistant',
        content: 'One.',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'x', arguments: '{}' } }],
      },
      { role: 'tool', toolCallId: 'c1', content: 'y' },
      { role: 'user', content: expect.any(String) },
    ]);
  });

  test.each([
    ['text', '{"price":"no"}', '{"price":1}'],
    ['value', { price: 'no' }, { price: 1 }],
  ])('a refused %s is run again with it and the feedback in the seed', async (via, bad, good) => {
    const seeds: unknown[] = [];
    const agent = defineAgent({
      ...base,
      outputSchema: price as object,
      run: async (ctx) => {
        seeds.push(ctx.seed([]));
        return ctx.attempt === 1 ? bad : good;
      },
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(seeds[1]).toEqual([
      { role: 'assistant', content: '{"price":"no"}' },
      { role: 'user', content: expect.stringContaining('/price') },
    ]);
    expect(await delegation.envelope).toMatchObject({
      final_result: { price: 1 },
      // A refused return is nobody's summary.
      task_summary: null,
      attempts: [
        { attempt: 1, via, outcome: 'rejected' },
        { attempt: 2, via, outcome: 'accepted' },
      ],
    });
  });

  test('a text that is no JSON, blank text and undefined each spend an attempt', async () => {
    const outputs = ['twelve', '  ', undefined];
    const agent = defineAgent({ ...base, outputSchema: price as object, run: (ctx) => outputs[ctx.attempt - 1] });
    const { status, attempts } = await delegate(agent).envelope;
    expect(status).toBe('failed');
    expect(attempts).toMatchObject([
      { attempt: 1, via: 'text', outcome: 'rejected', code: 'no_return' },
      { attempt: 2, outcome: 'no_return' },
      { attempt: 3, outcome: 'no_return' },
    ]);
  });
});

describe('contracts', () => {
  test("a Standard Schema's refinement is judged after its JSON Schema, asynchronously too", async () => {
    const outputSchema = z.object({ price: z.number() }).refine(async ({ price }) => price < 100, 'too dear');
    const agent = defineAgent({
      ...base,
      outputSchema,
      run: (ctx) =>
        scriptedChild(
          [
            { calls: [call('c1', '{"price":100}', ctx.returnTool?.name)] },
            { calls: [call('c2', '{"price":99}', ctx.returnTool?.name)] },
          ],
          ctx.tools,
        ),
    });
    const delegation = delegate(agent, undefined, fixed());
    const events = await collect(delegation);
    expect((await delegation.envelope).attempts).toMatchObject([
      { outcome: 'rejected', code: 'refinement_failed', issues: [{ keyword: 'refinement', message: 'too dear' }] },
      { outcome: 'accepted' },
    ]);
    expect(events.find((event) => event.type === 'TOOL_CALL_RESULT')).toMatchObject({
      content: expect.stringContaining('too dear'),
    });
  });

  test("a model's final schema of the call is judged by, down to a scalar", async () => {
    const agent = defineAgent({ ...base, outputSchema: price as object, run: (ctx) => (ctx.attempt === 1 ? -1 : 7) });
    const delegation = delegate(agent, undefined, fixed({ finalSchema: { type: 'integer', minimum: 0 } }));
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      final_result: 7,
      attempts: [{ outcome: 'rejected' }, { outcome: 'accepted' }],
      contract: { source: 'final_schema', digest: expect.stringMatching(/^sha256-/) },
    });
  });

  test('a compiled final schema of the call wins over the output schema', async () => {
    const finalSchema = compileContract({ title: 'Other', type: 'object', required: ['other'] });
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: (ctx) => scriptedChild([{ calls: [call('c1', '{"other":1}', ctx.returnTool?.name)] }], ctx.tools),
    });
    const delegation = delegate(agent, undefined, fixed({ finalSchema }));
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      final_result: { other: 1 },
      contract: { source: 'final_schema', digest: finalSchema.digest },
    });
  });
});

describe('what the parent reads beside the result', () => {
  const bad = '"SECRET"';
  const said: [string, string, { finishReason?: string }?][] = [
    ['a cut return after prose', `Here it is:\n\`\`\`json\n{"price":${bad},"more`, { finishReason: 'length' }],
    ['a cut return in a stream that does not say so', `Here it is: {"price":${bad},`],
    ['a return with prose around it', `Result: {"price":${bad}}. Done.`],
  ];
  test.each(said)('is not %s', async (_, text, turn = {}) => {
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      run: (ctx) =>
        scriptedChild(
          ctx.attempt === 1 ? [{ text, ...turn }] : [{ calls: [call('c', '{"price":1}')] }],
          ctx.tools,
          `run-${ctx.attempt}`,
        ),
    });
    const delegation = delegate(agent, undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({ status: 'completed', task_summary: null });
    expect(await delegation.toolResult).not.toContain('SECRET');
  });

  test('is not a return that was written out before it was called with', async () => {
    const delegation = delegate(
      agentOf([
        { text: `I found it: {"price":${bad}}`, calls: [call('c1', `{"price":${bad}}`)] },
        { calls: [call('c2', '{"price":1}')] },
      ]),
      undefined,
      fixed(),
    );
    expect(JSON.parse(await delegation.toolResult)).toMatchObject({ task_summary: null, final_result: { price: 1 } });
  });

  test('is prose, with brackets in it as well', async () => {
    const text = 'I read sources [1, 2] and {both} agree.';
    const delegation = delegate(agentOf([{ text, calls: [call('c', '{"price":1}')] }]), undefined, fixed());
    expect(await delegation.envelope).toMatchObject({ task_summary: text });
  });
});

describe('a host that ends its loop at a call of the return tool, without running it', () => {
  /** The calls of one run, streamed and not answered. */
  async function* unanswered(tool: string, ...returns: string[]) {
    for (const [index, args] of returns.entries()) {
      const toolCallId = `c${index}`;
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: tool };
      yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: args };
      yield { type: 'TOOL_CALL_END', toolCallId };
    }
    yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
  }
  const agentWith = (returns: string[][], maxRetries = 2) =>
    defineAgent({
      ...base,
      outputSchema: price,
      maxRetries,
      earlyReject: false,
      run: (ctx) => unanswered(ctx.tools[0]?.name ?? '', ...(returns[ctx.attempt - 1] ?? [])),
    });

  test('has it judged, and answered in the stream', async () => {
    const delegation = delegate(agentWith([['{"price":1.50}']]), undefined, fixed());
    const events = await collect(delegation);
    expect(await delegation.envelopeText).toContain('"final_result":{"price":1.50}');
    expect((await delegation.envelope).attempts).toEqual([{ attempt: 1, via: 'return_tool', outcome: 'accepted' }]);
    expect(shape(events).slice(-3)).toEqual(['TOOL_CALL_RESULT', 'CUSTOM subcontract.attempt', 'SUBAGENT_FINISHED']);
  });

  test('has several judged in their order, up to the first that is accepted', async () => {
    const delegation = delegate(agentWith([['{"price":"x"}', '{"price":2}', '{"price":3}']]), undefined, fixed());
    await collect(delegation);
    expect(await delegation.envelope).toMatchObject({
      final_result: { price: 2 },
      attempts: [{ outcome: 'rejected' }, { outcome: 'accepted' }],
    });
  });

  test('is not judged any further, nor heard of, once it is stopped', async () => {
    const judged: number[] = [];
    const heard: string[] = [];
    let answer: (findings: []) => void = () => {};
    const agent = defineAgent({
      ...base,
      outputSchema: price,
      guards: [
        {
          name: 'slow',
          check: (result: unknown) => {
            judged.push((result as { price: number }).price);
            return new Promise<[]>((resolve) => {
              answer = resolve;
            });
          },
        },
      ],
      run: (ctx) => unanswered(ctx.tools[0]?.name ?? '', '{"price":1}', '{"price":2}'),
    });
    const delegation = delegate(agent, undefined, fixed({ onEvent: ({ type }) => heard.push(type) }));
    setTimeout(() => delegation.abort(), 5);
    expect((await delegation.envelope).status).toBe('cancelled');
    answer([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(judged).toEqual([1]);
    expect(heard).toEqual(['started', 'cancelled']);
  });

  test('is run again with feedback, and no more often than attempts are left', async () => {
    const bad = '{"price":"x"}';
    const mended = delegate(agentWith([[bad], ['{"price":2}']]), undefined, fixed());
    await collect(mended);
    expect(await mended.envelope).toMatchObject({ final_result: { price: 2 } });

    const delegation = delegate(agentWith([[bad, bad, bad, bad]], 1), undefined, fixed());
    await collect(delegation);
    const { attempts, error } = await delegation.envelope;
    expect(error).toMatchObject({ code: 'contract_exhausted' });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
  });
});
