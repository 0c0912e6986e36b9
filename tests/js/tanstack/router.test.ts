// Router mode: who takes a turn, what the children are given, and what the parent's model sees of it.
import { type AgentLoopStrategy, maxIterations, type Tool } from '@tanstack/ai';
import { type AgentContext, defineAgent, type RouterPick, type SubcontractAgent } from 'subcontract';
import { lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents, type RouterContext, type SubagentsOptions } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { errorOf, interruptsOf, messagesOf } from './conversation.js';
import { ADAPTERS, type Script, ScriptedModels } from './scripted-model.js';
import { collect, ofType, outline } from './strict-client.js';

const ASKED = { id: 'm-1', role: 'user', content: 'what does it cost?' };

interface Ran {
  name: string;
  input: unknown;
  /** The contents of the messages it was given. */
  messages: unknown[];
  seeded: unknown[];
  earlier: string[];
}

/** Agents that note what they were run with. */
class Cast {
  readonly ran: Ran[] = [];
  readonly ended: string[] = [];
  /** Called while a child runs. */
  meanwhile: (name: string, context: AgentContext<unknown>) => unknown = () => {};

  /** Without schemas: reads the thread, and answers in prose. */
  plain(name: string, answer: string): SubcontractAgent {
    const note = this.#note.bind(this);
    const agent = defineAgent({
      name,
      description: `Answers: ${name}`,
      run: async function* (context): AsyncGenerator<AGUIEvent> {
        await note(name, context as AgentContext<unknown>);
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: answer };
        yield usage;
      },
    });
    return agent as unknown as SubcontractAgent;
  }

  /** With both schemas: returns its vendor; `asks` a person first. */
  pricer(asks: (vendor: string) => boolean = () => false): SubcontractAgent {
    const note = this.#note.bind(this);
    const agent = defineAgent({
      name: 'pricer',
      description: 'Finds prices',
      inputSchema: {
        type: 'object',
        properties: { vendor: { type: 'string' } },
        required: ['vendor'],
        additionalProperties: false,
      } as const,
      outputSchema: {
        title: 'price',
        type: 'object',
        properties: { vendor: { type: 'string' } },
        required: ['vendor'],
      },
      maxRetries: 0,
      run: async function* (context): AsyncGenerator<AGUIEvent> {
        const { vendor } = context.input as { vendor: string };
        await note(vendor, context as AgentContext<unknown>);
        if (asks(vendor) && !context.resume) {
          const interrupts = [{ id: 'i', reason: 'approval', message: `ask ${vendor}?` }];
          yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
          return;
        }
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: JSON.stringify({ vendor }) };
        yield usage;
      },
    });
    return agent as unknown as SubcontractAgent;
  }

  async #note(name: string, context: AgentContext<unknown>) {
    const contents = (messages: readonly unknown[]) => messages.map((one) => (one as { content: unknown }).content);
    this.ran.push({
      name,
      input: context.input,
      messages: contents(context.messages),
      seeded: contents(context.seed([{ role: 'user', content: 'go' }])),
      earlier: context.earlier.map(({ subagent, text }) => `${subagent}: ${text}`),
    });
    await this.meanwhile(name, context);
    this.ended.push(name);
  }
}

const usage: AGUIEvent = {
  type: 'RUN_FINISHED',
  threadId: 't',
  runId: 'r',
  usage: [{ inputTokens: 10, outputTokens: 1, totalTokens: 11 }],
};

/** A place that lets nobody pass before `count` have come. */
function meeting(count: number) {
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    here += 1;
    if (here === count) open();
    return all;
  };
}

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  interface Host {
    agents: SubcontractAgent[];
    pick: RouterPick | ((context: RouterContext) => RouterPick | Promise<RouterPick>);
    subagents?: Partial<SubagentsOptions>;
    parent?: Script;
    more?: { tools?: Tool[]; agentLoopStrategy?: AgentLoopStrategy; abortController?: AbortController };
  }
  const asked: RouterContext[] = [];
  const start = async ({ agents, pick, subagents = {}, parent = () => ({ text: 'I think 10.' }), more = {} }: Host) => {
    asked.length = 0;
    models = await ScriptedModels.start(create, { parent, child: () => ({ text: 'never asked' }) });
    return (body: Record<string, unknown> = {}) =>
      chatWithSubagents({
        adapter: models.adapter('parent'),
        messages: [ASKED] as never,
        threadId: 'thread',
        runId: 'run-1',
        ...more,
        ...body,
        subagents: {
          agents,
          seal: 'none',
          router: (context) => {
            asked.push(context);
            return typeof pick === 'function' ? pick(context) : pick;
          },
          ...subagents,
        },
      });
  };
  const run = async (host: Host) => collect((await start(host))());
  const results = (events: readonly AGUIEvent[]) =>
    ofType(events, 'TOOL_CALL_RESULT').flatMap((event) =>
      event.subagentRunId === undefined ? [JSON.parse(String(event.content))] : [],
    );

  it("leaves the turn to the parent's model for 'main', which has no tool that delegates", async () => {
    const cast = new Cast();
    const clock: Tool = { name: 'clock', description: 'Says the time', execute: () => 'noon' };
    const agents = [cast.pricer(), cast.plain('writer', 'a text')];
    const events = await run({ agents, pick: 'main', more: { tools: [clock] } });
    expect(cast.ran).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.messages.map(({ content }) => content)).toEqual(['what does it cost?']);
    expect(asked[0]?.agents.map(({ name }) => name)).toEqual(['pricer', 'writer']);
    expect(models.requests.parent).toHaveLength(1);
    expect(models.requests.parent[0]?.tools?.map((tool) => tool.function.name)).toEqual(['clock']);
    expect(
      ofType(events, 'TEXT_MESSAGE_CONTENT')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('I think 10.');
  });

  it('asks once for each message of the user, not for each answer of a model', async () => {
    const clock: Tool = { name: 'clock', description: 'Says the time', execute: () => 'noon' };
    await run({
      agents: [new Cast().pricer()],
      pick: 'main',
      parent: (request, turn) =>
        turn < 3
          ? { calls: [{ id: `c-${turn}`, name: 'clock', arguments: '{}' }] }
          : { text: request.messages.length > 3 ? 'ok' : 'no' },
      more: { tools: [clock] },
    });
    expect(asked).toHaveLength(1);
    expect(models.requests.parent).toHaveLength(3);
  });

  it('gives the turn to one agent, which alone answers it', async () => {
    const cast = new Cast();
    const events = await run({ agents: [cast.plain('writer', 'It costs 10.')], pick: 'writer' });
    expect(cast.ran).toMatchObject([{ name: 'writer', input: undefined, messages: ['what does it cost?'] }]);
    expect(models.requests.parent).toEqual([]);
    expect(outline(events)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_START',
      'TOOL_CALL_END',
      '  SUBAGENT_STARTED',
      '  SUBAGENT_FINISHED',
      'TOOL_CALL_RESULT',
      'RUN_FINISHED',
    ]);
    const [call] = ofType(events, 'TOOL_CALL_START');
    expect(call?.toolCallName).toBe('writer');
    expect(ofType(events, 'SUBAGENT_STARTED')[0]?.parentToolCallId).toBe(call?.toolCallId);
    expect(results(events)).toMatchObject([{ subagent: 'writer', task_summary: 'It costs 10.', final_result: null }]);
    expect(ofType(events, 'RUN_FINISHED')).toMatchObject([{ usage: [{ inputTokens: 10, outputTokens: 1 }] }]);
  });

  it('hands over afterwards: the parent’s model reads what the child came to, and no call that it did not make', async () => {
    const cast = new Cast();
    const events = await run({
      agents: [cast.pricer()],
      pick: { name: 'pricer', input: { vendor: 'A' } },
      subagents: { strategy: 'handoff' },
      parent: () => ({ text: 'A costs 10.', tokens: [5, 2] }),
      // The turn in which no model was asked does not count.
      more: { agentLoopStrategy: maxIterations(1) },
    });
    expect(models.requests.parent).toHaveLength(1);
    const [request] = models.requests.parent;
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(JSON.stringify(request?.messages.at(-1)?.content)).toMatch(
      /no line of it is an instruction[\s\S]*final_result/,
    );
    expect(request?.tools ?? []).toEqual([]);
    expect(outline(events).slice(-2)).toEqual(['TOOL_CALL_RESULT', 'RUN_FINISHED']);
    expect(ofType(events, 'TEXT_MESSAGE_CONTENT').at(-1)?.subagentRunId).toBeUndefined();
    expect(ofType(events, 'RUN_FINISHED')[0]?.usage?.[0]).toMatchObject({ inputTokens: 15, outputTokens: 3 });
  });

  it('tells the parent’s model of the turns before, in its own words', async () => {
    const cast = new Cast();
    const host = await start({
      agents: [cast.plain('writer', 'It costs 10.')],
      pick: ({ messages }) => (messages.length === 3 ? 'main' : 'writer'),
    });
    const first = await collect(host());
    const [call] = ofType(first, 'TOOL_CALL_START');
    const [result] = ofType(first, 'TOOL_CALL_RESULT');
    const messages = [
      ASKED,
      {
        role: 'assistant',
        content: null,
        toolCalls: [
          { id: call?.toolCallId, type: 'function', function: { name: call?.toolCallName, arguments: '{}' } },
        ],
      },
      { role: 'tool', toolCallId: call?.toolCallId, content: result?.content },
      { role: 'user', content: 'why?' },
    ];
    await collect(host({ messages, runId: 'run-2' }));
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
    const [request] = models.requests.parent;
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
    expect(JSON.stringify(request?.messages[1]?.content)).toContain('It costs 10.');
    expect(JSON.stringify(request?.messages)).not.toContain('route-');

    // And a child as well.
    const later = [...messages, { role: 'assistant', content: 'I think 10.' }, { role: 'user', content: 'and B?' }];
    await collect(host({ messages: later, runId: 'run-3' }));
    expect(cast.ran.at(-1)?.messages).toEqual([
      'what does it cost?',
      expect.stringContaining('It costs 10.'),
      'why?',
      'I think 10.',
      'and B?',
    ]);
  });

  it('runs a list together; an agent that is in it twice has each of its briefs', async () => {
    const cast = new Cast();
    cast.meanwhile = meeting(3);
    const vendor = (name: string) => ({ name: 'pricer', input: { vendor: name } });
    const events = await run({
      agents: [cast.pricer(), cast.plain('writer', 'w')],
      pick: [vendor('A'), vendor('B'), 'writer'],
    });
    expect(cast.ran.map(({ name }) => name).sort()).toEqual(['A', 'B', 'writer']);
    expect(cast.ran.map(({ earlier }) => earlier)).toEqual([[], [], []]);
    expect(results(events).map(({ final_result }) => final_result)).toEqual([{ vendor: 'A' }, { vendor: 'B' }, null]);
  });

  it.each<[string, RouterPick, Partial<SubagentsOptions>]>([
    [
      'the pick’s own order',
      { names: ['first', { name: 'pricer', input: { vendor: 'A' } }, 'last'], order: 'sequence' },
      {},
    ],
    ['the order of the chat', ['first', { name: 'pricer', input: { vendor: 'A' } }, 'last'], { order: 'sequence' }],
    ['an input for the list', { names: ['first', 'pricer', 'last'], input: { vendor: 'A' }, order: 'sequence' }, {}],
  ])('runs a sequence by %s: a later child reads the earlier ones', async (_what, pick, subagents) => {
    const cast = new Cast();
    let running = 0;
    cast.meanwhile = async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    const agents = [cast.plain('first', 'One says 10.'), cast.pricer(), cast.plain('last', 'done')];
    await run({ agents, pick, subagents });
    const [first, priced, last] = cast.ran;
    expect(cast.ended).toEqual(['first', 'A', 'last']);
    expect(first?.earlier).toEqual([]);
    expect(priced).toMatchObject({ input: { vendor: 'A' }, earlier: ['first: One says 10.'] });
    expect(priced?.seeded).toEqual([expect.stringContaining('One says 10.'), 'go']);
    // An agent without schemas reads on in the thread, as the host itself would have it.
    expect(last?.messages).toEqual(['what does it cost?', 'One says 10.', expect.stringContaining('vendor: "A"')]);
  });

  it('runs steps one after another, each together, and each reads those before it', async () => {
    const cast = new Cast();
    const meet = meeting(2);
    cast.meanwhile = (name) => (name === 'writer' ? undefined : meet());
    const vendor = (name: string) => ({ name: 'pricer', input: { vendor: name } });
    const events = await run({
      agents: [cast.pricer(), cast.plain('writer', 'w')],
      pick: { steps: [[vendor('A'), vendor('B')], { names: 'writer' }] },
    });
    expect(cast.ran.map(({ name, earlier }) => [name, earlier.length])).toEqual([
      ['A', 0],
      ['B', 0],
      ['writer', 2],
    ]);
    expect(cast.ended.at(-1)).toBe('writer');
    expect(results(events)).toHaveLength(3);
  });

  it.each<[string, unknown, string, RegExp]>([
    ['lacks a required input', 'pricer', 'pick_input_missing', /pricer/],
    ['has an input that breaks the schema', { name: 'pricer', input: { vendors: 1 } }, 'pick_input_rejected', /vendor/],
    ['gives an input to who takes none', { name: 'writer', input: {} }, 'pick_input_not_taken', /writer/],
    ['names nobody', 'nobody', 'pick_unknown_agent', /./],
    ['is empty', [], 'pick_empty', /./],
    ['mixes main into a list', ['main', 'writer'], 'pick_main_among_agents', /main/],
    ['is nothing', undefined, 'pick_invalid', /./],
    ['is no text', 5, 'pick_invalid', /./],
    ['is a bigint', 1n, 'pick_invalid', /bigint/],
    ['is a function', () => 'main', 'pick_invalid', /function/],
    ['is a list of lists', [['writer']], 'pick_invalid', /\/0/],
    ['is a map', new Map([['name', 'writer']]), 'pick_invalid', /Map/],
    ['contains itself', cyclic(), 'pick_invalid', /itself/],
    ['writes itself', { toJSON: () => 'writer' }, 'pick_invalid', /toJSON/],
    ['cannot be read', unreadable(), 'pick_invalid', /\/name/],
    ['has a name that objects have', '__proto__', 'pick_unknown_agent', /__proto__/],
    ['says more than it may', { name: 'writer', next: 'pricer' }, 'pick_unknown_field', /next/],
    ['has steps that are no list', { steps: 'writer' }, 'pick_invalid', /steps/],
    ['has no steps', { steps: [] }, 'pick_empty', /steps/],
    ['has no names', { names: [] }, 'pick_empty', /names/],
    ['has an order that is none', { names: ['writer'], order: 'random' }, 'pick_unknown_order', /./],
    ['has an input that is no JSON', { name: 'pricer', input: { vendor: 1n } }, 'pick_invalid', /bigint/],
    [
      'is wrong in its last step alone',
      { steps: ['writer', { name: 'pricer', input: {} }] },
      'pick_input_rejected',
      /vendor/,
    ],
  ])('ends the run before anything starts when the pick %s', async (_what, pick, code, message) => {
    const cast = new Cast();
    const agents = [cast.pricer(), cast.plain('writer', 'w')];
    const events = await run({ agents, pick: () => pick as RouterPick });
    expect(events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(ofType(events, 'RUN_ERROR')[0]).toMatchObject({ code, message: expect.stringMatching(message) });
    expect([cast.ran, models.requests.parent]).toEqual([[], []]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('key sk-123');
      },
    ],
    [
      'throws nothing',
      () => {
        throw undefined;
      },
    ],
    ['rejects', () => Promise.reject(new Error('key sk-123'))],
  ])('a router that %s ends the run, and only the host hears why', async (_what, pick) => {
    const cast = new Cast();
    const events = await run({ agents: [cast.plain('writer', 'w')], pick: pick as () => RouterPick });
    expect(events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(events[1]).toMatchObject({ code: 'router_failed', message: 'the router failed' });
    expect([cast.ran, models.requests.parent]).toEqual([[], []]);
  });

  it('tells a client nothing of what a router throws', async () => {
    const pick = () => Promise.reject(new Error('key sk-123 was refused'));
    const events = await run({ agents: [new Cast().pricer()], pick });
    expect(errorOf(events)).toBe('router_failed');
    expect(JSON.stringify(events)).not.toContain('sk-123');
  });

  it('is told when the run is stopped, and starts nobody then', async () => {
    const cast = new Cast();
    const abortController = new AbortController();
    let aborted = false;
    const events = await run({
      agents: [cast.plain('writer', 'w')],
      pick: ({ abortSignal }) => {
        abortSignal.addEventListener('abort', () => {
          aborted = true;
        });
        setTimeout(() => abortController.abort(), 5);
        return new Promise(() => {});
      },
      more: { abortController },
    });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect([aborted, cast.ran, models.requests.parent]).toEqual([true, [], []]);
  });

  it('carries out no call of an agent that a model makes up', async () => {
    const cast = new Cast();
    await run({
      agents: [cast.pricer()],
      pick: 'main',
      parent: (_request, turn) =>
        turn === 1 ? { calls: [{ id: 'c-1', name: 'pricer', arguments: '{"vendor":"A"}' }] } : { text: 'well' },
    });
    expect(cast.ran).toEqual([]);
    expect(JSON.stringify(models.requests.parent[1]?.messages)).toContain('there is no tool of this name');
  });

  it('a child that waits keeps the steps after it waiting; the resumed run follows the same plan, and asks nobody', async () => {
    const cast = new Cast();
    const vendor = (name: string) => ({ name: 'pricer', input: { vendor: name } });
    const agents = [cast.pricer((name) => name === 'A'), cast.plain('writer', 'all of it')];
    const host = await start({ agents, pick: { steps: [[vendor('A'), vendor('B')], 'writer'] } });
    const first = await collect(host());
    expect(cast.ran.map(({ name }) => name)).toEqual(['A', 'B']);
    const [waiting] = ofType(first, 'SUBAGENT_STARTED');
    expect(interruptsOf(first)).toMatchObject([{ subagentRunId: waiting?.subagentRunId, message: 'ask A?' }]);
    expect(results(first)).toMatchObject([{ final_result: { vendor: 'B' } }]);

    // Without an answer nothing moves.
    const ids = { parentRunId: 'run-1', messages: JSON.parse(JSON.stringify(messagesOf(first))) };
    const still = await collect(host({ ...ids, runId: 'run-still' }));
    expect(interruptsOf(still).map(({ id }) => id)).toEqual(interruptsOf(first).map(({ id }) => id));
    expect(cast.ran).toHaveLength(2);

    const resume = interruptsOf(first).map(({ id }) => ({ interruptId: id, status: 'resolved', payload: {} }));
    const second = await collect(host({ ...ids, runId: 'run-2', resume }));
    expect(
      lintEvents(second, { earlier: first, resume: resume as never }).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(cast.ran.map(({ name }) => name)).toEqual(['A', 'B', 'A', 'writer']);
    expect(ofType(second, 'SUBAGENT_STARTED')[0]?.subagentRunId).toBe(waiting?.subagentRunId);
    // B ended in the run before: the thread alone says what it came to.
    expect(cast.ran.at(-1)?.messages).toEqual([
      'what does it cost?',
      expect.stringContaining('"A"'),
      expect.stringContaining('"B"'),
    ]);
    expect(results(second).map(({ subagent }) => subagent)).toEqual(['pricer', 'writer']);
    expect(models.requests.parent).toEqual([]);
    expect(second.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(interruptsOf(second)).toEqual([]);
  });

  it('a resumed plan goes on from results that were rendered for the parent’s model', async () => {
    const cast = new Cast();
    const vendor = (name: string) => ({ name: 'pricer', input: { vendor: name } });
    const agents = [cast.pricer((name) => name === 'B'), cast.plain('writer', 'all of it')];
    const pick = { names: [vendor('A'), vendor('B'), 'writer'], order: 'sequence' } as const;
    const host = await start({ agents, pick, subagents: { present: 'render' } });
    const first = await collect(host());
    expect(cast.ran.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(ofType(first, 'TOOL_CALL_RESULT')[0]?.content).toMatch(/^subagent pricer: completed/);
    await collect(
      host({
        runId: 'run-2',
        parentRunId: 'run-1',
        messages: JSON.parse(JSON.stringify(messagesOf(first))),
        resume: interruptsOf(first).map(({ id }) => ({ interruptId: id, status: 'resolved', payload: {} })),
      }),
    );
    // A ended in the run before, and B in this one.
    expect(cast.ran.at(-1)?.messages.slice(1)).toEqual([
      expect.stringMatching(/^subagent pricer: completed.*"A"/s),
      expect.stringMatching(/^subagent pricer: completed.*"B"/s),
    ]);
  });

  it('a failed child does not stop a sequence: the next one reads that it failed', async () => {
    const cast = new Cast();
    cast.meanwhile = (name) => {
      if (name === 'A') throw new Error('no such page');
    };
    const agents = [cast.pricer(), cast.plain('writer', 'w')];
    const events = await run({ agents, pick: { steps: [{ name: 'pricer', input: { vendor: 'A' } }, 'writer'] } });
    expect(ofType(events, 'SUBAGENT_ERROR')).toHaveLength(1);
    expect(cast.ran.at(-1)?.earlier).toEqual([expect.stringMatching(/^pricer: .*failed/s)]);
    expect(results(events)).toMatchObject([{ status: 'failed' }, { task_summary: 'w' }]);
  });
});

/** Picks that no model writes, and a router's code may. */
function cyclic() {
  const pick: { names: unknown[] } = { names: [] };
  pick.names.push(pick);
  return pick;
}

function unreadable() {
  return {
    get name() {
      throw new Error('key sk-123');
    },
  };
}
