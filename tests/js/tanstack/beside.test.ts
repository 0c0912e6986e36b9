// Who waits for what at the same time: a child's approval or client tool, denied or given, beside the parent's own.
import { type Tool, toolDefinition } from '@tanstack/ai';
import type { SubcontractAgent } from 'subcontract';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { approvedFetch, BRIEF, GOOD, scout } from './agents.js';
import { Conversation, fetching, interruptsOf, messagesOf } from './conversation.js';
import { ADAPTERS, hasResult, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { ofType } from './strict-client.js';

const SCOUT = { id: 'call-1', name: 'scout', arguments: BRIEF };

/** Calls `calls` at once, then says that it is done. */
const calling =
  (...calls: { id: string; name: string; arguments: string }[]): Script =>
  (request) =>
    hasResult(request) ? { text: 'done' } : { calls };

const where = toolDefinition({
  name: 'where_am_i',
  description: 'Asks the page for its place',
  inputSchema: z.object({}),
  outputSchema: z.object({ place: z.string() }),
});

/** A tool that asks first, and counts how often it ran. */
function paying() {
  const paid: unknown[] = [];
  const tool: Tool = toolDefinition({
    name: 'pay',
    description: 'Pays',
    needsApproval: true,
    inputSchema: z.object({}),
  }).server(() => {
    paid.push('paid');
    return 'paid';
  });
  return { paid, tool };
}

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const start = async (
    scripts: { parent: Script; child?: Script },
    agentOf: (models: ScriptedModels) => SubcontractAgent,
    tools: Tool[] = [],
  ) => {
    models = await ScriptedModels.start(create, { child: fetching, ...scripts });
    return new Conversation(models, agentOf(models), 'none', { tools });
  };
  /** Goes on, with an answer to each interrupt by what it is about. */
  const go = (
    conversation: Conversation,
    waiting: readonly AGUIEvent[],
    payloads: (interrupt: ReturnType<typeof interruptsOf>[number]) => unknown,
    runs: [runId: string, parentRunId: string] = ['run-2', 'run-1'],
  ) =>
    conversation.post({
      runId: runs[0],
      parentRunId: runs[1],
      messages: messagesOf(waiting),
      resume: interruptsOf(waiting).map((interrupt) => ({
        interruptId: interrupt.id,
        status: 'resolved',
        payload: payloads(interrupt),
      })),
    });
  const childOf = (events: readonly AGUIEvent[]) => ofType(events, 'SUBAGENT_STARTED')[0]?.subagentRunId;

  it('a denied approval is the tool’s result for the child, which goes on without it', async () => {
    const page = approvedFetch();
    const conversation = await start(
      {
        parent: calling(SCOUT),
        child: (request) => {
          const read = toolResults(request)['fetch-1'];
          if (read === undefined) return { calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"u"}' }] };
          expect(read).toContain('declined');
          return { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] };
        },
      },
      (given) => scout(given, { tools: [page.tool] }),
    );
    const second = await go(conversation, await conversation.ask(), () => ({ approved: false }));
    expect(page.ran).toEqual([]);
    expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      status: 'completed',
      final_result: JSON.parse(GOOD),
    });
  });

  it('an approval with other arguments runs the child’s tool with those', async () => {
    const page = approvedFetch();
    const conversation = await start({ parent: calling(SCOUT) }, (given) => scout(given, { tools: [page.tool] }));
    const edited = { approved: true, editedArgs: { url: 'https://b.example' } };
    const second = await go(conversation, await conversation.ask(), () => edited);
    expect(page.ran).toEqual(['https://b.example']);
    expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({ status: 'completed' });
  });

  it('a client tool of the child’s is run by the client, and its output goes back to the child', async () => {
    const conversation = await start(
      {
        parent: calling(SCOUT),
        child: (request) => {
          const read = toolResults(request)['where-1'];
          if (read === undefined) return { calls: [{ id: 'where-1', name: 'where_am_i', arguments: '{}' }] };
          expect(JSON.parse(read)).toEqual({ place: 'Bremen' });
          return { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] };
        },
      },
      (given) => scout(given, { tools: [where] }),
    );
    const first = await conversation.ask();
    const child = childOf(first);
    expect(interruptsOf(first)).toEqual([
      expect.objectContaining({
        id: `${child}:client_tool_where-1`,
        subagentRunId: child,
        toolCallId: `${child}:where-1`,
        responseSchema: expect.objectContaining({ properties: expect.objectContaining({ place: expect.anything() }) }),
      }),
    ]);
    expect(ofType(first, 'TOOL_CALL_RESULT')).toEqual([]);
    const second = await go(conversation, first, () => ({ place: 'Bremen' }));
    expect(childOf(second)).toBe(child);
    expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({ status: 'completed' });
    expect(ofType(second, 'RUN_FINISHED')).toHaveLength(1);
  });

  it('a client tool of the parent’s and a child’s approval are asked for together, and answered together', async () => {
    const page = approvedFetch();
    const conversation = await start(
      { parent: calling(SCOUT, { id: 'where-1', name: 'where_am_i', arguments: '{}' }) },
      (given) => scout(given, { tools: [page.tool] }),
      [where],
    );
    const first = await conversation.ask();
    const child = childOf(first);
    expect(interruptsOf(first).map(({ id, subagentRunId }) => [id, subagentRunId])).toEqual([
      ['client_tool_where-1', undefined],
      [`${child}:approval_fetch-1`, child],
    ]);
    expect(ofType(first, 'SUBAGENT_FINISHED')[0]?.outcome).toMatchObject({
      interruptIds: [`${child}:approval_fetch-1`],
    });
    expect(ofType(first, 'TOOL_CALL_RESULT')).toEqual([]);
    const second = await go(conversation, first, ({ subagentRunId }) =>
      subagentRunId === undefined ? { place: 'Bremen' } : { approved: true },
    );
    expect(page.ran).toEqual(['https://a.example']);
    expect(interruptsOf(second)).toEqual([]);
    const read = toolResults(models.requests.parent[1]);
    expect(read['call-1']).toContain('"final_result":{"plan"');
    expect(JSON.parse(read['where-1'] ?? '')).toEqual({ place: 'Bremen' });
    expect(models.requests.parent).toHaveLength(2);
  });

  it('an approval of the parent’s comes before the children of its turn, which 0.58 carries out after it', async () => {
    const page = approvedFetch();
    const pay = paying();
    const conversation = await start(
      { parent: calling(SCOUT, { id: 'pay-1', name: 'pay', arguments: '{}' }) },
      (given) => scout(given, { tools: [page.tool] }),
      [pay.tool],
    );
    const first = await conversation.ask();
    expect(interruptsOf(first).map(({ id }) => id)).toEqual(['approval_pay-1']);
    expect(ofType(first, 'SUBAGENT_STARTED')).toEqual([]);
    const second = await go(conversation, first, () => ({ approved: true }));
    expect(pay.paid).toEqual(['paid']);
    expect(interruptsOf(second).map(({ subagentRunId }) => subagentRunId)).toEqual([childOf(second)]);
    const third = await go(conversation, second, () => ({ approved: true }), ['run-3', 'run-2']);
    expect(page.ran).toEqual(['https://a.example']);
    expect(pay.paid).toEqual(['paid']);
    const read = toolResults(models.requests.parent[1]);
    expect(read['pay-1']).toBe('paid');
    expect(read['call-1']).toContain('"final_result":{"plan"');
    expect(interruptsOf(third)).toEqual([]);
  });

  it('a child that waits beside one that has ended: only the first goes on', async () => {
    const page = approvedFetch();
    const conversation = await start(
      {
        parent: calling(
          { id: 'call-1', name: 'scout', arguments: '{"task":"ask first"}' },
          { id: 'call-2', name: 'scout', arguments: '{"task":"you know it"}' },
        ),
        child: (request, turn) =>
          JSON.stringify(request.messages).includes('you know it')
            ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }
            : fetching(request, turn),
      },
      (given) => scout(given, { tools: [page.tool] }),
    );
    const first = await conversation.ask();
    const [waiting, ended] = ofType(first, 'SUBAGENT_STARTED');
    expect(ofType(first, 'TOOL_CALL_RESULT').filter((event) => event.subagentRunId === undefined)).toEqual([
      expect.objectContaining({ toolCallId: 'call-2' }),
    ]);
    expect(ofType(first, 'RUN_FINISHED')[0]?.metadata?.subcontract).toMatchObject({
      usage: { children: [expect.anything(), expect.anything()] },
    });
    const second = await go(conversation, first, () => ({ approved: true }));
    expect(ofType(second, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId)).toEqual([
      waiting?.subagentRunId,
    ]);
    expect(ended).toBeDefined();
    const read = toolResults(models.requests.parent[1]);
    expect(Object.values(read).map((text) => JSON.parse(text).final_result)).toEqual([
      JSON.parse(GOOD),
      JSON.parse(GOOD),
    ]);
  });
});
