// `transcripts`: the child's record is kept, the envelope says where, and a handle that the child made up goes nowhere.
import {
  type AgentContext,
  compileContract,
  type DelegateOptions,
  defineAgent,
  delegate,
  delegateAll,
  delegateTaskTool,
  memoryTranscripts,
  parseEnvelope,
  type ResultEnvelope,
  resumeSeal,
  type TranscriptStore,
  transcriptSpanTool,
} from 'subcontract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { collect, fixed, soon } from './strict-client.js';

const ANY = { type: 'object' } as const;
const LONG_ID = '{"id":9007199254740993123,"transcript_ref":"mine"}';

/** A child that looks something up and then returns `text`. */
function returning(text: string, outputSchema: object = ANY, look = true) {
  return defineAgent({
    name: 'reader',
    description: 'Reads.',
    outputSchema,
    async *run(ctx: AgentContext<unknown>): AsyncGenerator<AGUIEvent> {
      if (look) {
        yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'read' };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"path":"a.ts"}' };
        yield { type: 'TOOL_CALL_END', toolCallId: 'c1' };
        yield { type: 'TOOL_CALL_RESULT', toolCallId: 'c1', messageId: 'r1', content: 'line 1' };
      }
      yield { type: 'TOOL_CALL_START', toolCallId: 'ret', toolCallName: ctx.returnTool?.name ?? '' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: 'ret', delta: text };
      yield { type: 'TOOL_CALL_END', toolCallId: 'ret' };
      // Its loop ends at the call, which is judged then.
    },
  });
}

const span = async (store: TranscriptStore, ref: string | undefined, threadId = 'thread') =>
  JSON.parse(await transcriptSpanTool({ store, threadId }).execute({ ref, tool_call_id: 'c1' })) as unknown;

const READ = { ref: 'child-1', tool_call_id: 'c1', tool: 'read', args: '{"path":"a.ts"}', result: 'line 1' };

describe('an envelope of a delegation with transcripts', () => {
  it('names the handle, and what it leads to is saved before the envelope resolves', async () => {
    const store = memoryTranscripts();
    const delegation = delegate(returning(LONG_ID), undefined, fixed({ transcripts: { store } }));
    const text = await delegation.envelopeText;
    const envelope = parseEnvelope(text);
    expect(await span(store, envelope.transcript_ref)).toEqual(READ);
    // The child's own handle gave way, and the rest is its text to the letter.
    expect(text).toContain('"final_result":{"id":9007199254740993123,"transcript_ref":"child-1"}');
    expect(text).toContain(`"returned":${LONG_ID}`);
    expect(envelope.amendments).toEqual([{ pointer: '/transcript_ref', by: 'host' }]);
    expect(envelope.flags).toEqual(['unsafe_integer']);
    expect(JSON.parse(await delegation.toolResult)).toMatchObject({ transcript_ref: 'child-1' });
    expect(await span(store, 'child-1', 'another')).toEqual({ error: 'there is no such transcript in this thread' });
  });

  it('is the same whether its events are read or not, and they tell of it', async () => {
    const store = memoryTranscripts();
    const events = await collect(delegate(returning('{}'), undefined, fixed({ transcripts: { store } })));
    expect(events.at(-1)).toMatchObject({ type: 'SUBAGENT_FINISHED', result: { transcript_ref: 'child-1' } });
    const read = await store.load('child-1');
    const drained = memoryTranscripts();
    await delegate(returning('{}'), undefined, fixed({ transcripts: { store: drained } })).envelope;
    expect(await drained.load('child-1')).toEqual(read);
    expect(read?.entries.map((entry) => entry.type === 'call' && entry.id)).toEqual(['c1', 'ret']);
  });

  it('has it when the child fails, and in prose mode', async () => {
    const store = memoryTranscripts();
    const failed = await delegate(returning('[]', ANY), undefined, fixed({ transcripts: { store } })).envelope;
    expect(failed).toMatchObject({ status: 'failed', transcript_ref: 'child-1' });
    const prose = defineAgent({ name: 'p', description: 'p', run: async () => 'Seven.' });
    const options = fixed({ transcripts: { store }, subagentRunId: 'child-2' });
    expect(await delegate(prose, undefined, options).envelope).toMatchObject({
      task_summary: 'Seven.',
      transcript_ref: 'child-2',
    });
    expect(await store.load('child-2')).toMatchObject({ entries: [{ type: 'text', text: 'Seven.' }] });
  });

  it('has none of a child that did not start', async () => {
    const store = memoryTranscripts();
    const agent = defineAgent({ name: 'p', description: 'p', inputSchema: { type: 'object' }, run: async () => 'x' });
    const envelope = await delegate(agent, '[]', fixed({ transcripts: { store } })).envelope;
    expect(envelope.error?.code).toBe('brief_rejected');
    expect('transcript_ref' in envelope).toBe(false);
    expect(await store.load('child-1')).toBeUndefined();
  });

  it('goes on under the same handle when the child is resumed, sealed or not', async () => {
    const secret = new Uint8Array(32).fill(7);
    for (const seal of ['none', resumeSeal({ keys: [{ id: 'k', secret }] })] as const) {
      const store = memoryTranscripts();
      const agent = defineAgent({
        name: 'asker',
        description: 'Asks.',
        outputSchema: ANY,
        async *run(ctx: AgentContext<unknown>): AsyncGenerator<AGUIEvent> {
          ctx.seed([]);
          if (ctx.resume) {
            yield { type: 'TOOL_CALL_RESULT', toolCallId: 'c1', messageId: 'r1', content: 'line 1' };
            yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '{"transcript_ref":"made up"}' };
            return;
          }
          yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'read' };
          yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"path":"a.ts"}' };
          yield { type: 'TOOL_CALL_END', toolCallId: 'c1' };
          const interrupts = [{ id: 'i', reason: 'approval' }];
          yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
        },
      });
      const options = { seal, transcripts: { store }, now: Date.now };
      const first = await delegate(agent, undefined, fixed(options)).envelope;
      expect(first).toMatchObject({ status: 'suspended', transcript_ref: 'child-1' });
      const opened =
        seal === 'none'
          ? JSON.parse(first.resume?.state ?? '')
          : await seal.open(first.resume_sealed ?? '', {
              threadId: 'thread',
              toolCallId: 'call-1',
              subagent: 'asker',
              brief: undefined,
            });
      const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
      const { threadId: _, subagentRunId: __, ...rest } = fixed(options);
      const second = await delegate(agent, undefined, { ...rest, resume: { state: opened, entries } }).envelope;
      expect(second).toMatchObject({
        status: 'completed',
        transcript_ref: 'child-1',
        final_result: { transcript_ref: 'child-1' },
      });
      expect(await span(store, second.transcript_ref)).toEqual(READ);
    }
  });

  it('has none when the store fails, which only the host hears', async () => {
    for (const method of ['load', 'save'] as const) {
      const told: unknown[] = [];
      const broken = Object.assign(memoryTranscripts(), {
        [method]: async () => {
          throw new Error('redis://user:secret@db');
        },
      });
      const onError = (error: unknown) => {
        told.push(error);
        throw error;
      };
      const text = await delegate(returning('{"a":1}'), undefined, fixed({ transcripts: { store: broken, onError } }))
        .envelopeText;
      expect(parseEnvelope(text)).toMatchObject({ status: 'completed', final_result: { a: 1 } });
      expect(text).not.toContain('transcript_ref');
      expect(text).not.toContain('secret');
      expect(told).toEqual([new Error('redis://user:secret@db')]);
    }
  });

  it('leads nowhere in no part of it when the store fails, as where no transcript is kept', async () => {
    const broken = { ...memoryTranscripts(), save: () => Promise.reject(new Error('full')) };
    const optional = { type: 'object', properties: { transcript_ref: { type: 'string' } } };
    const nullable = {
      type: 'object',
      properties: { transcript_ref: { type: ['string', 'null'] } },
      required: ['transcript_ref'],
    };
    let validated = 0;
    const defaulting = z.object({
      transcript_ref: z.string().default('none'),
      n: z.number().transform((n) => `${++validated}:${n}`),
    });
    for (const [schema, text] of [
      [optional, LONG_ID],
      // A child's code knows the run's id.
      [optional, '{"transcript_ref":"child-1"}'],
      [nullable, '{"transcript_ref":"mine"}'],
      [{ ...optional, required: ['transcript_ref'] }, '{"transcript_ref":"mine"}'],
    ] as const) {
      const failing = delegate(returning(text, schema), undefined, fixed({ transcripts: { store: broken } }));
      expect(await failing.envelopeText).toBe(await delegate(returning(text, schema), undefined, fixed()).envelopeText);
      expect(JSON.parse(await failing.toolResult).transcript_ref).toBeUndefined();
    }
    const agent = returning('{"transcript_ref":"mine","n":1}', defaulting);
    const { final_result } = await delegate(agent, undefined, fixed({ transcripts: { store: broken } })).envelope;
    expect(final_result).toEqual({ transcript_ref: 'none', n: '2:1' });
    // Nothing runs again where there is no handle to take out.
    const without = returning('{"n":1}', z.object({ n: z.number().transform((n) => `${++validated}:${n}`) }));
    await delegate(without, undefined, fixed({ transcripts: { store: broken } })).envelope;
    expect(validated).toBe(3);
  });

  it('keeps what was accepted when the schema’s own validation fails the second time', async () => {
    const broken = { ...memoryTranscripts(), save: () => Promise.reject(new Error('full')) };
    let calls = 0;
    const once = z.object({ transcript_ref: z.string().optional() }).superRefine(() => {
      calls += 1;
      if (calls > 1) throw new Error('gone');
    });
    const agent = returning('{"transcript_ref":"mine"}', once);
    const envelope = await delegate(agent, undefined, fixed({ transcripts: { store: broken } })).envelope;
    expect(envelope).toMatchObject({ status: 'completed', final_result: { transcript_ref: 'child-1' } });
    expect('transcript_ref' in envelope).toBe(false);
  });

  it('does not wait for a store that does not answer when it is stopped', async () => {
    const stuck: TranscriptStore = { load: () => new Promise(() => {}), save: async () => {} };
    for (const text of ['{}', '[]']) {
      const controller = new AbortController();
      const delegation = delegate(
        returning(text),
        undefined,
        fixed({ transcripts: { store: stuck }, abortSignal: controller.signal }),
      );
      setTimeout(() => controller.abort(), 20);
      expect((await soon(delegation.envelope)).status).toBe(text === '{}' ? 'completed' : 'failed');
    }
    const late = delegate(returning('{}'), undefined, fixed({ transcripts: { store: stuck }, timeoutMs: 20 }));
    expect((await soon(late.envelope)).status).toBe('completed');
  });

  it('keeps each child once when one delegates to another', async () => {
    const store = memoryTranscripts();
    const outer = defineAgent({
      name: 'outer',
      description: 'Delegates on.',
      async *run(ctx: AgentContext<unknown>) {
        yield* delegate(returning('{}'), undefined, {
          threadId: 'thread',
          subagentRunId: 'child-2',
          parentSubagentRunId: ctx.subagentRunId,
          transcripts: { store },
        });
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done' };
      },
    });
    await collect(delegate(outer, undefined, fixed({ transcripts: { store } })));
    expect((await store.load('child-1'))?.entries).toEqual([{ type: 'text', text: 'done' }]);
    expect((await store.load('child-2'))?.entries).toMatchObject([{ id: 'c1' }, { id: 'ret' }]);
  });

  it('is refused what is misuse', () => {
    const store = memoryTranscripts();
    expect(() => delegate(returning('{}'), undefined, { transcripts: { store } })).toThrow(
      new TypeError('transcripts need a threadId: spans of them are for that thread alone'),
    );
    expect(() => delegate(returning('{}'), undefined, fixed({ transcripts: {} as never }))).toThrow(
      new TypeError('transcripts need a store: memoryTranscripts(), or unstorageTranscripts(storage)'),
    );
  });

  it('comes from each of several children, under a handle of its own', async () => {
    const store = memoryTranscripts();
    const calls = [{ agent: returning('{"transcript_ref":"x"}') }, { agent: returning('{}') }];
    const all = delegateAll(calls, { threadId: 'thread', transcripts: { store }, present: 'render' });
    const [first, second] = await all.envelopes;
    expect(first?.transcript_ref).not.toBe(second?.transcript_ref);
    expect(first?.final_result).toEqual({ transcript_ref: first?.transcript_ref });
    for (const envelope of [first, second]) {
      expect(await span(store, envelope?.transcript_ref)).toMatchObject({ result: 'line 1' });
    }
    expect(await all.children[1]?.toolResult).toBe(
      `subagent reader: completed\ntranscript_ref: "${second?.transcript_ref}"`,
    );
    expect(() => delegateAll(calls, { transcripts: { store } })).toThrow(
      new TypeError('transcripts need a threadId: spans of them are for that thread alone'),
    );
  });

  it('comes from delegate_task as well', async () => {
    const store = memoryTranscripts();
    const tool = delegateTaskTool([returning('{"transcript_ref":"x"}')], {
      delegation: { threadId: 'thread', transcripts: { store } },
    });
    const shown = JSON.parse(await tool.execute({ subagent: 'reader', task: 'read' }));
    expect(shown.final_result.transcript_ref).toBe(shown.transcript_ref);
    expect(await span(store, shown.transcript_ref)).toMatchObject({ result: 'line 1' });
  });
});

describe("a child's own handle", () => {
  type Row = [
    what: string,
    schema: object,
    returned: unknown,
    options: DelegateOptions,
    expected: Partial<ResultEnvelope>,
  ];
  const kept: DelegateOptions = { transcripts: { store: memoryTranscripts() } };
  const string = { type: 'string' } as const;
  const object = (transcript_ref: object, more: object = {}) => ({
    type: 'object',
    properties: { a: { type: 'integer' }, transcript_ref },
    ...more,
  });
  const required = { required: ['transcript_ref'] };
  const byHost = [{ pointer: '/transcript_ref', by: 'host' }];
  const notOurs = [
    {
      by: 'host',
      pointer: '/transcript_ref',
      message: "this is the child's own, which its contract demands: no transcript is kept under it",
    },
  ];
  const mine = { a: 1, transcript_ref: 'mine' };
  const rows: Row[] = [
    [
      'is the host’s',
      object(string),
      mine,
      kept,
      { final_result: { a: 1, transcript_ref: 'child-1' }, amendments: byHost },
    ],
    ['is taken out', object(string), mine, {}, { final_result: { a: 1 }, amendments: byHost }],
    [
      'is null where it may not be missing',
      object({ type: ['string', 'null'] }, required),
      mine,
      {},
      { final_result: { a: 1, transcript_ref: null }, amendments: byHost },
    ],
    [
      'stays where nothing else is allowed, and the parent reads that',
      object(string, required),
      mine,
      {},
      { final_result: mine, degraded: notOurs },
    ],
    [
      'is taken out where the contract refuses the host’s',
      object({ type: 'string', format: 'uri' }),
      { a: 1, transcript_ref: 'https://x.example/t' },
      kept,
      { final_result: { a: 1 }, amendments: byHost },
    ],
    [
      'may be the host’s already',
      object(string),
      { a: 1, transcript_ref: 'child-1' },
      kept,
      { final_result: { a: 1, transcript_ref: 'child-1' } },
    ],
    [
      'may be null already',
      object({}),
      { a: 1, transcript_ref: null },
      {},
      { final_result: { a: 1 }, amendments: byHost },
    ],
    [
      'is none inside other members',
      ANY,
      { deep: { transcript_ref: 'x' }, list: [{ transcript_ref: 'y' }] },
      kept,
      { final_result: { deep: { transcript_ref: 'x' }, list: [{ transcript_ref: 'y' }] } },
    ],
    ['may be of any type', object({}), { transcript_ref: { x: 1 } }, {}, { final_result: {}, amendments: byHost }],
  ];

  it.each(rows)('%s', async (_, schema, returned, options, expected) => {
    const envelope = await delegate(returning(JSON.stringify(returned), schema), undefined, fixed(options)).envelope;
    expect(envelope.status).toBe('completed');
    const { final_result, amendments, degraded, returned: before } = envelope;
    expect({
      final_result,
      ...(amendments && { amendments }),
      ...(degraded && { degraded }),
    }).toEqual(expected);
    expect(before).toEqual(expected.amendments && returned);
    expect(compileContract(schema).checkValue(final_result).ok).toBe(true);
  });

  it('is seen however its name is spelled, and whatever is around it', async () => {
    const text = 'Here it is:\n```json\n{"transcript\\u005fref":"mine","n":1e400}\n```';
    const agent = defineAgent({ name: 'a', description: 'a', outputSchema: ANY, run: async () => text });
    const delegation = delegate(agent, undefined, fixed(kept));
    expect(await delegation.envelopeText).toContain('"final_result":{"transcript_ref":"child-1","n":1e400}');
    expect((await delegation.envelope).flags).toEqual(['fenced', 'leading_text', 'number_out_of_range']);
  });

  it('gives way before a schema’s own validation, which sees what goes out', async () => {
    const seen: unknown[] = [];
    const schema = (rule: (ref: string | undefined) => boolean) =>
      z.object({ transcript_ref: z.string().optional() }).superRefine(({ transcript_ref }, ctx) => {
        seen.push(transcript_ref);
        if (!rule(transcript_ref)) ctx.addIssue({ code: 'custom', message: 'no' });
      });
    const run = (rule: (ref: string | undefined) => boolean, options: DelegateOptions) =>
      delegate(returning('{"transcript_ref":"mine"}', schema(rule), false), undefined, fixed(options)).envelope;
    expect(await run(() => true, kept)).toMatchObject({ final_result: { transcript_ref: 'child-1' } });
    expect(seen).toEqual(['child-1']);
    // Nobody blames the child for a handle that is not its own.
    const own = await run((ref) => ref === 'mine', kept);
    expect(own).toMatchObject({ status: 'completed', final_result: { transcript_ref: 'mine' }, degraded: notOurs });
    expect(own.amendments).toBeUndefined();
    const refused = await run(() => false, kept);
    expect(refused.error?.code).toBe('contract_exhausted');
    expect(refused.attempts[0]?.issues?.[0]?.message).toBe('no');
  });

  it('may be what a transform makes of it', async () => {
    const schema = z.object({ transcript_ref: z.string().default('none') });
    const envelope = await delegate(returning('{"transcript_ref":"mine"}', schema), undefined, fixed()).envelope;
    expect(envelope.final_result).toEqual({ transcript_ref: 'none' });
    expect(envelope.amendments).toEqual([
      { pointer: '/transcript_ref', by: 'host' },
      { pointer: '/transcript_ref', by: 'transform' },
    ]);
  });
});
