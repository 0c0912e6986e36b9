// Streams of this package over loopback, before independent readers: both clients, and the validator from PyPI where it is installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { HttpAgent as HttpAgentBefore1 } from '@ag-ui/client-0.0.59';
import { chatParamsFromRequestBody } from '@tanstack/ai';
import { createOpenaiChat } from '@tanstack/ai-openai';
import { type AgentContext, defineAgent, delegate, openResumeState } from 'subcontract';
import { type AGUIEvent, lintEvents, sseResponse } from 'subcontract/ag-ui';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedChild } from '../delegate/scripted-child.js';
import { fixed } from '../delegate/strict-client.js';
import { approvedFetch, BRIEF, GOOD, scout } from '../tanstack/agents.js';
import { hasResult, ScriptedModels, toolResults } from '../tanstack/scripted-model.js';
import { ofType, serve } from '../tanstack/strict-client.js';
import { inParentRun } from './readers.js';

const outputSchema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
const definition = { name: 'scout', description: 'Finds prices', outputSchema };
const name = (ctx: AgentContext) => ctx.returnTool?.name ?? '';
const CLOCK = { now: () => Date.parse('2026-01-01T00:00:00Z') };

/** Reads a delegation within a run of its parent. */
async function recorded(delegation: ReturnType<typeof delegate>): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  for await (const event of delegation) events.push(event);
  return inParentRun(events, (await delegation.envelope).resume?.interrupts);
}

const accepted = defineAgent({
  ...definition,
  run: (ctx) =>
    scriptedChild(
      [
        { text: 'Looking.', calls: [{ id: 'c1', name: name(ctx), args: '{"price":"?"}' }] },
        { text: 'Again.', calls: [{ id: 'c2', name: name(ctx), args: '{"price":12}' }], usage: [{ inputTokens: 3 }] },
      ],
      ctx.tools,
      ctx.runId,
    ),
});
const failing = defineAgent({ ...definition, maxRetries: 0, run: async () => '{"price":"?"}' });
const prose = defineAgent({
  name: 'writer',
  description: 'Writes',
  async *run() {
    yield 'It is ';
    yield 'done.';
  },
});
const nesting = defineAgent({
  name: 'lead',
  description: 'Delegates',
  async *run(ctx): AsyncGenerator<AGUIEvent> {
    yield { type: 'TOOL_CALL_START', toolCallId: 'd1', toolCallName: 'writer' };
    yield { type: 'TOOL_CALL_END', toolCallId: 'd1' };
    const inner = delegate(prose, undefined, {
      ...fixed(CLOCK),
      subagentRunId: 'child-2',
      parentToolCallId: 'd1',
      parentSubagentRunId: ctx.subagentRunId,
    });
    yield* inner;
    yield { type: 'TOOL_CALL_RESULT', messageId: 'd1-result', toolCallId: 'd1', content: await inner.toolResult };
  },
});
const waiting = defineAgent({
  ...definition,
  async *run(ctx): AsyncGenerator<AGUIEvent> {
    ctx.seed([{ role: 'user', content: 'the price' }]);
    if (ctx.resume) {
      yield { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: 'page' };
      yield* scriptedChild([{ calls: [{ id: 'c2', name: name(ctx), args: '{"price":12}' }] }], ctx.tools, ctx.runId);
      return;
    }
    yield { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'fetch' };
    yield { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' };
    yield { type: 'TOOL_CALL_END', toolCallId: 'c1' };
    const interrupts = [{ id: 'i1', reason: 'approval', toolCallId: 'c1' }];
    yield { type: 'RUN_FINISHED', threadId: 't', runId: ctx.runId, outcome: { type: 'interrupt', interrupts } };
  },
});

async function suspendedAndResumed(): Promise<[AGUIEvent[], AGUIEvent[]]> {
  const delegation = delegate(waiting, undefined, fixed(CLOCK));
  const first = await recorded(delegation);
  const { resume } = await delegation.envelope;
  const state = openResumeState(resume?.state ?? '', {
    threadId: 'thread',
    toolCallId: 'call-1',
    subagent: 'scout',
  });
  const entries = (resume?.interrupts ?? []).map(({ id }) => ({ interruptId: id, status: 'resolved' as const }));
  const resumed = delegate(waiting, undefined, { ...fixed(CLOCK), resume: { state, entries } });
  const events: AGUIEvent[] = [];
  for await (const event of resumed) events.push(event);
  const run = { threadId: 'thread', runId: 'run-2' };
  const second: AGUIEvent[] = [
    { type: 'RUN_STARTED', ...run, parentRunId: 'run' },
    ...events,
    { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'call-1', content: await resumed.toolResult },
    { type: 'RUN_FINISHED', ...run },
  ];
  expect(lintEvents(second, { earlier: first, resume: entries })).toEqual([]);
  return [first, second];
}

/** A run of TanStack AI's `chat()` that waits for an approval in a child, and the one that goes on. */
async function chatRuns(models: ScriptedModels): Promise<[AGUIEvent[], AGUIEvent[]]> {
  const agent = scout(models, { tools: [approvedFetch().tool] });
  const post = async (body: object): Promise<AGUIEvent[]> => {
    const request = { tools: [], context: [], state: {}, forwardedProps: {}, threadId: 'thread', ...body };
    const params = await chatParamsFromRequestBody(JSON.parse(JSON.stringify(request)));
    const { messages, threadId, runId, parentRunId, resume } = params;
    const events: AGUIEvent[] = [];
    const options = { adapter: models.adapter('parent'), messages, threadId, runId, parentRunId, resume };
    for await (const event of chatWithSubagents({ ...options, subagents: { agents: [agent], seal: 'none' } })) {
      events.push(event);
    }
    return events;
  };
  const question = { id: 'm-1', role: 'user', content: 'price of A?' };
  const first = await post({ runId: 'run-1', messages: [question] });
  const messages = ofType(first, 'MESSAGES_SNAPSHOT').at(-1)?.messages ?? [];
  const outcome = ofType(first, 'RUN_FINISHED')[0]?.outcome;
  if (outcome?.type !== 'interrupt') throw new Error('the run did not wait');
  const resume = outcome.interrupts.map(({ id }) => ({
    interruptId: id,
    status: 'resolved' as const,
    payload: { approved: true },
  }));
  const second = await post({ runId: 'run-2', parentRunId: 'run-1', messages, resume });
  const theirs = ['encrypted-value-unknown', 'custom-unprefixed'];
  const findings = lintEvents(second, { earlier: first, resume });
  expect(findings.filter(({ rule }) => !theirs.includes(rule))).toEqual([]);
  return [first, second];
}

const STREAMS = [
  'a refused and an accepted return',
  'a child that fails',
  'a child in prose',
  'a child of a child',
  'a child that waits',
  'a child that goes on',
  'a chat that waits',
  'a chat that goes on',
] as const;

let streams: Record<(typeof STREAMS)[number], AGUIEvent[]>;
let models: ScriptedModels;
let server: Awaited<ReturnType<typeof serve>>;
let current: readonly AGUIEvent[];

beforeAll(async () => {
  models = await ScriptedModels.start(createOpenaiChat, {
    parent: (request) =>
      hasResult(request)
        ? { text: 'It costs 10.' }
        : { text: 'Delegating.', calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }] },
    child: (request) =>
      'fetch-1' in toolResults(request)
        ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }
        : { calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }] },
  });
  const [waits, goesOn] = await suspendedAndResumed();
  const [chatWaits, chatGoesOn] = await chatRuns(models);
  streams = {
    'a refused and an accepted return': await recorded(delegate(accepted, undefined, fixed(CLOCK))),
    'a child that fails': await recorded(delegate(failing, undefined, fixed(CLOCK))),
    'a child in prose': await recorded(delegate(prose, undefined, fixed(CLOCK))),
    'a child of a child': await recorded(delegate(nesting, undefined, fixed(CLOCK))),
    'a child that waits': waits,
    'a child that goes on': goesOn,
    'a chat that waits': chatWaits,
    'a chat that goes on': chatGoesOn,
  };
  server = await serve(async () =>
    sseResponse(
      (async function* () {
        yield* current;
      })(),
    ),
  );
});
afterAll(async () => {
  await server.stop();
  await models.stop();
});

describe.each([
  ['1.0.0', HttpAgent],
  ['0.0.59', HttpAgentBefore1],
])('@ag-ui/client %s reads over loopback', (_version, Client) => {
  it.each(STREAMS)('%s', async (stream) => {
    current = streams[stream];
    const read: string[] = [];
    const agent = new Client({ url: server.url, threadId: 'thread' });
    await agent.runAgent({}, { onEvent: ({ event }) => void read.push(event.type) });
    expect(read).toEqual(current.map(({ type }) => type));
  });

  it('counts what the run cost, its children included', async () => {
    current = streams['a refused and an accepted return'];
    const usages: unknown[] = [];
    const agent = new Client({ url: server.url, threadId: 'thread' });
    await agent.runAgent({}, { onRunFinishedEvent: ({ event }) => void usages.push(event.usage) });
    expect(usages).toEqual([[{ inputTokens: 3 }]]);
  });
});

const folder = resolve(import.meta.dirname, '../../../.cache/ag-ui-validate');
const program = [`${folder}/bin/ag-ui-validate`, `${folder}/Scripts/ag-ui-validate.exe`].find(existsSync);

interface Report {
  summary: { errors: number; warnings: number };
  diagnostics: { rule: string; severity: string; message: string }[];
}

/** The validator's report on a stream, which it reads over loopback. */
function validate(...options: string[]): Promise<Report> {
  return new Promise((settle, reject) => {
    execFile(program ?? '', [server.url, '--json', '--timeout', '30', ...options], (error, stdout, stderr) => {
      // It ends with 1 for what it finds, which is in its report.
      if (stdout === '') reject(error ?? new Error(stderr));
      else settle(JSON.parse(stdout));
    });
  });
}

describe.skipIf(program === undefined)('ag-ui-validate reads over loopback', () => {
  it.each(STREAMS)('%s', { timeout: 60_000 }, async (stream) => {
    current = streams[stream];
    // It does not know that a run may answer a call that an earlier run opened.
    const resumed = stream.endsWith('goes on');
    const { diagnostics } = await validate(...(resumed ? ['--off', 'AGUI207'] : []));
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('and refuses what is wrong', { timeout: 60_000 }, async () => {
    current = streams['a child in prose'].filter(({ type }) => type !== 'SUBAGENT_STARTED');
    const { diagnostics } = await validate();
    expect(diagnostics.map(({ rule }) => rule)).toContain('AGUI602');
  });
});

if (program === undefined) {
  it('ag-ui-validate is not installed: its part of these tests is skipped, and `npm run setup` says why', (context) => {
    context.skip();
  });
}
