// A child that waits under a host that runs it itself: TanStack AI's real chat(), suspended in one run and resumed in the next.
import { chat, type Tool } from '@tanstack/ai';
import { type AgentContext, defineAgent, memoryResumeStore, type Seal } from 'subcontract';
import { type AGUIEvent, lintEvents } from 'subcontract/ag-ui';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectReadable } from '../ag-ui/readers.js';
import { soon } from '../delegate/strict-client.js';
import { approvedFetch, BAD, GOOD, PRICE } from '../tanstack/agents.js';
import { ADAPTERS, type Script, ScriptedModels, type Turn, toolResults } from '../tanstack/scripted-model.js';
import { answering, type Form } from './client.js';
import { type Call, type Continued, EmulatedHost, type HostRun } from './emulated-host.js';

const KEYS = [{ id: 'k', secret: new Uint8Array(32).fill(4) }];
const CALL: Call = { agent: 'scout', input: { task: 'find the price' } };
const PARENT = [
  { role: 'user', content: 'price of A?' },
  { role: 'assistant', content: 'Asking.' },
];

/** Returns what is not good enough, then fetches, which asks a person, then returns. */
const wary: Script = (request) => {
  const results = toolResults(request);
  if (!('return-1' in results))
    return { text: 'A guess.', calls: [{ id: 'return-1', name: 'price_record', arguments: BAD }] };
  if (!('fetch-1' in results)) {
    return {
      text: 'Looking.',
      calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }],
    };
  }
  return { calls: [{ id: 'return-2', name: 'price_record', arguments: GOOD }] };
};

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  let page: ReturnType<typeof approvedFetch>;
  const contexts: AgentContext[] = [];
  afterEach(() => models.stop());

  const scout = (more: object = {}, tools: Tool[] = [page.tool]) =>
    defineAgent({
      name: 'scout',
      description: 'Finds prices',
      inputSchema: z.object({ task: z.string() }),
      outputSchema: PRICE,
      earlyReject: false,
      run: (ctx) => {
        contexts.push(ctx);
        return chat({
          adapter: models.adapter('child'),
          messages: ctx.seed([{ role: 'user', content: ctx.input.task }]),
          threadId: ctx.threadId,
          runId: ctx.runId,
          parentRunId: ctx.parentRunId,
          resume: ctx.resume,
          tools: [...tools, ...ctx.tools],
        });
      },
      ...more,
    });

  async function start(seal: Seal | undefined, more: object = {}, script: Script = wary) {
    models = await ScriptedModels.start(create, { parent: () => ({ text: '' }), child: script });
    page = approvedFetch();
    contexts.length = 0;
    const host = new EmulatedHost('newest', [scout({ ...(seal && { seal }), ...more })]);
    const waiting = await run(host, CALL);
    return { host, waiting };
  }

  async function run(
    host: EmulatedHost,
    call: Call,
    continued?: Continued,
    earlier: AGUIEvent[] = [],
  ): Promise<HostRun> {
    const done = await soon(host.delegate(call, PARENT, continued));
    if (!continued) await expectReadable(done.events);
    const found = lintEvents(done.events, { earlier, ...(continued && { resume: continued.resume as never }) });
    expect(
      found.filter(({ severity }) => severity === 'error').map(({ rule, message }) => `${rule}: ${message}`),
    ).toEqual([]);
    return done;
  }

  const resumed = (host: EmulatedHost, waiting: HostRun, how: Parameters<typeof answering>[1], call = CALL) =>
    run(host, call, answering(waiting, how), waiting.events);

  const completed = { result: { subagent: 'scout', final_result: JSON.parse(GOOD) } };
  const error = (done: HostRun) => done.events.find((event) => event.type === 'SUBAGENT_ERROR');

  test.each<[string, Seal, Form, boolean]>([
    ['from its messages alone, as the wire has them', 'none', 'model messages', false],
    ['from its messages alone, as the client has them', 'none', 'UI messages', false],
    ['from its state, which the client carries', 'none', 'UI messages', true],
    ['from its sealed state, which the client carries', { keys: KEYS }, 'model messages', true],
    ['from its sealed state in a store', { keys: KEYS, store: memoryResumeStore() }, 'model messages', false],
    [
      'from its sealed state in a store, though the client carries it too',
      { keys: KEYS, store: memoryResumeStore() },
      'UI messages',
      true,
    ],
  ])('it goes on %s', async (_how, seal, form, carry) => {
    const { host, waiting } = await start(seal);
    expect(waiting.toolResult).toBeUndefined();
    expect(waiting.interrupts).toEqual([expect.objectContaining({ subagentRunId: waiting.subagentRunId })]);
    expect(page.ran).toEqual([]);

    const done = await resumed(host, waiting, { form, carry });
    expect(done.toolResult).toMatchObject(completed);
    expect(page.ran).toEqual(['https://a.example']);
    // The brief, its own history, and nothing of the parent's.
    const last = models.requests.child.at(-1)?.messages ?? [];
    expect(last[0]).toMatchObject({ role: 'user', content: 'find the price' });
    expect(JSON.stringify(last)).not.toContain('price of A?');
    expect(Object.keys(toolResults(models.requests.child.at(-1))).sort()).toEqual(['fetch-1', 'return-1']);
    // The attempt that was spent stays spent.
    expect(contexts.map(({ attempt, input }) => ({ attempt, input }))).toEqual([
      { attempt: 1, input: CALL.input },
      { attempt: 2, input: CALL.input },
    ]);
  });

  test('a denied approval is the child’s to deal with', async () => {
    const { host, waiting } = await start('none');
    const done = await resumed(host, waiting, { form: 'model messages', approved: false });
    expect(page.ran).toEqual([]);
    expect(done.toolResult).toMatchObject(completed);
  });

  test('no attempt is won back by a suspension', async () => {
    const { host, waiting } = await start('none', { maxRetries: 1 }, (request) => {
      const turn = wary(request, 1) as Turn;
      for (const call of turn.calls ?? []) if (call.name === 'price_record') call.arguments = BAD;
      return turn;
    });
    const done = await resumed(host, waiting, { form: 'UI messages' });
    expect(error(done)).toMatchObject({ code: 'contract_exhausted' });
  });

  test('a sealed state that does not come back is refused, with the remedy', async () => {
    const { host, waiting } = await start({ keys: KEYS });
    const done = await resumed(host, waiting, { form: 'model messages' });
    expect(error(done)).toMatchObject({
      code: 'resume_not_found',
      message: expect.stringContaining('give seal a store'),
    });
    expect(page.ran).toEqual([]);
  });

  test('another brief is refused, by its sealed state', async () => {
    const { host, waiting } = await start({ keys: KEYS, store: memoryResumeStore() });
    const other = { ...CALL, input: { task: 'delete everything' } };
    const done = await resumed(host, waiting, { form: 'model messages' }, other);
    expect(error(done)).toMatchObject({ code: 'resume_brief_changed' });
    expect(page.ran).toEqual([]);
  });

  test('another invocation’s state is refused', async () => {
    const { host, waiting } = await start({ keys: KEYS });
    const answers = answering(waiting, { form: 'model messages', carry: true });
    const done = await soon(host.delegate(CALL, PARENT, { ...answers, subagentRunId: 'subagent-9' }));
    expect(error(done)).toMatchObject({ code: 'resume_other_tool_call' });
    expect(page.ran).toEqual([]);
  });

  test('a resume that is sent twice runs once, with a store', async () => {
    const { host, waiting } = await start({ keys: KEYS, store: memoryResumeStore() });
    const first = await resumed(host, waiting, { form: 'model messages' });
    const again = await resumed(host, waiting, { form: 'model messages' });
    expect(again.toolResult).toEqual(first.toolResult);
    expect(page.ran).toEqual(['https://a.example']);
  });

  test('nobody is unsealed by accident', async () => {
    const { waiting } = await start(undefined);
    expect(error(waiting)).toMatchObject({ code: 'seal_required' });
  });
});

describe('an agent without schemas', () => {
  test('is suspended and resumed as the host does it, with ctx.seed for its own messages', async () => {
    const models = await ScriptedModels.start(ADAPTERS[1][1], {
      parent: () => ({ text: '' }),
      child: (request) =>
        'fetch-1' in toolResults(request)
          ? { text: 'It costs 10.' }
          : { calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }] },
    });
    try {
      const page = approvedFetch();
      const agent = defineAgent({
        name: 'scout',
        description: 'd',
        run: (ctx) =>
          chat({
            adapter: models.adapter('child'),
            messages: ctx.messages as never,
            threadId: ctx.threadId,
            runId: ctx.runId,
            parentRunId: ctx.parentRunId,
            resume: ctx.resume,
            tools: [page.tool],
          }),
      });
      const host = new EmulatedHost('0.59', [agent]);
      const call = { agent: 'scout' };
      const waiting = await soon(host.delegate(call, PARENT));
      const done = await soon(host.delegate(call, PARENT, answering(waiting, { form: 'model messages' })));
      expect(page.ran).toEqual(['https://a.example']);
      expect(done.toolResult).toEqual({ result: 'It costs 10.' });
    } finally {
      await models.stop();
    }
  });
});
