// `subagents.transcripts` in chat(): the parent's model reads the handle, and a span of what it leads to.
import { memoryTranscripts, transcriptSpanTool } from 'subcontract';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterEach, describe, expect, it } from 'vitest';
import { BRIEF, GOOD, scout } from './agents.js';
import { fetching, fetchTool, interruptsOf, messagesOf } from './conversation.js';
import { ADAPTERS, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

describe.each(ADAPTERS)('transcripts in chat(), over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  afterEach(() => models.stop());

  it.each([
    ['an own tool', false, 'scout', BRIEF, 'render'],
    ['delegate_task', true, 'delegate_task', `{"subagent":"scout","input":${BRIEF}}`, 'json'],
  ] as const)(
    '%s: the handle goes to the model, over an approval too',
    async (_, delegateTask, name, args, present) => {
      const store = memoryTranscripts();
      const spans: unknown[] = [];
      models = await ScriptedModels.start(create, {
        parent: (request) => {
          const results = toolResults(request);
          const span = results['span-1'];
          if (span !== undefined) {
            spans.push(JSON.parse(span));
            return { text: 'It costs 10.' };
          }
          const shown = results['call-1'];
          if (shown === undefined) return { calls: [{ id: 'call-1', name, arguments: args }] };
          // Rendered, the handle is the last line.
          const [, ref] = /transcript_ref"?: ?"([^"]+)"\}?$/.exec(shown) ?? [];
          const wanted = JSON.stringify({ ref, tool_call_id: 'fetch-1' });
          return { calls: [{ id: 'span-1', name: 'fetch_transcript_span', arguments: wanted }] };
        },
        child: fetching,
      });
      const { tool } = fetchTool();
      const run = async (messages: unknown[], more: object) =>
        collect(
          chatWithSubagents({
            adapter: models.adapter('parent'),
            messages: messages as never,
            threadId: 'thread',
            tools: [transcriptSpanTool({ store, threadId: 'thread' })],
            subagents: {
              agents: [scout(models, { tools: [tool] })],
              delegateTask,
              seal: 'none',
              transcripts: { store },
              present,
            },
            ...more,
          }),
        );
      const first = await run([{ role: 'user', content: 'the price?' }], { runId: 'run-1' });
      const [interrupt] = interruptsOf(first);
      expect(interrupt).toBeDefined();
      // What the child did is kept while it waits.
      const ref = ofType(first, 'SUBAGENT_STARTED')[0]?.subagentRunId ?? '';
      expect((await store.load(ref))?.entries).toMatchObject([{ id: 'fetch-1', name: 'fetch_page' }]);
      const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: { approved: true } }];
      const second = await run(messagesOf(first), { runId: 'run-2', parentRunId: 'run-1', resume });
      expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
        final_result: JSON.parse(GOOD),
        transcript_ref: ref,
      });
      expect(spans).toEqual([
        {
          ref,
          tool_call_id: 'fetch-1',
          tool: 'fetch_page',
          args: '{"url":"https://a.example"}',
          result: expect.stringContaining('Team: 10'),
        },
      ]);
    },
    30_000,
  );
});
