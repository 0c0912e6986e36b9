// What `chat()` 0.58 sends of itself, read by AG-UI's strict client: what the README says of it, and that the wrapper mends it.
import { HttpAgent } from '@ag-ui/client';
import { chat, toolDefinition, toServerSentEventsResponse } from '@tanstack/ai';
import { chatWithSubagents, toSubagentResponse } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scout } from './agents.js';
import { ADAPTERS, hasResult, ScriptedModels } from './scripted-model.js';
import { serve, strictRun } from './strict-client.js';

const lookUp = toolDefinition({ name: 'look_up', description: 'Looks it up', inputSchema: z.object({}) }).server(
  async () => ({ price: 10 }),
);

const SSE = { 'content-type': 'text/event-stream' };

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  const read = async (handler: () => Response) => {
    models = await ScriptedModels.start(create, {
      parent: (request) =>
        hasResult(request) ? { text: 'It costs 10.' } : { calls: [{ id: 'call-1', name: 'look_up', arguments: '{}' }] },
      child: () => ({ text: 'never asked' }),
    });
    // Whole, for a client that refuses an event leaves a stream that still comes.
    const server = await serve(async () => new Response(await handler().text(), { headers: SSE }));
    try {
      const agent = new HttpAgent({ url: server.url, threadId: 'thread' });
      agent.messages = [{ id: 'q', role: 'user', content: 'what does it cost?' }];
      return await strictRun(agent, {});
    } finally {
      await server.stop();
    }
  };
  const options = () => ({
    adapter: models.adapter('parent'),
    messages: [{ role: 'user' as const, content: 'what does it cost?' }],
    threadId: 'thread',
    runId: 'run-1',
    tools: [lookUp],
  });

  it('a turn with a server tool is refused', async () => {
    await expect(read(() => toServerSentEventsResponse(chat(options())))).rejects.toThrow(/already finished/);
  });

  it('the same turn through the wrapper is read to its end', async () => {
    const subagents = { agents: [scout(models)], seal: 'none' as const };
    const events = await read(() => toSubagentResponse(chatWithSubagents({ ...options(), subagents })));
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
    expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toHaveLength(1);
  });
});
