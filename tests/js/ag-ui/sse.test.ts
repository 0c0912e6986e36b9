// The encoder: what frames look like, what is left out, and that reading, leaving and aborting reach the run behind them.
import { setTimeout as delay } from 'node:timers/promises';
import { defineAgent, delegate } from 'subcontract';
import { type AGUIEvent, encodeSSE, MAX_FRAME_BYTES, sseResponse, toSSE } from 'subcontract/ag-ui';
import { describe, expect, it, test } from 'vitest';

const START: AGUIEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };

async function* of(...events: unknown[]): AsyncGenerator<AGUIEvent> {
  yield* events as AGUIEvent[];
}

async function framesOf(stream: ReadableStream<Uint8Array>): Promise<AGUIEvent[]> {
  const frames = (await new Response(stream).text()).split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    expect(frame).toMatch(/^data: [^\r\n]*$/);
    return JSON.parse(frame.slice('data: '.length));
  });
}

describe('a frame', () => {
  it('leaves out optional fields that are null or undefined, wherever the protocol has them', () => {
    const event = {
      type: 'RUN_FINISHED',
      threadId: 't',
      runId: 'r',
      timestamp: undefined,
      result: null,
      metadata: { kept: null },
      usage: [{ model: null, inputTokens: 1 }],
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: 'i', reason: 'ask', toolCallId: null, metadata: { kept: null } }],
      },
    };
    expect(encodeSSE(event as unknown as AGUIEvent)).toBe(
      `data: ${JSON.stringify({
        type: 'RUN_FINISHED',
        threadId: 't',
        runId: 'r',
        metadata: { kept: null },
        usage: [{ inputTokens: 1 }],
        outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'ask', metadata: { kept: null } }] },
      })}\n\n`,
    );
  });

  it('keeps a null that is the payload', () => {
    expect(encodeSSE({ type: 'CUSTOM', name: 'a.b', value: null })).toBe(
      'data: {"type":"CUSTOM","name":"a.b","value":null}\n\n',
    );
    expect(encodeSSE({ type: 'STATE_SNAPSHOT', snapshot: null })).toContain('"snapshot":null');
  });

  it('is one line, whatever is in its strings', () => {
    const delta = 'a\r\nb\n\nc\u2028\u0000';
    const frame = encodeSSE({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });
    expect(frame).toMatch(/^data: [^\r\n]*\n\n$/);
    expect(JSON.parse(frame.slice(6))).toMatchObject({ delta });
  });

  it('has U+FFFD for a lone surrogate, and whole characters as they are', () => {
    const frame = encodeSSE({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm\udc00',
      delta: '\ud83d\ude00\ud83d \\ud83d',
    });
    expect(JSON.parse(frame.slice(6))).toEqual({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm\ufffd',
      delta: '\ud83d\ude00\ufffd \\ud83d',
    });
  });

  it('keeps a member named __proto__ as data', () => {
    const value = JSON.parse('{"__proto__":{"x":1}}');
    expect(encodeSSE({ type: 'CUSTOM', name: 'a.b', value })).toContain('{"__proto__":{"x":1}}');
  });

  it.each([
    ['plain', 'x'.repeat(25_000_000)],
    ['escaped', '\u0001'.repeat(4_000_000)],
    ['three bytes each', '語'.repeat(8_000_000)],
    ['pairs', '😀'.repeat(5_000_000)],
  ])('too long a delta goes out in several that concatenate to it: %s', (_name, delta) => {
    const metadata = { 'app.part': 1 };
    const frames = encodeSSE({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta, subagentRunId: 's', metadata })
      .split('\n\n')
      .slice(0, -1);
    expect(frames.length).toBeGreaterThan(1);
    for (const frame of frames) expect(Buffer.byteLength(frame)).toBeLessThan(MAX_FRAME_BYTES);
    const events = frames.map((frame) => JSON.parse(frame.slice(6)));
    expect(events.map((event) => event.delta).join('') === delta).toBe(true);
    expect(events.map(({ delta: _, ...rest }) => rest)).toEqual(
      events.map((_, index) => ({
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: 'm',
        subagentRunId: 's',
        ...(index === 0 && { metadata }),
      })),
    );
  });

  it('says that any other event is too large', () => {
    const event: AGUIEvent = { type: 'CUSTOM', name: 'a.b', value: '語'.repeat(4_000_000) };
    expect(() => encodeSSE(event)).toThrow('CUSTOM takes 12000049 bytes, and a frame has at most 10000000');
    const delta: AGUIEvent = { ...event, type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' } as never;
    expect(() => encodeSSE(delta)).toThrow('TEXT_MESSAGE_CONTENT takes');
  });
});

describe('a stream', () => {
  it('ends with RUN_ERROR for an event that no frame holds, and stops the run behind it', async () => {
    let ended = false;
    async function* large(): AsyncGenerator<AGUIEvent> {
      try {
        yield START;
        yield { type: 'CUSTOM', name: 'a.b', value: 'x'.repeat(MAX_FRAME_BYTES) };
        yield { type: 'CUSTOM', name: 'a.c', value: 1 };
      } finally {
        ended = true;
      }
    }
    expect(await framesOf(toSSE(large()))).toEqual([
      START,
      {
        type: 'RUN_ERROR',
        message: 'CUSTOM takes 10000049 bytes, and a frame has at most 10000000',
        code: 'event_too_large',
        timestamp: expect.any(Number),
      },
    ]);
    expect(ended).toBe(true);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each([
    ['null', null],
    ['a bigint', { type: 'CUSTOM', name: 'a.b', value: 1n }],
    ['a value that contains itself', { type: 'CUSTOM', name: 'a.b', value: cyclic }],
    [
      'a getter that throws',
      {
        type: 'CUSTOM',
        get name() {
          throw new Error('no');
        },
        value: 1,
      },
    ],
  ])('ends with RUN_ERROR for %s, and tells the host why', async (_name, event) => {
    const heard: unknown[] = [];
    const frames = await framesOf(toSSE(of(START, event, START), { onError: (error) => heard.push(error) }));
    const message = 'an event cannot be written as JSON';
    expect(frames).toEqual([
      START,
      { type: 'RUN_ERROR', message, code: 'event_unwritable', timestamp: expect.any(Number) },
    ]);
    expect(heard).toEqual([expect.any(Error)]);
  });

  it('sends nothing after a RUN_ERROR, also when the stream then throws', async () => {
    async function* failing(): AsyncGenerator<AGUIEvent> {
      yield START;
      yield { type: 'RUN_ERROR', message: 'mine' };
      throw new Error('again');
    }
    const heard: unknown[] = [];
    expect(await framesOf(toSSE(failing(), { onError: (error) => heard.push(error) }))).toEqual([
      START,
      { type: 'RUN_ERROR', message: 'mine' },
    ]);
    expect(heard).toEqual([new Error('again')]);
  });

  it('tells the client nothing of what is thrown, and the host all of it', async () => {
    const secret = new Error('connect ECONNREFUSED 10.0.0.7:5432, password "hunter2"');
    const unreadable = {
      get message() {
        throw new Error('no');
      },
    };
    for (const thrown of [secret, 'text', undefined, unreadable]) {
      // biome-ignore lint/correctness/useYield: it fails before its first event.
      async function* failing(): AsyncGenerator<AGUIEvent> {
        throw thrown;
      }
      const heard: unknown[] = [];
      const onError = (error: unknown) => {
        heard.push(error);
        throw new Error('of the listener');
      };
      const fixed = {
        type: 'RUN_ERROR',
        message: 'the run failed',
        code: 'stream_failed',
        timestamp: expect.any(Number),
      };
      expect(await framesOf(toSSE(failing(), { onError }))).toEqual([fixed]);
      expect(await framesOf(toSSE(failing()))).toEqual([fixed]);
      const { body } = sseResponse(failing(), { onError });
      expect(await framesOf(body as ReadableStream<Uint8Array>)).toEqual([fixed]);
      expect(heard).toEqual([thrown, thrown]);
    }
  });

  it('asks for an event when the reader wants one, and for none before', async () => {
    let asked = 0;
    async function* counting(): AsyncGenerator<AGUIEvent> {
      for (;;) {
        asked += 1;
        yield { type: 'CUSTOM', name: 'a.b', value: asked };
      }
    }
    const stream = toSSE(counting());
    await delay(5);
    expect(asked).toBe(0);
    const reader = stream.getReader();
    for (let count = 1; count <= 3; count++) {
      await reader.read();
      await delay(1);
      expect(asked).toBe(count);
    }
    await reader.cancel();
  });
});

describe('a child behind the stream', () => {
  const waiting = () => {
    const seen: { signal?: AbortSignal } = {};
    const agent = defineAgent({
      name: 'waiting',
      description: 'never answers',
      async *run(ctx) {
        seen.signal = ctx.abortSignal;
        yield 'one moment';
        await new Promise(() => {});
      },
    });
    return { seen, delegation: delegate(agent) };
  };

  it('is stopped when the stream is cancelled, although it is in the middle of something', async () => {
    const { seen, delegation } = waiting();
    const reader = toSSE(delegation).getReader();
    // SUBAGENT_STARTED, TEXT_MESSAGE_START, TEXT_MESSAGE_CONTENT; the fourth never comes.
    for (let count = 0; count < 3; count++) await reader.read();
    const fourth = reader.read();
    await reader.cancel();
    expect(await fourth).toEqual({ done: true, value: undefined });
    expect(seen.signal?.aborted).toBe(true);
    expect((await delegation.envelope).status).toBe('cancelled');
  });

  it('is stopped when the signal aborts, and the stream says so', async () => {
    const { seen, delegation } = waiting();
    const controller = new AbortController();
    const frames = framesOf(toSSE(delegation, { signal: controller.signal }));
    await expect.poll(() => seen.signal).toBeDefined();
    controller.abort();
    const events = await frames;
    expect(events.at(-1)).toEqual({
      type: 'RUN_ERROR',
      message: 'the stream was stopped before its run ended',
      code: 'aborted',
      timestamp: expect.any(Number),
    });
    expect(seen.signal?.aborted).toBe(true);
    expect((await delegation.envelope).status).toBe('cancelled');
  });

  it('never starts when the signal has aborted before', async () => {
    const { seen, delegation } = waiting();
    const [event, ...rest] = await framesOf(toSSE(delegation, { signal: AbortSignal.abort() }));
    expect(event).toMatchObject({ type: 'RUN_ERROR', code: 'aborted' });
    expect(rest).toEqual([]);
    expect(seen.signal).toBeUndefined();
  });
});

test('the response has the headers of an event stream, and the ones it is given', () => {
  const response = sseResponse(of(START), { status: 202, headers: { 'Cache-Control': 'no-store', 'x-mine': '1' } });
  expect(response.status).toBe(202);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'x-mine': '1',
  });
});
