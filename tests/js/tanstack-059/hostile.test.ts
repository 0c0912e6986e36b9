// What a host passes on of what a client sent: whatever it is, the child's stream starts once and ends once.
import fc from 'fast-check';
import { type AgentContext, defineAgent, memoryResumeStore, type Seal } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { type LoopTool, scriptedChild } from '../delegate/scripted-child.js';
import { soon } from '../delegate/strict-client.js';

const KEYS = [{ id: 'k', secret: new Uint8Array(32).fill(4) }];
const SEALS: [string, Seal][] = [
  ['unsealed', 'none'],
  ['sealed', { keys: KEYS }],
  ['sealed, with a store', { keys: KEYS, store: memoryResumeStore() }],
];

/** A child that returns at once. */
const scout = (seal: Seal) =>
  defineAgent({
    name: 'scout',
    description: 'Finds prices',
    outputSchema: { title: 'price_record', type: 'object', required: ['price'] },
    seal,
    run: ((ctx: AgentContext) => {
      ctx.seed([]);
      return scriptedChild(
        [{ calls: [{ id: 'r-1', name: 'price_record', args: '{"price":10}' }] }],
        ctx.tools as unknown as LoopTool[],
        ctx.runId,
      );
    }) as never,
  });

const ctx = (more: object) => ({ messages: [], threadId: 'thread', runId: 'run', subagentRunId: 'child', ...more });

async function read(seal: Seal, more: object): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  const run = async () => {
    for await (const event of scout(seal).run(ctx(more) as never) as AsyncIterable<AGUIEvent>) events.push(event);
  };
  await soon(run());
  return events;
}

describe.each(SEALS)('%s', (_name, seal) => {
  test.each<[string, unknown]>([
    ['no list', { interruptId: 'child:i', status: 'resolved' }],
    ['a text', 'yes'],
    ['an answer that is null', [null]],
    ['an answer that is a text', ['child:i']],
    ['an answer without an id', [{ status: 'resolved' }]],
    ['an answer whose id is a number', [{ interruptId: 1, status: 'resolved' }]],
  ])('a resume that is or has %s is refused with its code', async (_what, resume) => {
    const events = await read(seal, { resume, messages: [{ id: 'child:m', role: 'assistant', content: 'hm' }] });
    expect(events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(events[1]).toMatchObject({ code: 'resume_answer_malformed' });
  });

  test.each<unknown>([null, 'price?', { 0: {} }])(
    'messages that are %j are refused with their code',
    async (messages) => {
      const events = await read(seal, { messages });
      expect(events).toEqual([
        { type: 'RUN_STARTED', threadId: 'thread', runId: 'run' },
        { type: 'RUN_ERROR', message: 'messages must be a list', code: 'messages_malformed' },
      ]);
    },
  );

  test('null for no answers is a child that starts', async () => {
    expect((await read(seal, { resume: null })).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      result: expect.anything(),
    });
  });

  test('whatever the messages and the answers are, there is one start and one end', async () => {
    const junk = fc.oneof(fc.constantFrom<unknown>(null, undefined, 0, '', [], {}, [null], ['x']), fc.jsonValue());
    const mostly = (usual: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: junk });
    const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
      fc.record(Object.fromEntries(Object.entries(fields).map(([name, usual]) => [name, mostly(usual)])), {
        requiredKeys: [],
      });
    const id = fc.constantFrom('child:m', 'child:c', 'm', '', '__proto__');
    const called = some({ name: fc.constantFrom('price_record', 'fetch'), arguments: fc.constantFrom('{}', '', '{') });
    const content = fc.oneof(
      fc.constantFrom('ten', '{"pendingExecution":true}'),
      fc.array(some({ type: fc.constant('text'), text: fc.constant('x') })),
    );
    const message = fc.oneof(
      some({
        id,
        role: fc.constantFrom('user', 'assistant', 'tool'),
        content,
        toolCallId: id,
        toolCalls: fc.array(some({ id, function: called })),
      }),
      some({
        id,
        role: fc.constantFrom('user', 'assistant'),
        parts: fc.array(
          some({
            type: fc.constantFrom('text', 'tool-call', 'tool-result'),
            id,
            toolCallId: id,
            name: fc.constant('fetch'),
            arguments: fc.constant('{}'),
            content,
          }),
        ),
      }),
    );
    const answer = some({
      interruptId: fc.constantFrom('child:i', 'i'),
      status: fc.constantFrom('resolved', 'cancelled'),
      payload: junk,
      metadata: junk,
    });
    await fc.assert(
      fc.asyncProperty(
        some({
          messages: fc.array(mostly(message), { maxLength: 4 }),
          resume: fc.array(mostly(answer), { maxLength: 2 }),
        }),
        async (sent) => {
          const events = await read(seal, sent);
          expect(events.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
          expect(events[0]?.type).toBe('RUN_STARTED');
          expect(events.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR').length).toBe(1);
          const last = events.at(-1) as { type: string; code?: string; message?: string };
          expect(last.type).toMatch(/^RUN_(FINISHED|ERROR)$/);
          if (last.type === 'RUN_ERROR')
            expect(`${last.code}: ${last.message}`).toMatch(/^(resume_|messages_malformed|contract_exhausted)/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
