// Hosts with adapters, tools and hooks that do not do what they should: the run still ends, once, as clients take it.
import type { AnyTextAdapter, ChatMiddleware, Tool } from '@tanstack/ai';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { withChatStream } from '../../../js/tanstack/adapter.js';
import { BRIEF, GOOD, scout } from './agents.js';
import { ADAPTERS, hasResult, ScriptedModels } from './scripted-model.js';
import { collect, ofType, verify } from './strict-client.js';

const RUN = { threadId: 'thread', runId: 'model-run' };
const never = () => new Promise<never>(() => {});

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  beforeAll(async () => {
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request)
          ? { text: 'done' }
          : {
              calls: [
                { id: 'call-1', name: 'scout', arguments: BRIEF },
                { id: 'call-2', name: 'clock', arguments: '{}' },
              ],
            },
      child: () => ({ calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }),
    });
  });
  afterAll(() => models.stop());

  interface Host {
    adapter?: AnyTextAdapter;
    middleware?: ChatMiddleware[];
    clock?: Tool['execute'];
  }
  const run = ({ adapter, middleware = [], clock = () => 'noon' }: Host, abortController = new AbortController()) =>
    chatWithSubagents({
      adapter: adapter ?? models.adapter('parent'),
      messages: [{ role: 'user', content: 'price of A?' }],
      threadId: 'thread',
      runId: 'run-1',
      abortController,
      middleware,
      tools: [{ name: 'clock', description: 'Says the time', execute: clock }],
      subagents: { agents: [scout(models)], seal: 'none' },
    });
  /** The parent's adapter, which streams what it should not. */
  const streaming = (stream: () => AsyncIterable<unknown>) =>
    withChatStream(models.adapter('parent') as AnyTextAdapter, stream as AnyTextAdapter['chatStream']);

  it.each<[string, (stuck: () => Promise<never>) => Host]>([
    [
      'an adapter that never says anything',
      (stuck) => ({
        // biome-ignore lint/correctness/useYield: it never gets to one
        adapter: streaming(async function* () {
          await stuck();
        }),
      }),
    ],
    [
      'an adapter that stops in the middle of a text',
      (stuck) => ({
        adapter: streaming(async function* () {
          yield { type: 'RUN_STARTED', ...RUN };
          yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
          yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'It c' };
          await stuck();
        }),
      }),
    ],
    ['a hook that never answers', (stuck) => ({ middleware: [{ name: 'own', onBeforeToolCall: stuck }] })],
    ['a tool that never ends', (stuck) => ({ clock: stuck })],
  ])('a run that is stopped ends although %s ignores it', async (_what, hostOf) => {
    const controller = new AbortController();
    const host = hostOf(() => {
      controller.abort();
      return never();
    });
    const events = await collect(run(host, controller));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
  });

  it('what a child has used before its run was stopped is counted, whoever hangs', async () => {
    const controller = new AbortController();
    const clock = () => {
      controller.abort();
      return never();
    };
    const events = await collect(run({ clock }, controller));
    expect(ofType(events, 'SUBAGENT_FINISHED')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ usage: [{ totalTokens: 15 }] });
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['a message', { message: 'overloaded', code: '529' }, { message: 'overloaded', code: '529' }],
    ['a message in an error', { error: { message: 'overloaded' } }, { message: 'overloaded' }],
    ['no message', {}, { message: 'the run failed' }],
    ['a message that is null', { message: null, code: null }, { message: 'the run failed' }],
    ['a message that is an object', { message: { text: 'x' }, code: 529 }, { message: 'the run failed' }],
    ['an error that is a text', { message: 5, error: 'x' }, { message: 'the run failed' }],
  ])('a RUN_ERROR with %s', async (_what, fields, told) => {
    const adapter = streaming(async function* () {
      yield { type: 'RUN_ERROR', ...fields };
    });
    const events = await collect(run({ adapter }));
    expect(events).toEqual([
      expect.objectContaining({ type: 'RUN_STARTED' }),
      { type: 'RUN_ERROR', ...told, metadata: expect.anything(), timestamp: expect.any(Number) },
    ]);
  });

  it.each<[string, unknown]>([
    ['a text', 'success'],
    ['a type that is none', { type: 'paused' }],
    ['an interrupt that asks nothing', { type: 'interrupt' }],
    ['an interrupt with an empty list', { type: 'interrupt', interrupts: [] }],
    ['an interrupt with none in its list', { type: 'interrupt', interrupts: [null] }],
    ['an interrupt with a text for a list', { type: 'interrupt', interrupts: 'x' }],
  ])('a RUN_FINISHED whose outcome is %s', async (_what, outcome) => {
    const adapter = streaming(async function* () {
      yield { type: 'RUN_STARTED', ...RUN };
      yield { type: 'RUN_FINISHED', ...RUN, finishReason: 'stop', outcome };
    });
    const events = await collect(run({ adapter }));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', threadId: 'thread', runId: 'run-1' });
    expect((events.at(-1) as { outcome?: object }).outcome ?? { type: 'success' }).toEqual({ type: 'success' });
  });

  it('fields that nobody needs, and that are none, cost no event', async () => {
    const adapter = streaming(async function* () {
      const junk = { timestamp: 1.5, metadata: ['x'] };
      yield { type: 'RUN_STARTED', ...RUN, ...junk };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...junk };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'ten', timestamp: 'now', metadata: 5 };
      yield { type: 'TEXT_MESSAGE_END', messageId: 'm', ...junk };
      yield { type: 'RUN_FINISHED', ...RUN, finishReason: 'stop', ...junk };
    });
    const events = await collect(run({ adapter }));
    expect(ofType(events, 'TEXT_MESSAGE_CONTENT').map(({ delta }) => delta)).toEqual(['ten']);
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
  });

  it.each<[string, Host]>([
    ['an adapter that throws at once', { adapter: streamingOf(() => fail()) }],
    ['an adapter that streams nothing that is a stream', { adapter: streamingOf(() => undefined) }],
    ['an adapter that streams what is no event', { adapter: streamingOf(() => [null, 5, {}]) }],
    ['a hook that throws', { middleware: [{ name: 'own', onChunk: () => fail() }] }],
    ['a hook that throws nothing', { middleware: [{ name: 'own', onBeforeToolCall: () => Promise.reject() }] }],
    ['no middleware', { middleware: [null as never] }],
    ['a hook that fails after the children', { middleware: [{ name: 'own', onToolPhaseComplete: () => fail() }] }],
  ])('%s ends the run with an error that tells the client nothing', async (_what, host) => {
    const events: AGUIEvent[] = [];
    const adapter = host.adapter && streaming(host.adapter as never);
    for await (const event of run({ ...host, ...(adapter && { adapter }) } as Host)) events.push(event);
    await verify(events);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'stream_failed', message: 'the run failed' });
  });
});

/** A stream in the place of an adapter, whose adapter is made when there is one. */
function streamingOf(stream: () => unknown): AnyTextAdapter {
  return stream as never;
}

function fail(): never {
  throw new Error('key sk-123');
}
