// TanStack AI's own ChatClient over loopback: client tools of a child, denial, and a page that is loaded anew.
import { chatParamsFromRequest, type Tool, toolDefinition, type UIMessage } from '@tanstack/ai';
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client';
import { chatWithSubagents, type SubagentsOptions, toSubagentResponse, withSubagentCards } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { approvedFetch, BRIEF, GOOD, scout } from './agents.js';
import { delegating, fetching } from './conversation.js';
import { ADAPTERS, type Role, type Script, ScriptedModels, toolResults } from './scripted-model.js';
import { ofType, serve } from './strict-client.js';

const KEYS = [{ id: 'k', secret: new Uint8Array(32).fill(7) }];

const where = toolDefinition({
  name: 'where_am_i',
  description: 'Asks the page for its place',
  inputSchema: z.object({}),
  outputSchema: z.object({ place: z.string() }),
});

/** A page of a browser: its client, and what its cards were told. */
function open(url: string, tools: Tool[], more: { threadId?: string; initialMessages?: UIMessage[] } = {}) {
  const shown: AGUIEvent[] = [];
  const errors: Error[] = [];
  const client = new ChatClient({
    connection: withSubagentCards(fetchServerSentEvents(url), { push: (event) => shown.push(event) }),
    tools: tools as never,
    onError: (error) => errors.push(error),
    ...more,
  });
  const answer = (approved: boolean) => {
    const [approval] = client.getInterrupts();
    expect(approval).toMatchObject({ kind: 'tool-approval', canResolve: true });
    (approval as unknown as { resolveInterrupt(approved: boolean): void }).resolveInterrupt(approved);
  };
  return { client, shown, errors, answer };
}

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  let server: Awaited<ReturnType<typeof serve>>;
  afterEach(async () => {
    await server.stop();
    await models.stop();
  });

  const start = async (scripts: Record<Role, Script>, tools: Tool[], more: Partial<SubagentsOptions> = {}) => {
    models = await ScriptedModels.start(create, scripts);
    const agent = scout(models, { tools });
    server = await serve(async (request) => {
      const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
      return toSubagentResponse(
        chatWithSubagents({
          adapter: models.adapter('parent'),
          messages,
          threadId,
          runId,
          parentRunId,
          resume,
          subagents: { agents: [agent], seal: { keys: KEYS }, ...more },
        }),
      );
    });
    return server.url;
  };
  const lastResult = (events: readonly AGUIEvent[]) => ofType(events, 'SUBAGENT_FINISHED').at(-1)?.result;

  it('runs a client tool of a child’s by itself, and the child goes on', async () => {
    const url = await start(
      {
        parent: delegating(BRIEF),
        child: (request) => {
          const read = toolResults(request)['where-1'];
          if (read === undefined) return { calls: [{ id: 'where-1', name: 'where_am_i', arguments: '{}' }] };
          expect(JSON.parse(read)).toEqual({ place: 'Bremen' });
          return { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] };
        },
      },
      [where],
    );
    let asked = 0;
    const tool = where.client(() => {
      asked += 1;
      return { place: 'Bremen' };
    });
    const page = open(url, [tool as never]);
    await page.client.sendMessage('price of A?');
    await expect.poll(() => lastResult(page.shown), { timeout: 5000 }).toMatchObject({ status: 'completed' });
    await expect.poll(() => page.client.getStatus(), { timeout: 5000 }).toBe('ready');
    expect([asked, page.errors]).toEqual([1, []]);
    expect(ofType(page.shown, 'RUN_STARTED')).toHaveLength(2);
    const parts = page.client.getMessages().flatMap((message) => message.parts);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'text', content: 'It costs 10.' }));
    // The child's call is in its card.
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))).toEqual(['scout']);
  });

  it('a denial goes back to the child', async () => {
    const asking = approvedFetch();
    const url = await start({ parent: delegating(BRIEF), child: fetching }, [asking.tool]);
    const page = open(url, [asking.client as never]);
    await page.client.sendMessage('price of A?');
    page.answer(false);
    await expect.poll(() => lastResult(page.shown), { timeout: 5000 }).toMatchObject({ status: 'completed' });
    expect(asking.ran).toEqual([]);
    expect(toolResults(models.requests.child[1])['fetch-1']).toContain('declined');
    expect(page.errors).toEqual([]);
  });

  it('a page that is loaded anew has the messages alone: the child asks again, and goes on', async () => {
    const asking = approvedFetch();
    const url = await start({ parent: delegating(BRIEF), child: fetching }, [asking.tool]);
    const before = open(url, [asking.client as never], { threadId: 'thread' });
    await before.client.sendMessage('price of A?');
    expect(before.client.getInterrupts()).toHaveLength(1);
    const [child] = ofType(before.shown, 'SUBAGENT_STARTED');

    const stored: UIMessage[] = JSON.parse(JSON.stringify(before.client.getMessages()));
    const after = open(url, [asking.client as never], { threadId: 'thread', initialMessages: stored });
    await after.client.sendMessage('and?');
    // Nothing of it has run: it is shown as it was, and asks what it asked.
    expect(models.requests.child).toHaveLength(1);
    expect(ofType(after.shown, 'SUBAGENT_STARTED')).toEqual([
      expect.objectContaining({ subagentRunId: child?.subagentRunId, parentToolCallId: 'call-1' }),
    ]);
    after.answer(true);
    await expect
      .poll(() => lastResult(after.shown), { timeout: 5000 })
      .toMatchObject({
        run_id: child?.subagentRunId,
        status: 'completed',
        final_result: JSON.parse(GOOD),
      });
    expect(asking.ran).toEqual(['https://a.example']);
    await expect.poll(() => after.client.getStatus(), { timeout: 5000 }).toBe('ready');
    expect([...before.errors, ...after.errors]).toEqual([]);
  });

  it('a turn that a router gives away ends there: the client does not go on by itself, and the next turn has it', async () => {
    const asking = approvedFetch();
    let asked = 0;
    const url = await start({ parent: () => ({ text: 'As I said.' }), child: fetching }, [asking.tool], {
      router: () => {
        asked += 1;
        return asked === 1 ? { name: 'scout', input: { task: 'the price of A' } } : 'main';
      },
    });
    const page = open(url, [asking.client as never]);
    await page.client.sendMessage('price of A?');
    expect(ofType(page.shown, 'TOOL_CALL_RESULT')).toEqual([]);
    page.answer(true);
    await expect.poll(() => lastResult(page.shown), { timeout: 5000 }).toMatchObject({ status: 'completed' });
    await expect.poll(() => page.client.getStatus(), { timeout: 5000 }).toBe('ready');
    expect(asking.ran).toEqual(['https://a.example']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([ofType(page.shown, 'RUN_STARTED').length, asked, models.requests.parent.length]).toEqual([2, 1, 0]);
    const parts = page.client.getMessages().flatMap((message) => message.parts);
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
    expect(calls).toEqual([ofType(page.shown, 'SUBAGENT_STARTED')[0]?.parentToolCallId]);

    await page.client.sendMessage('sure?');
    expect([asked, models.requests.parent.length]).toEqual([2, 1]);
    expect(JSON.stringify(models.requests.parent[0]?.messages)).toContain('final_result');
    expect(page.errors).toEqual([]);
  });
});
