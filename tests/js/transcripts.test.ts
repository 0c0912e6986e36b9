// Transcripts: recorded from a child's events, kept in each kind of store, handed out by the span tool.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defineAgent,
  delegate,
  memoryTranscripts,
  recordTranscripts,
  TranscriptRecorder,
  type TranscriptStore,
  transcriptSpanTool,
  unstorageTranscripts,
} from 'subcontract';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import memoryDriver from 'unstorage/drivers/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcripts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const stores: [string, () => TranscriptStore][] = [
  ['memory', () => memoryTranscripts()],
  ["unstorage's memory", () => unstorageTranscripts(createStorage({ driver: memoryDriver() }))],
  ["unstorage's file system", () => unstorageTranscripts(createStorage({ driver: fsDriver({ base: folder }) }))],
  [
    'a storage of plain texts',
    () => {
      const texts = new Map<string, string>();
      return unstorageTranscripts({
        getItem: async (key) => texts.get(key) ?? null,
        setItem: async (key, value) => void texts.set(key, value),
      });
    },
  ],
];

const LONG = `start ${'lorem ipsum '.repeat(2000)} end 🙂`;

/** A child that makes two calls and says something. */
const agent = defineAgent({
  name: 'reader',
  description: 'Reads.',
  async *run() {
    yield { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant' };
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I look ' };
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'it up.' };
    yield { type: 'TEXT_MESSAGE_END', messageId: 'm1' };
    for (const [id, args, content] of [
      ['c1', '{"path":"a.ts"}', '{"__proto__":1,"secret":"hunter2"}'],
      ['c2', '{"path":"b.ts"}', LONG],
    ] as const) {
      yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'read' };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args.slice(0, 4) };
      yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: args.slice(4) };
      yield { type: 'TOOL_CALL_END', toolCallId: id };
      yield { type: 'TOOL_CALL_RESULT', messageId: `r-${id}`, toolCallId: id, content };
    }
  },
});

async function record(store: TranscriptStore, threadId = 't'): Promise<string> {
  const delegation = delegate(agent, undefined, { threadId });
  for await (const _ of recordTranscripts(delegation, { store, threadId }));
  return (await delegation.envelope).run_id;
}

const answer = async (tool: ReturnType<typeof transcriptSpanTool>, args: unknown) =>
  JSON.parse(await tool.execute(args)) as Record<string, unknown>;

describe.each(stores)('transcripts in %s', (_name, create) => {
  it('are recorded under the run id, with each call and its result', async () => {
    const store = create();
    const ref = await record(store);
    expect(await store.load(ref)).toEqual({
      ref,
      threadId: 't',
      subagent: 'reader',
      entries: [
        { type: 'text', text: 'I look it up.' },
        { type: 'call', id: 'c1', name: 'read', args: '{"path":"a.ts"}', result: '{"__proto__":1,"secret":"hunter2"}' },
        { type: 'call', id: 'c2', name: 'read', args: '{"path":"b.ts"}', result: LONG },
      ],
    });
    const tool = transcriptSpanTool({ store, threadId: 't' });
    expect(await answer(tool, { ref, tool_call_id: 'c1' })).toEqual({
      ref,
      tool_call_id: 'c1',
      tool: 'read',
      args: '{"path":"a.ts"}',
      result: '{"__proto__":1,"secret":"hunter2"}',
    });
  });

  it('keep a handle in its place', async () => {
    const store = create();
    const long = ['x'.repeat(1000), 'x'.repeat(1001), '🙂'.repeat(60)];
    for (const ref of ['../../escape', 'a:b', 'a/b', '', '.', '%2e', '🙂', ...long]) {
      await store.save({ ref, threadId: 't', entries: [{ type: 'text', text: ref }] });
      expect(await store.load(ref)).toMatchObject({ ref });
    }
    expect(await store.load('nobody')).toBeUndefined();
    expect((await readdir(join(folder, '..'))).includes('escape')).toBe(false);
  });
});

describe('the recorder', () => {
  it('goes on where a suspended child was', async () => {
    const store = memoryTranscripts();
    const tagged = (...events: object[]) =>
      (async function* () {
        for (const event of events) yield { ...event, subagentRunId: 's' } as object as { type: string };
      })();
    const run = async (events: AsyncIterable<{ type: string }>) => {
      for await (const _ of recordTranscripts(events, { store, threadId: 't' }));
    };
    await run(
      tagged(
        { type: 'SUBAGENT_STARTED', name: 'asker' },
        { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' },
        { type: 'SUBAGENT_FINISHED', outcome: { type: 'suspended' } },
      ),
    );
    await run(tagged({ type: 'TOOL_CALL_RESULT', toolCallId: 'c', messageId: 'm', content: 'paid' }));
    expect(await store.load('s')).toEqual({
      ref: 's',
      threadId: 't',
      subagent: 'asker',
      entries: [{ type: 'call', id: 'c', name: 'pay', args: '{}', result: 'paid' }],
    });
  });

  it('keeps the calls and texts of each run apart when a child that is run again counts them anew', async () => {
    const store = memoryTranscripts();
    const again = defineAgent({
      name: 'again',
      description: 'Returns late.',
      outputSchema: { type: 'object' },
      async *run({ attempt }) {
        yield { type: 'TOOL_CALL_START', toolCallId: 'call_1', toolCallName: 'read' };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: 'call_1', delta: `{"page":${attempt}}` };
        yield { type: 'TOOL_CALL_END', toolCallId: 'call_1' };
        yield { type: 'TOOL_CALL_RESULT', messageId: `r${attempt}`, toolCallId: 'call_1', content: `page ${attempt}` };
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: attempt === 1 ? 'Not yet.' : '{}' };
        yield { type: 'TEXT_MESSAGE_END', messageId: 'm' };
      },
    });
    const entries = [
      { type: 'call', id: 'call_1', name: 'read', args: '{"page":1}', result: 'page 1' },
      { type: 'text', text: 'Not yet.' },
      { type: 'call', id: 'call_1#2', name: 'read', args: '{"page":2}', result: 'page 2' },
      { type: 'text', text: '{}' },
    ];
    for await (const _ of recordTranscripts(delegate(again, undefined, { subagentRunId: 'r' }), {
      store,
      threadId: 't',
    }));
    expect((await store.load('r'))?.entries).toEqual(entries);
    const tool = transcriptSpanTool({ store, threadId: 't' });
    expect(await answer(tool, { ref: 'r', tool_call_id: 'call_1' })).toMatchObject({ result: 'page 1' });
    expect(await answer(tool, { ref: 'r', tool_call_id: 'call_1#2' })).toMatchObject({ result: 'page 2' });
    // So does a later recording. A result that comes later still is the latest call's.
    const later = async (...events: object[]) => {
      const recorder = new TranscriptRecorder({ store, threadId: 't' });
      for (const event of events) await recorder.push({ ...event, subagentRunId: 'r' } as object as { type: string });
      await recorder.flush();
      return (await store.load('r'))?.entries.slice(entries.length);
    };
    const start = { type: 'TOOL_CALL_START', toolCallId: 'call_1', toolCallName: 'list' };
    const call = { type: 'call', name: 'list', args: '' };
    expect(await later(start, start)).toEqual([
      { ...call, id: 'call_1#3' },
      { ...call, id: 'call_1#4' },
    ]);
    expect(await later({ type: 'TOOL_CALL_RESULT', toolCallId: 'call_1', messageId: 'm', content: 'x' })).toEqual([
      { ...call, id: 'call_1#3' },
      { ...call, id: 'call_1#4', result: 'x' },
    ]);
    expect((await store.load('r'))?.entries.slice(0, entries.length)).toEqual(entries);
  });

  it('has saved before it passes the end on, and when it is left early', async () => {
    const store = memoryTranscripts();
    const delegation = delegate(agent, undefined, { subagentRunId: 'early' });
    for await (const event of recordTranscripts(delegation, { store, threadId: 't' })) {
      if (event.type === 'SUBAGENT_FINISHED') expect(await store.load('early')).toBeDefined();
    }
    const left = delegate(agent, undefined, { subagentRunId: 'left' });
    for await (const event of recordTranscripts(left, { store, threadId: 't' })) {
      if (event.type === 'TOOL_CALL_START') break;
    }
    expect(await store.load('left')).toMatchObject({ entries: [{ text: 'I look it up.' }, { id: 'c1' }] });
    expect((await left.envelope).status).toBe('cancelled');
  });

  it('says when the store fails, or goes on if it is told to', async () => {
    const failure = new Error('full');
    const store: TranscriptStore = { load: async () => undefined, save: () => Promise.reject(failure) };
    await expect(record(store)).rejects.toThrow(failure);
    const errors: unknown[] = [];
    const events = recordTranscripts(delegate(agent), { store, threadId: 't', onError: (error) => errors.push(error) });
    for await (const _ of events);
    expect(errors).toEqual([failure]);
  });

  it('saves the other children when the store fails for one, and hides no failure of the run behind it', async () => {
    const memory = memoryTranscripts();
    const failure = new Error('full');
    const store: TranscriptStore = {
      load: memory.load,
      save: async (transcript) => (transcript.ref === 'a' ? Promise.reject(failure) : memory.save(transcript)),
    };
    const said = (ref: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: ref, subagentRunId: ref });
    async function* events(end?: Error) {
      yield* ['a', 'b'].map(said);
      if (end !== undefined) throw end;
    }
    const drain = async (stream: AsyncIterable<{ type: string }>) => {
      for await (const _ of recordTranscripts(stream, { store, threadId: 't' }));
    };
    await expect(drain(events())).rejects.toBe(failure);
    expect(await memory.load('b')).toMatchObject({ entries: [{ text: 'b' }] });
    const ended = new Error('the run broke');
    await expect(drain(events(ended))).rejects.toBe(ended);
  });

  it('takes whatever it is given, and keeps what can be read of it', async () => {
    const store = memoryTranscripts();
    const recorder = new TranscriptRecorder({ store, threadId: 't' });
    const circular: Record<string, unknown> = { type: 'text' };
    circular.self = circular;
    const throwing = {
      get type(): string {
        throw new Error('a getter');
      },
      subagentRunId: 's',
    };
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const values = [
      undefined,
      null,
      0,
      7,
      10n,
      '',
      'x',
      Symbol('s'),
      () => 1,
      [],
      [null, { type: Symbol('s') }, { text: 'part' }],
      {},
      circular,
      revoked.proxy,
      new Date(Number.NaN),
      { toJSON: () => 1n },
    ];
    for (const value of [...values, throwing]) await recorder.push(value);
    const types = ['SUBAGENT_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_CHUNK']
      .concat(['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_CHUNK', 'TOOL_CALL_END', 'TOOL_CALL_RESULT'])
      .concat(['RUN_STARTED', 'CUSTOM', 'toString', '__proto__', 'SUBAGENT_ERROR']);
    const fields = ['name', 'messageId', 'toolCallId', 'toolCallName', 'delta', 'content', 'role', 'subagentRunId'];
    // The same mistakes each time, of every kind: a member left out, or of another type.
    let seed = 7;
    const draw = <T>(from: readonly T[]): T => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return from[Math.floor((seed / 2 ** 32) * from.length)] as T;
    };
    for (let count = 0; count < 5000; count += 1) {
      const event: Record<string, unknown> = { subagentRunId: draw(['s', 's', 's', 'other']), type: draw(types) };
      for (const field of fields) {
        const kind = draw(['missing', 'text', 'wrong']);
        if (kind === 'text' && field !== 'subagentRunId') event[field] = draw(['a', 'b', '__proto__', 's:a', '']);
        if (kind === 'wrong' && draw([true, false, false, false])) event[field] = draw(values);
      }
      await recorder.push(event);
    }
    await recorder.push({ type: 'TOOL_CALL_START', subagentRunId: 's', toolCallId: 'last', toolCallName: 'read' });
    await recorder.push({ type: 'TOOL_CALL_RESULT', subagentRunId: 's', toolCallId: 'last', content: circular });
    await recorder.flush();
    const kept = await store.load('s');
    for (const entry of kept?.entries ?? []) {
      const texts = entry.type === 'call' ? [entry.id, entry.name, entry.args, entry.result ?? ''] : [entry.text];
      expect(texts.every((text) => typeof text === 'string')).toBe(true);
    }
    expect(kept?.entries.at(-1)).toEqual({ type: 'call', id: 'last', name: 'read', args: '', result: '[object]' });
    const tool = transcriptSpanTool({ store, threadId: 't' });
    expect(await answer(tool, { ref: 's', tool_call_id: 'last' })).toMatchObject({ tool: 'read', result: '[object]' });
  });

  it('breaks no stream that has what is no event in it', async () => {
    const store = memoryTranscripts();
    const given = [null, { type: 'TOOL_CALL_START', subagentRunId: 's' }, { type: 'CUSTOM', subagentRunId: 4 }, 'text'];
    const passed: unknown[] = [];
    const stream = (async function* () {
      yield* given as { type: string }[];
    })();
    for await (const event of recordTranscripts(stream, { store, threadId: 't' })) passed.push(event);
    expect(passed).toEqual(given);
    expect(await store.load('s')).toEqual({ ref: 's', threadId: 't', entries: [] });
  });

  it('lets the oldest go from memory', async () => {
    const store = memoryTranscripts({ limit: 2 });
    for (const ref of ['a', 'b', 'c']) await store.save({ ref, threadId: 't', entries: [] });
    expect(await store.load('a')).toBeUndefined();
    expect(await store.load('c')).toBeDefined();
  });
});

describe('the span tool', () => {
  const store = memoryTranscripts();
  let ref: string;
  beforeAll(async () => {
    ref = await record(store);
  });
  const countTokens = (text: string) => Math.ceil(text.length / 4);

  it('cuts in sight, within the tokens', async () => {
    const tool = transcriptSpanTool({ store, threadId: 't', countTokens, maxTokens: 300 });
    for (const max_tokens of [undefined, 120, 1, 1e9]) {
      const text = await tool.execute({ ref, tool_call_id: 'c2', max_tokens });
      expect(countTokens(text)).toBeLessThanOrEqual(max_tokens === 120 ? 120 : max_tokens === 1 ? 100 : 300);
      const { result, cut } = JSON.parse(text) as { result: string; cut: string };
      expect(result).toMatch(/^start lorem .* \[…\]$/);
      expect(cut).toContain(`are ${countTokens(LONG) + countTokens('{"path":"b.ts"}')}`);
    }
  });

  it('never cuts through a character', async () => {
    await store.save({
      ref: 'emoji',
      threadId: 't',
      entries: [{ type: 'call', id: 'c', name: 'n', args: '🙂'.repeat(900), result: '🙂'.repeat(900) }],
    });
    for (let maxTokens = 100; maxTokens < 140; maxTokens += 1) {
      const tool = transcriptSpanTool({ store, threadId: 't', countTokens, maxTokens });
      const text = await tool.execute({ ref: 'emoji', tool_call_id: 'c' });
      expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
      expect(text).not.toMatch(/\\ud[89a-f]/);
    }
  });

  it('redacts the whole text before it cuts, and shows nothing when that fails', async () => {
    const tool = transcriptSpanTool({
      store,
      threadId: 't',
      redact: (text, { part, call }) => (part === 'result' ? text.replace('hunter2', `<${call.name}>`) : text),
    });
    expect((await answer(tool, { ref, tool_call_id: 'c1' })).result).toBe('{"__proto__":1,"secret":"<read>"}');
    const failing = transcriptSpanTool({
      store,
      threadId: 't',
      redact: (text) => {
        throw new Error(text);
      },
    });
    expect(await answer(failing, { ref, tool_call_id: 'c1' })).toEqual({ error: 'the span cannot be shown' });
  });

  it('answers an unknown call with the known ones, as many as fit', async () => {
    const tool = transcriptSpanTool({ store, threadId: 't', countTokens });
    expect(await answer(tool, { ref, tool_call_id: 'c9' })).toEqual({
      error: 'there is no such tool call in this transcript',
      known: [
        { id: 'c1', tool: 'read' },
        { id: 'c2', tool: 'read' },
      ],
    });
    const entries = Array.from({ length: 500 }, (_, at) => ({
      type: 'call' as const,
      id: `call-${at}`,
      name: 'n',
      args: '',
    }));
    await store.save({ ref: 'many', threadId: 't', entries });
    const text = await tool.execute({ ref: 'many', tool_call_id: 'x' });
    expect(countTokens(text)).toBeLessThanOrEqual(1000);
    const { known, more } = JSON.parse(text) as { known: object[]; more: number };
    expect(known.length + more).toBe(500);
    expect(known.length).toBeGreaterThan(50);
  });

  it("does not tell another thread's handle from none", async () => {
    const none = { error: 'there is no such transcript in this thread' };
    const tool = transcriptSpanTool({ store, threadId: 'other' });
    expect(await answer(tool, { ref, tool_call_id: 'c1' })).toEqual(none);
    expect(await answer(tool, { ref: 'nobody', tool_call_id: 'c1' })).toEqual(none);
    expect(await answer(tool, { ref: 'x'.repeat(10_000), tool_call_id: 'c1' })).toEqual(none);
    // Nor can another thread write into it.
    await expect(record({ load: store.load, save: store.save }, 'other')).resolves.toBeDefined();
    const stolen = delegate(agent, undefined, { subagentRunId: ref, threadId: 'other' });
    await expect(
      (async () => {
        for await (const _ of recordTranscripts(stolen, { store, threadId: 'other' }));
      })(),
    ).rejects.toThrow("is another thread's");
  });

  it.each([undefined, null, {}, { ref: 1, tool_call_id: 'c1' }, 'text', []])(
    'answers %j with what it needs',
    async (args) => {
      const tool = transcriptSpanTool({ store, threadId: 't' });
      expect(await answer(tool, args)).toEqual({ error: 'ref and tool_call_id must be strings' });
    },
  );

  it.each([undefined, 5, {}])('shows nothing for a redaction that gives %j in place of a text', async (redacted) => {
    const tool = transcriptSpanTool({ store, threadId: 't', redact: () => redacted as never });
    expect(await answer(tool, { ref, tool_call_id: 'c1' })).toEqual({ error: 'the span cannot be shown' });
  });

  it('tells the host what failed, and the model only that it did', async () => {
    const failure = new Error('db://user:password@host');
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const down: TranscriptStore = { load: () => Promise.reject(failure), save: async () => {} };
    const cut = unstorageTranscripts({ getItem: async () => '{"entries":["hunter2', setItem: async () => {} });
    const tools = [
      transcriptSpanTool({ store: down, threadId: 't', onError }),
      transcriptSpanTool({ store: cut, threadId: 't', onError }),
      transcriptSpanTool({ store, threadId: 't', onError, countTokens: () => -1 }),
      transcriptSpanTool({ store, threadId: 't', onError, countTokens: () => Number.NaN }),
    ];
    for (const tool of tools) {
      for (const tool_call_id of ['c1', 'unknown']) {
        expect(await answer(tool, { ref, tool_call_id })).toEqual({ error: 'the span cannot be shown' });
      }
    }
    expect(errors.slice(0, 2)).toEqual([failure, failure]);
    expect(errors).toHaveLength(8);
    expect(String(errors)).not.toContain('hunter2');
  });

  it('cuts a name that a model made up, and says when an id alone is too long', async () => {
    const name = 'n'.repeat(1_000_000);
    const entries = [name, 'c'].map((id) => ({ type: 'call' as const, id, name, args: '{}', result: 'r' }));
    await store.save({ ref: 'named', threadId: 't', entries });
    const tool = transcriptSpanTool({ store, threadId: 't', countTokens });
    expect(await answer(tool, { ref: 'named', tool_call_id: 'c' })).toMatchObject({
      result: 'r',
      tool: `${'n'.repeat(100)} […]`,
    });
    expect(await answer(tool, { ref: 'named', tool_call_id: name })).toEqual({
      error: '1000 tokens are too few for this call',
    });
  });

  it('takes no thread for a thread', () => {
    const threadId = undefined as unknown as string;
    expect(() => transcriptSpanTool({ store, threadId })).toThrow('threadId must be a string');
    expect(() => new TranscriptRecorder({ store, threadId })).toThrow('threadId must be a string');
  });

  it('refuses a cap that is too small to say anything', () => {
    expect(() => transcriptSpanTool({ store, threadId: 't', maxTokens: 10 })).toThrow(RangeError);
  });
});
