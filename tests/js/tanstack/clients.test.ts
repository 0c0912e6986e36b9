// Real clients over loopback: the strict one of AG-UI 1.0.0, and TanStack AI's own ChatClient.
import { HttpAgent } from '@ag-ui/client';
import { chatParamsFromRequest } from '@tanstack/ai';
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client';
import { chatWithSubagents, toSubagentResponse, withSubagentCards } from 'subcontract/tanstack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { approvedFetch, BRIEF, GOOD, scout } from './agents.js';
import { ADAPTERS, hasResult, ScriptedModels, toolResults } from './scripted-model.js';
import { ofType, outline, serve, strictRun } from './strict-client.js';

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  let server: Awaited<ReturnType<typeof serve>>;
  let page: ReturnType<typeof approvedFetch>;
  const bodies: Record<string, unknown>[] = [];

  beforeEach(async () => {
    bodies.length = 0;
    page = approvedFetch();
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request)
          ? { text: 'It costs 10.', tokens: [50, 5] }
          : {
              text: 'Delegating.',
              reasoning: 'someone else knows',
              calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }],
              tokens: [40, 8],
            },
      child: (request) =>
        'fetch-1' in toolResults(request)
          ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }], tokens: [100, 20] }
          : {
              text: 'Looking.',
              reasoning: 'where would it be',
              calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }],
              tokens: [90, 10],
            },
    });
    const agent = scout(models, { tools: [page.tool] });
    server = await serve(async (request) => {
      bodies.push(await request.clone().json());
      const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
      return toSubagentResponse(
        chatWithSubagents({
          adapter: models.adapter('parent'),
          messages,
          threadId,
          runId,
          parentRunId,
          resume,
          subagents: { agents: [agent], seal: 'none' },
        }),
      );
    });
  });
  afterEach(async () => {
    await server.stop();
    await models.stop();
  });

  it('the strict client of AG-UI 1.0.0 takes both runs and replays what is needed', async () => {
    const client = new HttpAgent({ url: server.url, threadId: 'thread' });
    client.addMessage({ id: 'm-1', role: 'user', content: 'price of A?' });
    const first = await strictRun(client, { runId: 'run-1' });
    const outcome = ofType(first, 'RUN_FINISHED')[0]?.outcome;
    if (outcome?.type !== 'interrupt') throw new Error('the run did not wait');
    expect(page.ran).toEqual([]);

    const second = await strictRun(client, {
      runId: 'run-2',
      resume: outcome.interrupts.map(({ id }) => ({
        interruptId: id,
        status: 'resolved' as const,
        payload: { approved: true },
      })),
    });
    expect(page.ran).toEqual(['https://a.example']);
    expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      status: 'completed',
      final_result: JSON.parse(GOOD),
    });
    expect(ofType(second, 'RUN_FINISHED')[0]?.usage).toEqual([
      expect.objectContaining({ inputTokens: 150, outputTokens: 25, totalTokens: 175 }),
    ]);
    const results = client.messages.filter(({ role }) => role === 'tool');
    expect(results.some(({ content }) => String(content).includes('"final_result":{"plan"'))).toBe(true);
  });

  it("TanStack's ChatClient shows the child's approval, answers it, and gets the result", async () => {
    const usages: unknown[] = [];
    const errors: Error[] = [];
    const shown: AGUIEvent[] = [];
    const client = new ChatClient({
      connection: withSubagentCards(fetchServerSentEvents(server.url), { push: (event) => shown.push(event) }),
      tools: [page.client],
      onChunk: (chunk) => {
        if (chunk.type === 'RUN_FINISHED') usages.push(chunk.usage);
      },
      onError: (error) => errors.push(error),
    });
    await client.sendMessage('price of A?');
    // The child's are in the cards, and nowhere in the messages.
    const own = client.getMessages().flatMap((message) => message.parts);
    const words = own.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [part.content] : []));
    expect(words).toEqual(expect.arrayContaining(['price of A?', 'Delegating.']));
    expect(words.join()).not.toMatch(/Looking|where would it be/);
    expect(own.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))).toEqual(['scout']);
    expect(ofType(shown, 'SUBAGENT_STARTED')).toEqual([expect.objectContaining({ parentToolCallId: 'call-1' })]);
    expect(outline(shown).at(-1)).toBe('RUN_FINISHED');
    expect(ofType(shown, 'RUN_FINISHED')[0]?.usage).toEqual([expect.objectContaining({ inputTokens: 130 })]);
    const [approval] = client.getInterrupts();
    expect(approval).toMatchObject({ kind: 'tool-approval', canResolve: true });
    (approval as unknown as { resolveInterrupt(approved: boolean): void }).resolveInterrupt(true);
    await expect.poll(() => usages.length, { timeout: 5000 }).toBe(2);

    expect(errors).toEqual([]);
    expect(page.ran).toEqual(['https://a.example']);
    expect(bodies[1]?.parentRunId).toBe(bodies[0]?.runId);
    const parts = client.getMessages().flatMap((message) => message.parts);
    const result = parts.find((part) => part.type === 'tool-result' && part.toolCallId === 'call-1');
    expect(result).toMatchObject({ content: expect.stringContaining('"final_result":{"plan"') });
    expect(parts).toContainEqual(expect.objectContaining({ type: 'text', content: 'It costs 10.' }));
    // The client reads the first entry only: the total of parent and child is there.
    expect(usages).toEqual([
      expect.objectContaining({ promptTokens: 130, completionTokens: 18, totalTokens: 148 }),
      expect.objectContaining({ promptTokens: 150, completionTokens: 25, totalTokens: 175 }),
    ]);
  });
});
