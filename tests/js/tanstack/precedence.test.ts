// Which contract holds: final_schema over the agent's outputSchema over none, the same wherever a child is delegated to.
import { chatParamsFromRequestBody } from '@tanstack/ai';
import {
  type AgentContext,
  type ContractRef,
  defineAgent,
  delegate,
  delegateAll,
  delegateTaskTool,
  parseEnvelope,
  type ResultEnvelope,
} from 'subcontract';
import { type ChatWithSubagentsOptions, chatWithSubagents } from 'subcontract/tanstack';
import { afterEach, describe, expect, test } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { fixed } from '../delegate/strict-client.js';
import { ADAPTERS, hasResult, ScriptedModels } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

const OWN = { title: 'own', type: 'object', properties: { own: { type: 'integer' } }, required: ['own'] } as const;
const FINAL = { type: 'integer', minimum: 0 } as const;
const BRIEF = { task: 'count' };
const inputSchema = { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] } as const;

/** What a child of each kind sees of its contract, and what becomes of it. */
const KINDS: Record<ContractRef['source'], { tool: string | undefined; text: string; result: unknown }> = {
  final_schema: { tool: 'return_result', text: '7', result: 7 },
  output_schema: { tool: 'own', text: '{"own":7}', result: { own: 7 } },
  none: { tool: undefined, text: 'Seven.', result: null },
};

const CASES: [final: boolean, output: boolean, source: ContractRef['source']][] = [
  [true, true, 'final_schema'],
  [true, false, 'final_schema'],
  [false, true, 'output_schema'],
  [false, false, 'none'],
];

interface Asked {
  contexts: AgentContext<unknown>[];
}

/** Returns once badly, where there is something to be bad at, and then well; with `suspends` it asks a person first. */
function childOf(output: boolean, asked: Asked, suspends = false) {
  return defineAgent({
    name: 'counter',
    description: 'Counts.',
    inputSchema,
    allowFinalSchema: true,
    ...(output && { outputSchema: OWN as object }),
    tools: [{ name: 'look_up' }],
    run: async function* (ctx): AsyncGenerator<AGUIEvent> {
      ctx.seed([]);
      asked.contexts.push(ctx as AgentContext<unknown>);
      const kind = Object.values(KINDS).find(({ tool }) => tool === ctx.returnTool?.name);
      if (suspends && !ctx.resume && ctx.attempt === 1) {
        const interrupts = [{ id: 'i', reason: 'approval' }];
        yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
        return;
      }
      const bad = ctx.returnTool !== undefined && ctx.attempt === 1;
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${ctx.attempt}`, delta: bad ? '["bad"]' : (kind?.text ?? '') };
    },
  });
}

type Surface = (final: boolean, output: boolean, asked: Asked) => Promise<ResultEnvelope>;

const finalOf = (final: boolean) => (final ? { final_schema: FINAL } : {});

const surfaces: Record<string, Surface> = {
  delegate: (final, output, asked) =>
    delegate(childOf(output, asked), BRIEF, fixed(final ? { finalSchema: FINAL } : {})).envelope,
  'delegate, resumed': async (final, output, asked) => {
    const agent = childOf(output, asked, true);
    const first = await delegate(agent, BRIEF, fixed(final ? { finalSchema: FINAL } : {})).envelope;
    expect(first.status).toBe('suspended');
    const state = JSON.parse(first.resume?.state ?? '');
    const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
    // The call's contract comes with the state.
    return delegate(agent, BRIEF, fixed({ resume: { state, entries } })).envelope;
  },
  delegate_task: async (final, output, asked) => {
    const tool = delegateTaskTool([childOf(output, asked)]);
    const { delegation } = tool.delegate({ subagent: 'counter', input: BRIEF, ...finalOf(final) });
    if (!delegation) throw new Error('it names a child');
    return delegation.envelope;
  },
  'delegate_task, resumed': async (final, output, asked) => {
    const tool = delegateTaskTool([childOf(output, asked, true)]);
    const args = { subagent: 'counter', input: BRIEF, ...finalOf(final) };
    const first = await tool.delegate(args, fixed()).delegation?.envelope;
    const state = JSON.parse(first?.resume?.state ?? '');
    const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
    const { delegation } = tool.delegate(args, fixed({ resume: { state, entries } }));
    if (!delegation) throw new Error('it names a child');
    return delegation.envelope;
  },
  'delegateAll, in parallel': async (final, output, asked) => {
    const sibling = { agent: childOf(!output, { contexts: [] }), brief: BRIEF, ...(!final && { finalSchema: FINAL }) };
    // Its siblings' contracts are none of its own.
    const [, envelope] = await delegateAll(
      [sibling, { agent: childOf(output, asked), brief: BRIEF, ...(final && { finalSchema: FINAL }) }, sibling],
      { threadId: 'thread' },
    ).envelopes;
    return envelope;
  },
  'delegateAll, in a sequence and resumed': async (final, output, asked) => {
    const options = { threadId: 'thread', order: 'sequence', seal: 'none' } as const;
    const before = { agent: childOf(!output, { contexts: [] }), brief: BRIEF };
    const call = { agent: childOf(output, asked, true), brief: BRIEF, ...(final && { finalSchema: FINAL }) };
    const [ended, first] = await delegateAll([before, call], options).envelopes;
    const state = JSON.parse(first.resume?.state ?? '');
    const entries = [{ interruptId: `${first.run_id}:i`, status: 'resolved' as const }];
    // The call's contract comes with the state.
    const { finalSchema: _, ...resumed } = { finalSchema: undefined, ...call, resume: { state, entries } };
    const [, envelope] = await delegateAll([{ ...before, ended }, resumed], options).envelopes;
    return envelope;
  },
  'nested in a child': async (final, output, asked) => {
    const inner = childOf(output, asked);
    let envelope: Promise<ResultEnvelope> | undefined;
    const outer = defineAgent({
      name: 'outer',
      description: 'Delegates on.',
      outputSchema: { title: 'outer', type: 'object' },
      run: async function* (ctx): AsyncGenerator<AGUIEvent> {
        const delegation = delegate(inner, BRIEF, {
          parentSubagentRunId: ctx.subagentRunId,
          ...(final && { finalSchema: FINAL }),
        });
        yield* delegation;
        envelope = delegation.envelope;
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '{}' };
      },
    });
    expect((await delegate(outer).envelope).contract.source).toBe('output_schema');
    if (!envelope) throw new Error('it delegated');
    return envelope;
  },
};

test.each(Object.entries(surfaces).flatMap(([name, surface]) => CASES.map((row) => [name, ...row, surface] as const)))(
  '%s: final_schema %s, outputSchema %s → %s',
  async (_, final, output, source, surface) => {
    const asked: Asked = { contexts: [] };
    expectKind(await surface(final, output, asked), source, asked);
  },
);

function expectKind(envelope: ResultEnvelope, source: ContractRef['source'], asked: Asked): void {
  const kind = KINDS[source];
  expect(envelope).toMatchObject({ status: 'completed', final_result: kind.result, contract: { source } });
  expect(envelope.contract.digest === undefined).toBe(source === 'none');
  expect(envelope.task_summary).toBe(source === 'none' ? 'Seven.' : null);
  expect(envelope.attempts.map(({ outcome }) => outcome)).toEqual(source === 'none' ? [] : ['rejected', 'accepted']);
  // An override changes the return tool, and grants nothing else.
  const tools = asked.contexts.map((ctx) => ctx.tools.map(({ name }) => name));
  expect(new Set(tools.flat())).toEqual(new Set(kind.tool === undefined ? [] : [kind.tool]));
}

describe.each(ADAPTERS)('in chat(), over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const run = async (
    call: { name: string; arguments: object },
    subagents: Omit<ChatWithSubagentsOptions['subagents'], 'seal'>,
    more: object = {},
  ) => {
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request)
          ? { text: 'done' }
          : { calls: [{ id: 'call-1', name: call.name, arguments: JSON.stringify(call.arguments) }] },
      child: () => ({ text: 'never asked' }),
    });
    const post = (messages: unknown, extra: object) =>
      collect(
        chatWithSubagents({
          adapter: models.adapter('parent'),
          messages: messages as never,
          threadId: 'thread',
          subagents: { ...subagents, seal: 'none' },
          ...extra,
        }),
      );
    const first = await post([{ role: 'user', content: 'count' }], { runId: 'run-1', ...more });
    const outcome = ofType(first, 'RUN_FINISHED')[0]?.outcome;
    if (outcome?.type !== 'interrupt') return first;
    const params = await chatParamsFromRequestBody({
      threadId: 'thread',
      runId: 'run-2',
      parentRunId: 'run-1',
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages: ofType(first, 'MESSAGES_SNAPSHOT')[0]?.messages ?? [],
      resume: outcome.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: {} })),
    } as never);
    const { messages, runId, parentRunId, resume } = params;
    await models.stop();
    models = await ScriptedModels.start(create, { parent: () => ({ text: 'done' }), child: () => ({ text: 'no' }) });
    return post(messages, { runId, parentRunId, resume });
  };
  const envelopeIn = (events: readonly AGUIEvent[]): ResultEnvelope => {
    const result = ofType(events, 'SUBAGENT_FINISHED').at(-1)?.result;
    return parseEnvelope(JSON.stringify(result));
  };

  test.each(CASES)('an own tool: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const events = await run(
      { name: 'counter', arguments: { ...BRIEF, ...finalOf(final) } },
      { agents: [childOf(output, asked)] },
    );
    expectKind(envelopeIn(events), source, asked);
  });

  test.each(CASES)('an own tool, resumed: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const events = await run(
      { name: 'counter', arguments: { ...BRIEF, ...finalOf(final) } },
      { agents: [childOf(output, asked, true)] },
    );
    expectKind(envelopeIn(events), source, asked);
    expect(asked.contexts.map(({ input }) => input)).toEqual(asked.contexts.map(() => BRIEF));
  });

  test.each(CASES)('delegate_task: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const events = await run(
      { name: 'delegate_task', arguments: { subagent: 'counter', input: BRIEF, ...finalOf(final) } },
      { agents: [childOf(output, asked)], delegateTask: true },
    );
    expectKind(envelopeIn(events), source, asked);
  });

  const picked = (final: boolean) => ({ router: () => ({ name: 'counter', input: { ...BRIEF, ...finalOf(final) } }) });

  test.each(CASES)('a router’s pick: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const { definition } = childOf(output, asked);
    // Closed: the contract that the pick gives is not part of the brief.
    const agents = [defineAgent({ ...definition, inputSchema: { ...inputSchema, additionalProperties: false } })];
    const events = await run({ name: 'never called', arguments: {} }, { agents, ...picked(final) });
    expectKind(envelopeIn(events), source, asked);
    expect(asked.contexts.map(({ input }) => input)).toEqual(asked.contexts.map(() => BRIEF));
  });

  test.each(CASES)('a router’s pick, resumed: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const agents = [childOf(output, asked, true)];
    const events = await run({ name: 'never called', arguments: {} }, { agents, ...picked(final) });
    expectKind(envelopeIn(events), source, asked);
  });

  test.each(CASES)('delegate_task, resumed: final_schema %s, outputSchema %s → %s', async (final, output, source) => {
    const asked: Asked = { contexts: [] };
    const events = await run(
      { name: 'delegate_task', arguments: { subagent: 'counter', input: BRIEF, ...finalOf(final) } },
      { agents: [childOf(output, asked, true)], delegateTask: { maxAgents: 1 } },
    );
    expectKind(envelopeIn(events), source, asked);
  });
});

test('an agent that does not allow it takes final_schema as part of its brief', async () => {
  const asked: Asked = { contexts: [] };
  const { definition } = childOf(true, asked);
  const closed = defineAgent({
    ...definition,
    allowFinalSchema: false,
    inputSchema: { ...inputSchema, additionalProperties: false },
  });
  const models = await ScriptedModels.start(ADAPTERS[1][1], {
    parent: (request) =>
      hasResult(request)
        ? { text: 'done' }
        : { calls: [{ id: 'c', name: 'counter', arguments: JSON.stringify({ ...BRIEF, ...finalOf(true) }) }] },
    child: () => ({}),
  });
  const events = await collect(
    chatWithSubagents({
      adapter: models.adapter('parent'),
      messages: [{ role: 'user', content: 'count' }],
      subagents: { agents: [closed], seal: 'none' },
    }),
  );
  await models.stop();
  expect(ofType(events, 'TOOL_CALL_RESULT')[0]?.content).toMatch(/was not accepted[\s\S]*\/final_schema/);
  expect(asked.contexts).toEqual([]);
});
