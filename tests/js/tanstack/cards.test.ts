// What withSubagentCards takes out of a connection, and what it leaves alone.
import { fetchServerSentEvents, stream } from '@tanstack/ai-client';
import { withSubagentCards } from 'subcontract/tanstack';
import { expect, it, vi } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';

const RUN = { threadId: 't', runId: 'r' };
const EVENTS: AGUIEvent[] = [
  { type: 'RUN_STARTED', ...RUN },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'scout' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'scout', parentToolCallId: 'c' },
  { type: 'TEXT_MESSAGE_START', messageId: 's:m', role: 'assistant', subagentRunId: 's' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 's:m', delta: 'ten', subagentRunId: 's' },
  { type: 'TEXT_MESSAGE_END', messageId: 's:m', subagentRunId: 's' },
  { type: 'CUSTOM', name: 'subcontract.attempt', value: {}, subagentRunId: 's' },
  { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
  { type: 'CUSTOM', name: 'subcontract.brief_rejected', value: {} },
  { type: 'TOOL_CALL_RESULT', toolCallId: 'c', messageId: 'tool-c', content: '{}' },
  { type: 'RUN_FINISHED', ...RUN },
];
const PARENTS = EVENTS.filter((event) => !('subagentRunId' in event));

async function* replay(): AsyncGenerator<AGUIEvent> {
  yield* EVENTS;
}

async function types(chunks: AsyncIterable<{ type: string }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { type } of chunks) all.push(type);
  return all;
}

const typesOf = (events: readonly AGUIEvent[]) => events.map(({ type }) => type);

it('hands every event to the sink, and the parent’s own to the client', async () => {
  const shown: AGUIEvent[] = [];
  const connection = stream(() => replay() as never);
  const wrapped = withSubagentCards(connection, { push: (event) => shown.push(event) });
  expect(await types(wrapped.connect([]))).toEqual(typesOf(PARENTS));
  expect(shown).toEqual(EVENTS);
});

it('wraps connections that are subscribed to, and runs that are joined, and leaves the rest as it is', async () => {
  class Socket {
    #sent = 0;
    readonly url = 'ws://host.example';
    subscribe = replay;
    joinRun(_runId: string) {
      // Of the instance itself, whatever it is called on.
      this.#sent += 1;
      return replay();
    }
    async send() {
      this.#sent += 1;
      return this.#sent;
    }
  }
  const shown: AGUIEvent[] = [];
  const wrapped = withSubagentCards(new Socket(), { push: (event) => shown.push(event) });
  expect(await types(wrapped.subscribe())).toEqual(typesOf(PARENTS));
  expect(await types(wrapped.joinRun('r'))).toEqual(typesOf(PARENTS));
  expect(shown).toHaveLength(2 * EVENTS.length);
  expect(await wrapped.send()).toBe(2);
  expect(wrapped.url).toBe('ws://host.example');
  expect('connect' in wrapped).toBe(false);
});

it('gives a connection that the client knows by its parts: no joinRun where there is none', () => {
  const plain = withSubagentCards({ connect: replay }, { push() {} });
  expect('joinRun' in plain).toBe(false);
  expect(Object.keys({ ...withSubagentCards(fetchServerSentEvents('/'), { push() {} }) })).toEqual(
    Object.keys(fetchServerSentEvents('/')),
  );
});

it('ends the connection when the client leaves', async () => {
  let left = false;
  const connect = async function* () {
    try {
      yield* replay();
    } finally {
      left = true;
    }
  };
  for await (const _ of withSubagentCards({ connect }, { push() {} }).connect()) break;
  expect(left).toBe(true);
});

it('goes on when the sink throws, and reports what it threw', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  try {
    const push = () => {
      throw new Error('no card');
    };
    expect(await types(withSubagentCards({ connect: replay }, { push }).connect())).toEqual(typesOf(PARENTS));
  } finally {
    vi.unstubAllGlobals();
  }
  expect(reported).toHaveBeenCalledTimes(EVENTS.length);
});

it('gives the sink a usage as the protocol has it, where the client’s adapter has changed it', async () => {
  const frames = [
    { type: 'RUN_STARTED', ...RUN },
    { type: 'RUN_FINISHED', ...RUN, usage: [{ inputTokens: 3, outputTokens: 2, totalTokens: 5 }] },
  ];
  const fetchClient = async () =>
    new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  const shown: AGUIEvent[] = [];
  const connection = fetchServerSentEvents('http://host.example/', { fetchClient });
  const usages: unknown[] = [];
  const wrapped = withSubagentCards(connection, { push: (event) => shown.push(event) });
  const ids = { threadId: 't', runId: 'r' };
  for await (const chunk of wrapped.connect([], undefined, undefined, ids)) {
    if (chunk.type === 'RUN_FINISHED') usages.push(chunk.usage);
  }
  expect(usages).toEqual([expect.objectContaining({ promptTokens: 3, completionTokens: 2, totalTokens: 5 })]);
  expect(shown.at(-1)).toMatchObject({ usage: [{ inputTokens: 3, outputTokens: 2, totalTokens: 5 }] });
});
