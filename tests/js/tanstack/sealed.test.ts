// A child that waits, sealed: through a client that edits, repeats and mixes up what it carries.
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chat } from '@tanstack/ai';
import { defineAgent, memoryResumeStore, type ResumeStore, type Seal } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { createStorage } from 'unstorage';
import fsDriver from 'unstorage/drivers/fs';
import memoryDriver from 'unstorage/drivers/memory';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { BRIEF, GOOD, scout } from './agents.js';
import {
  Conversation,
  delegating,
  envelopeOf,
  errorOf,
  fetching,
  fetchTool,
  interruptsOf,
  messagesOf,
  resultOf,
} from './conversation.js';
import { ADAPTERS, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { ofType } from './strict-client.js';

const KEYS = [{ id: 'k1', secret: new Uint8Array(32).fill(5) }];
const [, create] = ADAPTERS[0];
const DONE = { status: 'completed', final_result: JSON.parse(GOOD) };

let models: ScriptedModels;
afterEach(() => models.stop());

async function converse(seal: Seal, options: { brief?: string; child?: Script; during?: () => Promise<void> } = {}) {
  const { brief = BRIEF, child = fetching, during } = options;
  models = await ScriptedModels.start(create, { parent: delegating(brief), child });
  const page = fetchTool(during);
  const inputs: unknown[] = [];
  const agent = scout(models, { tools: [page.tool], onRun: ({ input }) => inputs.push(input) });
  return { page, inputs, client: new Conversation(models, agent, seal) };
}

/** The messages of a waiting client, with the token that it carries changed. */
function withToken(waiting: readonly AGUIEvent[], change: (token: string) => string) {
  const token = envelopeOf(waiting).resume_sealed ?? '';
  return messagesOf(waiting).map((message) =>
    message.role === 'tool' ? { ...message, content: String(message.content).replace(token, change(token)) } : message,
  );
}

describe.each([
  ['plain', {}],
  ['encrypted', { encrypt: true }],
  ['in memory', { store: memoryResumeStore() }],
  ['in memory and encrypted', { store: memoryResumeStore(), encrypt: true }],
])('sealed, %s', (_name, options) => {
  it('goes on as the same child from what the client carries', async () => {
    const { client, page, inputs } = await converse({ keys: KEYS, ...options });
    const first = await client.ask();
    const envelope = envelopeOf(first);
    expect(envelope.resume).not.toHaveProperty('state');
    expect(interruptsOf(first)[0]?.metadata).toMatchObject({ subcontract: { resume: envelope.resume_sealed } });
    const second = await client.answer(first);
    expect(resultOf(second)).toMatchObject(DONE);
    expect(page.ran).toEqual(['https://a.example']);
    expect(inputs).toEqual([{ task: 'find the list price of vendor A' }, { task: 'find the list price of vendor A' }]);
    const ids = [first, second].map((events) => ofType(events, 'SUBAGENT_STARTED')[0]?.subagentRunId);
    expect(ids[1]).toBe(ids[0]);
  });

  it('goes on from the metadata of the answer, when the client has kept no message of the call', async () => {
    const { client, page } = await converse({ keys: KEYS, ...options });
    const first = await client.ask();
    const messages = messagesOf(first).filter(({ role }) => role !== 'tool');
    const [interrupt] = interruptsOf(first);
    const waiting = await client.post({
      runId: 'run-2',
      parentRunId: 'run-1',
      messages,
      resume: [{ interruptId: 'another', status: 'cancelled', metadata: interrupt?.metadata }],
    });
    expect(errorOf(waiting)).toBeDefined();
    const second = await client.answer(
      first,
      { status: 'resolved', payload: { approved: true }, metadata: interrupt?.metadata },
      { messages },
    );
    expect(resultOf(second)).toMatchObject(DONE);
    expect(page.ran).toHaveLength(1);
  });

  it('refuses what was changed on the way, before anything runs', async () => {
    const { client, page } = await converse({ keys: KEYS, ...options });
    const first = await client.ask();
    const flip = (token: string) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1);
    const changed = await client.answer(first, undefined, { messages: withToken(first, flip) });
    expect(changed.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(errorOf(changed)).toBe('resume_tampered');
    const cut = await client.answer(first, undefined, { messages: withToken(first, (token) => token.slice(0, -3)) });
    expect(errorOf(cut)).toBe('resume_truncated');
    const elsewhere = await client.answer(first, undefined, { threadId: 'other' });
    expect(errorOf(elsewhere)).toBe('resume_other_thread');
    expect(page.ran).toEqual([]);
    expect(models.requests.child).toHaveLength(1);
  });
});

describe('sealed', () => {
  it("does not take a plain state for a token, nor another user's", async () => {
    const { client, page } = await converse('none');
    const first = await client.ask();
    client.seal = { keys: KEYS };
    expect(errorOf(await client.answer(first))).toBe('resume_unreadable');
    client.seal = { keys: KEYS, bind: 'user-1' };
    const mine = await client.ask();
    client.seal = { keys: KEYS, bind: 'user-2' };
    expect(errorOf(await client.answer(mine))).toBe('resume_other_bind');
    expect(page.ran).toEqual([]);
  });

  it('refuses a state that waits in another call, whose brief is the same', async () => {
    const { client } = await converse({ keys: KEYS });
    const first = await client.ask();
    const messages = JSON.parse(JSON.stringify(messagesOf(first)).replaceAll('call-1', 'call-2'));
    expect(errorOf(await client.answer(first, undefined, { messages }))).toBe('resume_other_tool_call');
  });

  const NO_TOKENS: [string, (envelope: object) => unknown, string][] = [
    ['a token that is a number', (envelope) => ({ ...envelope, resume_sealed: 5 }), 'resume_unreadable'],
    ['a token that is an object', (envelope) => ({ ...envelope, resume_sealed: {} }), 'resume_unreadable'],
    [
      'a state that is a list',
      (envelope) => ({ ...envelope, resume_sealed: null, resume: { state: [1] } }),
      'resume_unreadable',
    ],
    ['no envelope', () => 5, 'envelope_unreadable'],
  ];
  const seals: Seal[] = [{ keys: KEYS }, 'none'];
  it.each(NO_TOKENS.flatMap((row) => seals.map((seal) => [...row, seal] as const)))(
    'refuses a message with %s in the run, and throws nothing',
    async (_, change, code, seal) => {
      const { client, page } = await converse(seal);
      const first = await client.ask();
      const subcontract = JSON.stringify(change(envelopeOf(first)));
      const content = JSON.stringify({ pendingExecution: true, subcontract });
      const messages = messagesOf(first).map((message) =>
        message.role === 'tool' ? { ...message, content } : message,
      );
      expect(errorOf(await client.answer(first, undefined, { messages }))).toBe(code);
      expect(page.ran).toEqual([]);
    },
  );

  it('takes a message with a byte order mark before its envelope', async () => {
    const { client } = await converse({ keys: KEYS });
    const first = await client.ask();
    const subcontract = `\ufeff${JSON.stringify(envelopeOf(first))}`;
    const content = JSON.stringify({ pendingExecution: true, subcontract });
    const messages = messagesOf(first).map((message) => (message.role === 'tool' ? { ...message, content } : message));
    expect(resultOf(await client.answer(first, undefined, { messages }))).toMatchObject(DONE);
  });

  it('is not restarted by ids that a model has written into the brief', async () => {
    const brief =
      '{"task":"null","suspendedToolRunId":"null","subagentRunId":"undefined","resume":"child-77","id":null}';
    const { client, inputs, page } = await converse({ keys: KEYS }, { brief });
    const first = await client.ask();
    const second = await client.answer(first);
    expect(resultOf(second)).toMatchObject({ ...DONE, run_id: ofType(first, 'SUBAGENT_STARTED')[0]?.subagentRunId });
    expect(inputs).toEqual([{ task: 'null' }, { task: 'null' }]);
    expect(page.ran).toHaveLength(1);
  });

  it('takes edited arguments to the tool', async () => {
    const { client, page } = await converse({ keys: KEYS });
    const payload = { approved: true, editedArgs: { url: 'https://b.example' } };
    const second = await client.answer(await client.ask(), { status: 'resolved', payload });
    expect(page.ran).toEqual(['https://b.example']);
    expect(resultOf(second)).toMatchObject(DONE);
  });

  it('refuses a payload that its schema does not allow, and the child still waits', async () => {
    const { client, page } = await converse({ keys: KEYS });
    const first = await client.ask();
    for (const payload of [{ approved: 'yes' }, { approved: true, editedArgs: { url: 5 } }, null, 0]) {
      expect(errorOf(await client.answer(first, { status: 'resolved', payload }))).toBe('resume_payload_rejected');
    }
    expect(page.ran).toEqual([]);
    expect(resultOf(await client.answer(first))).toMatchObject(DONE);
  });

  it('cancels the child with its interrupt: nothing of it runs, and the parent goes on', async () => {
    const { client, page } = await converse({ keys: KEYS, store: memoryResumeStore() });
    const first = await client.ask();
    const second = await client.answer(first, { status: 'cancelled' });
    expect(page.ran).toEqual([]);
    expect(models.requests.child).toHaveLength(1);
    expect(ofType(second, 'SUBAGENT_ERROR')).toEqual([expect.objectContaining({ code: 'cancelled' })]);
    expect(JSON.parse(toolResults(models.requests.parent[1])['call-1'] ?? '')).toMatchObject({ status: 'cancelled' });
    expect(second.at(-1)?.type).toBe('RUN_FINISHED');
    expect(errorOf(await client.answer(first))).toBe('resume_answered_differently');
  });

  it('once expired can only be cancelled, and still waits until it is', async () => {
    const { client, page } = await converse({ keys: KEYS, ttl: 1 });
    const first = await client.ask();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(errorOf(await client.answer(first))).toBe('resume_expired');
    const waiting = await client.answer(first, undefined, { resume: undefined });
    expect(interruptsOf(waiting).map(({ id }) => id)).toEqual(interruptsOf(first).map(({ id }) => id));
    const cancelled = await client.answer(waiting, { status: 'cancelled' });
    expect(ofType(cancelled, 'SUBAGENT_ERROR')).toEqual([expect.objectContaining({ code: 'cancelled' })]);
    expect(page.ran).toEqual([]);
  });

  it('fails when it is too large, and says what would help', async () => {
    const { client } = await converse({ keys: KEYS, maxBytes: 100 });
    expect(ofType(await client.ask(), 'SUBAGENT_ERROR')).toEqual([
      expect.objectContaining({ code: 'resume_too_large', message: expect.stringContaining('store') }),
    ]);
  });
});

describe('at most once', () => {
  it('of two resumes at the same time one runs', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { client, page } = await converse({ keys: KEYS, store: memoryResumeStore() }, { during: () => held });
    const first = await client.ask();
    const both = [client.answer(first), client.answer(first, undefined, { runId: 'run-3' })];
    const early = await Promise.race(both);
    expect(errorOf(early)).toBe('resume_in_progress');
    release();
    const ends = await Promise.all(both);
    expect(ends.filter((events) => errorOf(events) !== undefined)).toEqual([early]);
    expect(resultOf(ends.find((events) => events !== early) ?? [])).toMatchObject(DONE);
    expect(page.ran).toHaveLength(1);
  });

  it('of two resumes of two children one gets both, however the requests fall in between each other', async () => {
    const store = memoryResumeStore();
    const keys: string[] = [];
    const slow: ResumeStore = {
      ...store,
      // Who asks first for the second child is the last to hear of it.
      claim: async (key, options) => {
        const isFirst = !keys.includes(key);
        if (isFirst) keys.push(key);
        if (isFirst && keys.length === 2) await new Promise((resolve) => setTimeout(resolve, 50));
        return store.claim(key, options);
      },
    };
    const vendors = ['A', 'B'];
    const parent: Script = (request) =>
      Object.keys(toolResults(request)).length > 0
        ? { text: 'done' }
        : {
            calls: vendors.map((vendor) => ({
              id: `call-${vendor}`,
              name: 'scout',
              arguments: `{"task":"${vendor}"}`,
            })),
          };
    models = await ScriptedModels.start(ADAPTERS[0][1], { parent, child: fetching });
    const page = fetchTool();
    const agent = scout(models, { tools: [page.tool] });
    const client = new Conversation(models, agent, { keys: KEYS, store: slow });
    const first = await client.ask();
    expect(interruptsOf(first)).toHaveLength(2);
    const ends = await Promise.all([client.answer(first), client.answer(first, undefined, { runId: 'run-3' })]);
    expect(ends.map(errorOf).filter((code) => code !== undefined)).toEqual(['resume_in_progress']);
    const [done = []] = ends.filter((events) => errorOf(events) === undefined);
    expect(ofType(done, 'SUBAGENT_FINISHED').map(({ result }) => result)).toMatchObject([DONE, DONE]);
    expect(page.ran).toHaveLength(2);
  });

  it('a result that was lost on its way comes again, and costs nothing', async () => {
    const { client, page } = await converse({ keys: KEYS, store: memoryResumeStore() });
    const first = await client.ask();
    const second = await client.answer(first);
    const requests = models.requests.child.length;
    const again = await client.answer(first, undefined, { runId: 'run-3' });
    expect(resultOf(again)).toEqual(resultOf(second));
    expect(ofType(again, 'TOOL_CALL_RESULT')[0]?.content).toBe(ofType(second, 'TOOL_CALL_RESULT').at(-1)?.content);
    expect(models.requests.child).toHaveLength(requests);
    expect(page.ran).toHaveLength(1);
    const metadata = ofType(again, 'RUN_FINISHED')[0]?.metadata as { subcontract?: object } | undefined;
    expect(metadata?.subcontract).toBeUndefined();
    const denied = await client.answer(first, { status: 'resolved', payload: { approved: false } });
    expect(errorOf(denied)).toBe('resume_answered_differently');
  });

  it('a child that waits again has another state, and the first one leads to it', async () => {
    const child: Script = (request) => {
      const fetched = Object.keys(toolResults(request)).length;
      return fetched < 2
        ? { calls: [{ id: `fetch-${fetched + 1}`, name: 'fetch_page', arguments: `{"url":"u${fetched + 1}"}` }] }
        : { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] };
    };
    const { client, page } = await converse({ keys: KEYS, store: memoryResumeStore() }, { child });
    const first = await client.ask();
    const second = await client.answer(first);
    const again = await client.answer(first, undefined, { runId: 'run-2-again' });
    expect(envelopeOf(again)).toEqual(envelopeOf(second));
    expect(envelopeOf(second).resume_sealed).not.toBe(envelopeOf(first).resume_sealed);
    const third = await client.answer(second, undefined, { runId: 'run-3', parentRunId: 'run-2' });
    expect(resultOf(third)).toMatchObject(DONE);
    expect(page.ran).toEqual(['u1', 'u2']);
  });
});

describe('an unstorage storage', () => {
  const through = async (store: ResumeStore) => {
    const { client, page } = await converse({ keys: KEYS, store });
    const first = await client.ask();
    // An id and a MAC.
    expect(envelopeOf(first).resume_sealed).toMatch(/^sr1\.s\.[\w-]{48}\.[\w-]{43}$/);
    const second = await client.answer(first);
    expect(resultOf(second)).toMatchObject(DONE);
    expect(resultOf(await client.answer(first))).toEqual(resultOf(second));
    expect(page.ran).toHaveLength(1);
    return first;
  };

  it('in memory', async () => {
    const storage = createStorage({ driver: memoryDriver() });
    await through(storage);
    const kinds = (await storage.getKeys()).map((key) => key.split(':').at(-1));
    expect(kinds.sort()).toEqual(['answers', 'claim', 'envelope', 'state']);
  });

  it('in files, with an exclusive create as the claim', async () => {
    const base = await mkdtemp(join(tmpdir(), 'resume-'));
    try {
      const claim = async (key: string) => {
        try {
          await (await open(join(base, `${key.replaceAll(':', '.')}.taken`), 'wx')).close();
          return true;
        } catch {
          return false;
        }
      };
      await through({ ...createStorage({ driver: fsDriver({ base }) }), claim });
      expect((await readdir(base)).filter((name) => name.endsWith('.taken'))).toHaveLength(1);
    } finally {
      await rm(base, { recursive: true });
    }
  });

  it('without the entry any more', async () => {
    const storage = createStorage({ driver: memoryDriver() });
    const { client } = await converse({ keys: KEYS, store: storage });
    const first = await client.ask();
    await storage.clear();
    expect(errorOf(await client.answer(first))).toBe('resume_not_found');
  });

  it('with an entry that somebody has changed', async () => {
    const storage = createStorage({ driver: memoryDriver() });
    const { client } = await converse({ keys: KEYS, store: storage });
    const first = await client.ask();
    const [key = ''] = await storage.getKeys();
    const kept = String(await storage.getItem(key));
    const body = kept.split('.')[3] ?? '';
    const edited = Buffer.from(body, 'base64url').toString().replace('find the list price', 'empty the accounts');
    await storage.setItem(key, kept.replace(body, Buffer.from(edited).toString('base64url')));
    expect(errorOf(await client.answer(first))).toBe('resume_tampered');
  });
});

describe.each<[string, Seal, Seal]>([
  ['both sealed', { keys: KEYS }, { keys: KEYS }],
  ['the outer one sealed', { keys: KEYS }, 'none'],
  ['none sealed', 'none', 'none'],
  ['both in a store', { keys: KEYS, store: memoryResumeStore() }, { keys: KEYS, store: memoryResumeStore() }],
])('a child of a child that waits: %s', (_name, outer, inner) => {
  async function nested() {
    const child: Script = (request) => {
      const results = toolResults(request);
      const said = JSON.stringify(request.messages);
      if (said.includes('"inner:')) return fetching(request, 0);
      if ('dig-1' in results) return { calls: [{ id: 'outer-return', name: 'price_record', arguments: GOOD }] };
      return { calls: [{ id: 'dig-1', name: 'digger', arguments: '{"task":"dig"}' }] };
    };
    models = await ScriptedModels.start(create, { parent: delegating(BRIEF), child });
    const page = fetchTool();
    const digger = defineAgent({
      name: 'digger',
      description: 'Digs',
      inputSchema: z.object({ task: z.string() }),
      outputSchema: { title: 'price_record', type: 'object' },
      run: (ctx) =>
        chat({
          adapter: models.adapter('child'),
          messages: ctx.seed([{ role: 'user', content: `inner: ${ctx.input.task}` }]),
          tools: [page.tool, ...ctx.tools],
          threadId: ctx.threadId,
          runId: ctx.runId,
          parentRunId: ctx.parentRunId,
          resume: ctx.resume,
        }),
    });
    const agent = defineAgent({
      name: 'scout',
      description: 'Finds prices',
      inputSchema: z.object({ task: z.string() }),
      outputSchema: { title: 'price_record', type: 'object' },
      run: (ctx) =>
        chatWithSubagents({
          adapter: models.adapter('child'),
          messages: ctx.seed([{ role: 'user', content: ctx.input.task }]),
          tools: [...ctx.tools],
          threadId: ctx.threadId,
          runId: ctx.runId,
          parentRunId: ctx.parentRunId,
          resume: ctx.resume,
          subagents: { agents: [digger], seal: inner },
        }),
    });
    return { page, client: new Conversation(models, agent, outer) };
  }

  it('both go on, each as itself', async () => {
    const { client, page } = await nested();
    const first = await client.ask();
    const [scoutId, diggerId] = ofType(first, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
    expect(interruptsOf(first)).toEqual([expect.objectContaining({ subagentRunId: diggerId })]);
    const second = await client.answer(first);
    expect(ofType(second, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId)).toEqual([scoutId, diggerId]);
    expect(page.ran).toEqual(['https://a.example']);
    expect(resultOf(second)).toMatchObject({ ...DONE, run_id: scoutId });
  });

  it('a cancelled interrupt cancels its own child, and the one above goes on', async () => {
    const { client, page } = await nested();
    const first = await client.ask();
    const [scoutId, diggerId] = ofType(first, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId);
    const second = await client.answer(first, { status: 'cancelled' });
    expect(page.ran).toEqual([]);
    expect(ofType(second, 'SUBAGENT_ERROR')).toEqual([
      expect.objectContaining({ subagentRunId: diggerId, code: 'cancelled' }),
    ]);
    expect(resultOf(second)).toMatchObject({ ...DONE, run_id: scoutId });
  });
});
