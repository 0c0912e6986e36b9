// The parts a run's stream is made of, on their own: what is closed, what is summed, what joins in.
import { describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { parseExact } from '../../../js/ag-ui/exact-json.js';
import { interleave, Mailbox } from '../../../js/tanstack/mailbox.js';
import { isWaitingContent, readReplay, suspendedContent } from '../../../js/tanstack/replay.js';
import { toSubagentResponse } from '../../../js/tanstack/sse.js';
import { totalUsage } from '../../../js/tanstack/usage.js';
import { toolSchema } from '../../../js/tool-schema.js';

const RUN = { threadId: 't', runId: 'r' };

describe('usage', () => {
  it('is summed into one entry, which keeps a label only when all agree', () => {
    expect(totalUsage([])).toBeUndefined();
    expect(
      totalUsage([
        { model: 'a', provider: 'p', inputTokens: 1, reasoningTokens: 4 },
        { model: 'b', provider: 'p', inputTokens: 2, outputTokens: 3 },
      ]),
    ).toEqual({ provider: 'p', inputTokens: 3, outputTokens: 3, reasoningTokens: 4 });
  });
});

describe('a mailbox beside a stream', () => {
  it('delivers what arrives before the item that was awaited meanwhile', async () => {
    const side = new Mailbox<string>();
    async function* main() {
      yield 'one';
      await side.put('child 1');
      await side.put('child 2');
      yield 'two';
    }
    const seen: string[] = [];
    for await (const item of interleave(main(), side, () => false)) seen.push(item);
    expect(seen).toEqual(['one', 'child 1', 'child 2', 'two']);
  });

  it('makes the writer wait for the reader, and lets go of it when it closes', async () => {
    const side = new Mailbox<number>();
    let taken = false;
    const put = side.put(1).then(() => {
      taken = true;
    });
    await Promise.resolve();
    expect(taken).toBe(false);
    expect(side.take()).toMatchObject({ item: 1 });
    await put;
    expect(taken).toBe(true);
    const waiting = side.put(2);
    side.close();
    await waiting;
    await side.put(3);
    expect(side.take()).toBeUndefined();
  });
});

describe('server-sent events', () => {
  it('frames each event, and ends a failing stream with RUN_ERROR', async () => {
    async function* failing(): AsyncGenerator<AGUIEvent> {
      yield { type: 'SUBAGENT_STARTED', subagentRunId: 'a', name: 'scout' };
      throw new Error('lost');
    }
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const response = toSubagentResponse(failing(), { status: 201, headers: { 'x-mine': '1' }, onError });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-mine')).toBe('1');
    const frames = (await response.text()).split('\n\n');
    expect(frames.pop()).toBe('');
    expect(frames.map((frame) => JSON.parse(frame.replace(/^data: /, '')))).toEqual([
      { type: 'SUBAGENT_STARTED', subagentRunId: 'a', name: 'scout' },
      // What went wrong is the host's to read.
      expect.objectContaining({
        type: 'RUN_ERROR',
        code: 'stream_failed',
        message: expect.not.stringContaining('lost'),
      }),
    ]);
    expect(failures).toEqual([new Error('lost')]);
  });

  it("writes a child's result to the letter, on one line", async () => {
    async function* finished(): AsyncGenerator<AGUIEvent> {
      const result = parseExact('{\n  "id": 1234567890123456789, "rate": 1.10, "note": "a\\nb" }');
      yield { type: 'SUBAGENT_FINISHED', subagentRunId: 'a', result, outcome: { type: 'success' } };
    }
    expect(await toSubagentResponse(finished()).text()).toBe(
      'data: {"type":"SUBAGENT_FINISHED","subagentRunId":"a","outcome":{"type":"success"},"result":{   "id": 1234567890123456789, "rate": 1.10, "note": "a\\nb" }}\n\n',
    );
  });

  it('ends the stream when the client goes away', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<AGUIEvent> {
      try {
        for (;;) yield { type: 'RUN_STARTED', ...RUN };
      } finally {
        ended = true;
      }
    }
    const reader = toSubagentResponse(endless()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(true);
  });

  it('ends the stream behind an event that cannot be written', async () => {
    let ended = false;
    async function* unwritable(): AsyncGenerator<AGUIEvent> {
      try {
        yield { type: 'CUSTOM', name: 'x', value: 1n };
      } finally {
        ended = true;
      }
    }
    expect(await toSubagentResponse(unwritable()).text()).toContain('RUN_ERROR');
    expect(ended).toBe(true);
  });
});

describe('replayed messages', () => {
  const envelope = '{"final_result":1234567890123456789}';

  it('gives back the envelope of a suspended child as it was, from messages of either form', () => {
    const content = suspendedContent(envelope);
    const call = { id: 'c', type: 'function' as const, function: { name: 'scout', arguments: '{}' } };
    const wire = readReplay([
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'tool', toolCallId: 'c', content },
    ]);
    const parts = readReplay([
      {
        id: 'm',
        role: 'assistant',
        parts: [
          { type: 'tool-call', id: 'c', name: 'scout', arguments: '{}', state: 'complete' },
          { type: 'tool-result', toolCallId: 'c', content, state: 'complete' },
        ],
      },
    ]);
    for (const calls of [wire, parts]) {
      expect(calls.get('c')).toEqual({
        toolName: 'scout',
        argumentsText: '{}',
        suspendedEnvelope: envelope,
      });
    }
  });

  it('takes a later result over an earlier wait', () => {
    const call = { id: 'c', type: 'function' as const, function: { name: 'scout', arguments: '{}' } };
    const calls = readReplay([
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'tool', toolCallId: 'c', content: suspendedContent(envelope) },
      { role: 'tool', toolCallId: 'c', content: '{"final_result":1}' },
    ]);
    expect(calls.get('c')).not.toHaveProperty('suspendedEnvelope');
  });

  it("does not take another host's pending result for one of ours", () => {
    expect(isWaitingContent('{"pendingExecution":true}')).toBe(false);
    expect(isWaitingContent('{"subcontract":"{}"}')).toBe(false);
    expect(isWaitingContent('null')).toBe(false);
    expect(isWaitingContent([{ type: 'text', text: suspendedContent('{}') }])).toBe(false);
  });
});

describe('tool schemas', () => {
  it('are marked only where a field may be left out', () => {
    const closed = { type: 'object', properties: { a: {} }, required: ['a'] };
    expect(toolSchema(closed)).toEqual(closed);
    const open = { type: 'object', properties: { a: closed, b: { properties: { c: {} } } }, required: ['a', 'b'] };
    expect(toolSchema(open)).toEqual({ ...open, $defs: {} });
    expect(toolSchema({ properties: { a: {} }, $defs: { x: true } })).toEqual({
      properties: { a: {} },
      $defs: { x: true },
    });
  });
});
