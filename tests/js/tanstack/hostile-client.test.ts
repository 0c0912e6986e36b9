// What a client may send in place of messages, ids and answers: it ends the run that it is sent to, and nothing else.
import fc from 'fast-check';
import { type AGUIEvent, lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents, toSubagentResponse } from 'subcontract/tanstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendedContent } from '../../../js/tanstack/replay.js';
import { BRIEF, GOOD, scout } from './agents.js';
import { ADAPTERS, hasResult, ScriptedModels } from './scripted-model.js';
import { collect } from './strict-client.js';

const USER = { role: 'user', content: 'price of A?' };
const CALL = { id: 'call-1', type: 'function', function: { name: 'scout', arguments: BRIEF } };
const KEYS = [{ id: 'k1', secret: new Uint8Array(32).fill(5) }];

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request) ? { text: 'ten' } : { calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }] },
      child: () => ({ calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }),
    });
  });
  afterAll(() => models.stop());

  /** Calls it as a handler would that passes on what it was sent. */
  const send = (sent: Record<string, unknown>, seal: unknown = { keys: KEYS }) =>
    chatWithSubagents({
      adapter: models.adapter('parent'),
      threadId: 'thread',
      runId: 'run-1',
      ...sent,
      subagents: { agents: [scout(models)], seal },
    } as unknown as Parameters<typeof chatWithSubagents>[0]);

  /** Expects the run to end at once, with nobody asked. */
  const expectRefused = async (sent: Record<string, unknown>, code: string, message: string) => {
    const asked = models.requests.parent.length + models.requests.child.length;
    const events = await collect(send(sent));
    expect(events).toEqual([
      expect.objectContaining({ type: 'RUN_STARTED' }),
      { type: 'RUN_ERROR', code, message, timestamp: expect.any(Number) },
    ]);
    expect(models.requests.parent.length + models.requests.child.length).toBe(asked);
    return events;
  };

  it.each<[string, unknown, string]>([
    ['no list', { 0: USER }, 'messages must be a list'],
    ['null', null, 'messages must be a list'],
    ['a text', 'price of A?', 'messages must be a list'],
    ['a message that is null', [USER, null], 'the message at 1 is malformed'],
    ['a message that is a list', [[USER]], 'the message at 0 is malformed'],
    ['a message that is a text', ['price of A?'], 'the message at 0 is malformed'],
    ['no role', [USER, { content: 'x' }], 'the message at 1 is malformed'],
    ['a role that is no text', [{ ...USER, role: ['user'] }], 'the message at 0 is malformed'],
    ['content that is a number', [{ ...USER, content: 5 }], 'the message at 0 is malformed'],
    ['content that is an object', [{ ...USER, content: {} }], 'the message at 0 is malformed'],
    ['a part of the content that is null', [{ ...USER, content: [null] }], 'the message at 0 is malformed'],
    ['parts that are null', [{ role: 'assistant', parts: null }], 'the message at 0 is malformed'],
    ['parts that are no list', [{ role: 'assistant', parts: { length: 1 } }], 'the message at 0 is malformed'],
    ['a part that is a text', [{ role: 'assistant', parts: ['x'] }], 'the message at 0 is malformed'],
    ['a call in a part without an id', part({ name: 'scout', arguments: '{}' }), 'the message at 0 is malformed'],
    ['a call in a part without a name', part({ id: 'c', arguments: '{}' }), 'the message at 0 is malformed'],
    ['a call in a part without arguments', part({ id: 'c', name: 'scout' }), 'the message at 0 is malformed'],
    ['calls that are no list', calls({ ...CALL }), 'the message at 0 is malformed'],
    ['calls that are a text', calls('scout'), 'the message at 0 is malformed'],
    ['a call that is null', calls([null]), 'the message at 0 is malformed'],
    ['a call without an id', calls([{ ...CALL, id: undefined }]), 'the message at 0 is malformed'],
    ['a call whose id is a number', calls([{ ...CALL, id: 1 }]), 'the message at 0 is malformed'],
    ['a call without a function', calls([{ id: 'c', type: 'function' }]), 'the message at 0 is malformed'],
    ['a call of nothing', calls([{ ...CALL, function: null }]), 'the message at 0 is malformed'],
    ['a call without a name', calls([{ ...CALL, function: { arguments: '{}' } }]), 'the message at 0 is malformed'],
    [
      'parsed arguments',
      calls([{ ...CALL, function: { name: 'scout', arguments: {} } }]),
      'the message at 0 is malformed',
    ],
  ])('messages with %s', async (_what, messages, message) => {
    await expectRefused({ messages }, 'messages_malformed', message);
  });

  it.each<[string, unknown]>([
    ['no list', { interruptId: 'i', status: 'resolved' }],
    ['a text', 'yes'],
    ['an answer that is null', [null]],
    ['an answer that is a text', ['i']],
    ['an answer without an id', [{ status: 'resolved' }]],
    ['an answer whose id is a number', [{ interruptId: 1, status: 'resolved' }]],
    ['one of several that is none', [{ interruptId: 'i', status: 'resolved' }, undefined]],
  ])('a resume that is or has %s', async (_what, resume) => {
    const message = 'resume must be a list of answers, each with an interruptId';
    await expectRefused({ messages: [USER], resume }, 'resume_answer_malformed', message);
  });

  it.each(['threadId', 'runId', 'parentRunId'])('a %s that is no text', async (name) => {
    for (const id of [5, {}, ['run-1'], true]) {
      const [started] = await expectRefused(
        { messages: [USER], [name]: id },
        'run_id_malformed',
        `${name} must be a string`,
      );
      expect(started).toMatchObject({ threadId: expect.any(String), runId: expect.any(String) });
    }
  });

  it('takes null for an id that there is not', async () => {
    const events = await collect(send({ messages: [USER], threadId: null, runId: null, parentRunId: null }));
    expect(events[0]).toEqual({
      type: 'RUN_STARTED',
      threadId: expect.any(String),
      runId: expect.any(String),
      timestamp: expect.any(Number),
    });
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
  });

  it('takes messages that have nothing to do with children as they are', async () => {
    const messages = [
      { id: 'a', role: 'activity', activityType: 'plan', content: { steps: [1] } },
      { id: 'r', role: 'reasoning', content: 'hm' },
      { role: 'assistant', content: null },
      { role: 'assistant', toolCalls: null },
      { id: 'u', role: 'user', parts: [{ type: 'text', content: 'price of A?' }] },
    ];
    expect((await collect(send({ messages }))).at(-1)?.type).toBe('RUN_FINISHED');
  });

  it('what keeps a run from starting is told to the host, and not to the client', async () => {
    const secret = new Error('no route to 10.0.0.7');
    const lost = { keys: KEYS, store: { getItem: () => Promise.reject(secret), setItem: async () => {} } };
    const metadata = { subcontract: { resume: `sr1.s.eA.${'A'.repeat(43)}` } };
    const resume = [{ interruptId: 'i', status: 'resolved', metadata }];
    const broken = {
      [Symbol.iterator]() {
        throw secret;
      },
    };
    for (const [sent, seal, code, heard] of [
      [{ messages: [USER], resume }, lost, 'resume_store_failed', expect.objectContaining({ cause: secret })],
      // A fault of the host's own.
      [{ messages: [USER], middleware: broken }, 'none', 'stream_failed', secret],
    ] as const) {
      const errors: unknown[] = [];
      const body = await toSubagentResponse(send(sent, seal), { onError: (error) => errors.push(error) }).text();
      expect(body).not.toContain('10.0.0.7');
      const events = body
        .trim()
        .split('\n\n')
        .map((frame) => JSON.parse(frame.slice('data: '.length)));
      expect(events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
      expect(events[1]).toMatchObject({ code });
      expect(errors).toEqual([heard]);
    }
  });

  it('whatever is sent, there is one run, from its start to its end, that the linter takes', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (sent) => {
        const events: AGUIEvent[] = [];
        for await (const event of send(sent, 'none')) events.push(event);
        expect(events.filter(({ type }) => type.startsWith('RUN_')).map(({ type }) => type)).toEqual([
          'RUN_STARTED',
          expect.stringMatching(/^RUN_(FINISHED|ERROR)$/),
        ]);
        expect([events[0]?.type, events.at(-1)?.type]).toEqual(
          events.filter(({ type }) => type.startsWith('RUN_')).map(({ type }) => type),
        );
        expect(lintEvents(events).filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

function part(call: object) {
  return [{ role: 'assistant', parts: [{ type: 'tool-call', ...call }] }];
}

function calls(toolCalls: unknown) {
  return [{ role: 'assistant', content: null, toolCalls }];
}

/** Requests that are nearly right: each value is now and then another. */
const anyRequest = (() => {
  const junk = fc.oneof(fc.constantFrom<unknown>(null, undefined, 0, '', [], {}, [null], ['x']), fc.jsonValue());
  const mostly = (usual: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: junk });
  const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(Object.fromEntries(Object.entries(fields).map(([name, usual]) => [name, mostly(usual)])), {
      requiredKeys: [],
    });
  const id = fc.constantFrom('call-1', 'x', '', '__proto__', 'route-0123456789abcdef-0p0');
  const name = fc.constantFrom('scout', 'fetch_page', 'delegate_task', 'toString', '__proto__');
  const args = fc.constantFrom(BRIEF, '', '{', 'null', '[]');
  const text = fc.oneof(
    fc.constantFrom('ten', '{"pendingExecution":true}', '{"pendingExecution":true,"subcontract":5}'),
    fc
      .constantFrom('null', '{}', '[]', '5', '{"resume":{"interrupts":[null]}}', '{"resume":null}')
      .map(suspendedContent),
  );
  const content = fc.oneof(text, fc.array(some({ type: fc.constantFrom('text', 'image'), text, content: text })));
  const role = fc.constantFrom('user', 'assistant', 'tool', 'system', 'developer', 'activity', 'reasoning');
  const toolCalls = fc.array(mostly(some({ id, function: some({ name, arguments: args }) })), { maxLength: 2 });
  const part = some({
    type: fc.constantFrom('text', 'tool-call', 'tool-result', 'thinking', 'image'),
    id,
    name,
    arguments: args,
    toolCallId: id,
    content,
    state: fc.constantFrom('complete', 'input-complete', 'approval-responded', 'error'),
    output: content,
    approval: fc.constant({ id: 'a', needsApproval: true, approved: true }),
  });
  const message = fc.oneof(
    some({ id, role, content, toolCallId: id, toolCalls }),
    some({ id, role, parts: fc.array(part, { maxLength: 3 }) }),
  );
  const interruptId = fc.constantFrom('i', 'approval_call-1', 'client_tool_call-1');
  const answer = some({ interruptId, status: fc.constantFrom('resolved', 'cancelled'), payload: junk, metadata: junk });
  return some({
    messages: fc.array(mostly(message), { maxLength: 4 }),
    resume: fc.oneof(fc.constant(undefined), fc.array(mostly(answer), { maxLength: 2 })),
    parentRunId: fc.constant('run-0'),
  });
})();
