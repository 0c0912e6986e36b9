// The card store behind the client of AG-UI 1.0.0, over loopback: a host's own loop with delegate().
import { HttpAgent } from '@ag-ui/client';
import { compileContract, defineAgent, delegate, researchResult } from 'subcontract';
import { type AGUIEvent, toSSE } from 'subcontract/ag-ui';
import { createCardStore } from 'subcontract/cards';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedChild } from '../delegate/scripted-child.js';
import { serve } from '../tanstack/strict-client.js';
import { RECORD } from './child-events.js';

const BRIEF = { task: 'who is affected?' };
const researcher = defineAgent({
  name: 'researcher',
  description: 'Finds out',
  inputSchema: z.object({ task: z.string() }),
  outputSchema: researchResult,
  earlyReject: false,
  run: (ctx) => {
    ctx.seed([{ role: 'user', content: ctx.input.task }]);
    const search = { name: 'search', execute: () => '3 hits' };
    return scriptedChild(
      [
        { text: 'Looking.', calls: [{ id: 's', name: 'search', args: '{"q":1}' }] },
        { calls: [{ id: 'r1', name: 'research_result', args: '{"findings":[]}' }] },
        {
          calls: [{ id: 'r2', name: 'research_result', args: JSON.stringify(RECORD) }],
          usage: [{ inputTokens: 9, outputTokens: 3 }],
        },
      ],
      [search, ...ctx.tools],
    );
  },
});

async function* run(threadId: string, runId: string): AsyncGenerator<AGUIEvent> {
  const call = { toolCallId: 'call-1' };
  yield { type: 'RUN_STARTED', threadId, runId };
  yield { type: 'TOOL_CALL_START', toolCallName: 'researcher', ...call };
  yield { type: 'TOOL_CALL_ARGS', delta: JSON.stringify(BRIEF), ...call };
  yield { type: 'TOOL_CALL_END', ...call };
  const delegation = delegate(researcher, BRIEF, { threadId, parentToolCallId: 'call-1', seal: 'none' });
  yield* delegation;
  yield { type: 'TOOL_CALL_RESULT', messageId: 'm-1', content: await delegation.toolResult, ...call };
  yield { type: 'RUN_FINISHED', threadId, runId };
}

it('takes the events of a whole run, and the messages that the client keeps', async () => {
  const server = await serve(async (request) => {
    const { threadId, runId } = (await request.json()) as { threadId: string; runId: string };
    return new Response(toSSE(run(threadId, runId)), { headers: { 'content-type': 'text/event-stream' } });
  });
  const agents = [{ name: 'researcher', outputSchema: researchResult }];
  const cards = createCardStore({ agents });
  const client = new HttpAgent({ url: server.url, threadId: 'thread' });
  client.subscribe({ onEvent: ({ event }) => cards.push(event as AGUIEvent) });
  client.addMessage({ id: 'u', role: 'user', content: 'Go.' });
  await client.runAgent({ runId: 'run-1' });
  await server.stop();

  const contract = { source: 'output_schema', digest: compileContract(researchResult).digest };
  const [card, ...others] = cards.snapshot().cards;
  expect(others).toEqual([]);
  expect(card).toMatchObject({
    agent: 'researcher',
    description: 'Finds out',
    status: 'finished',
    brief: { value: BRIEF },
    contract,
    attempts: [
      { attempt: 1, outcome: 'rejected', code: 'schema_violation' },
      { attempt: 2, outcome: 'accepted' },
    ],
    maxAttempts: 3,
    toolCalls: [{ name: 'search', status: 'done', args: { text: '{"q":1}' }, result: { text: '3 hits' } }],
    words: { text: 'Looking.' },
    return: { value: RECORD, source: 'envelope', status: 'complete' },
    check: { verdict: 'valid', streamed: 'same' },
    usage: [{ inputTokens: 9, outputTokens: 3 }],
  });

  const again = createCardStore({ agents });
  again.fromMessages(JSON.parse(JSON.stringify(client.messages)));
  expect(again.snapshot().cards).toMatchObject([
    {
      id: card?.id,
      status: 'finished',
      brief: { value: BRIEF },
      return: { value: RECORD },
      check: { verdict: 'valid' },
    },
  ]);
});
