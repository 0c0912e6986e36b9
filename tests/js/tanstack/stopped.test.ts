// A run that is stopped, at each of its events: what it has begun is ended, and what waits is nobody's promise.
import { memoryResumeStore, type SubcontractAgent } from 'subcontract';
import { lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents } from 'subcontract/tanstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AGUIEvent, ResumeEntry } from '../../../js/ag-ui/events.js';
import { GOOD, scout } from './agents.js';
import { fetching, fetchTool, interruptsOf, messagesOf, resultOf } from './conversation.js';
import { ADAPTERS, hasResult, ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType, verify } from './strict-client.js';

const KEYS = [{ id: 'k1', secret: new Uint8Array(32).fill(5) }];
const call = (vendor: string) => ({ id: `call-${vendor}`, name: 'scout', arguments: `{"task":"${vendor}"}` });

describe.each(ADAPTERS)('over the %s adapter', (_name, create) => {
  let models: ScriptedModels;
  let page: ReturnType<typeof fetchTool>;
  let agent: SubcontractAgent;
  let seal: { keys: typeof KEYS; store: ReturnType<typeof memoryResumeStore> };
  beforeAll(async () => {
    models = await ScriptedModels.start(create, {
      // The first child returns at once, the second has to ask.
      parent: (request) => (hasResult(request) ? { text: 'done' } : { text: 'Both.', calls: [call('A'), call('B')] }),
      child: (request, turn) =>
        'fetch-1' in toolResults(request) || JSON.stringify(request.messages).includes('"A"')
          ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }
          : fetching(request, turn),
    });
    page = fetchTool();
    agent = scout(models, { tools: [page.tool] });
  });
  afterAll(() => models.stop());

  const run = (more: object, abortController = new AbortController()) =>
    chatWithSubagents({
      adapter: models.adapter('parent'),
      threadId: 'thread',
      messages: [{ role: 'user', content: 'prices?' }],
      abortController,
      ...more,
      subagents: { agents: [agent], seal },
    });
  const ask = async () => {
    seal = { keys: KEYS, store: memoryResumeStore() };
    return collect(run({ runId: 'run-1' }));
  };
  const answering = (waiting: readonly AGUIEvent[]) => ({
    parentRunId: 'run-1',
    messages: messagesOf(waiting) as never,
    resume: interruptsOf(waiting).map(
      ({ id }): ResumeEntry => ({ interruptId: id, status: 'resolved', payload: { approved: true } }),
    ),
  });
  /** The events of a run that is stopped when it has sent `count` of them. */
  const stoppedAt = async (count: number, more: object) => {
    const controller = new AbortController();
    const events: AGUIEvent[] = [];
    if (count === 0) controller.abort();
    for await (const event of run(more, controller)) {
      events.push(event);
      if (events.length === count) controller.abort(new Error('enough'));
    }
    return events;
  };

  it('is cancelled with every child of it: none is left waiting where nobody asks', async () => {
    const whole = await ask();
    for (let count = 0; count < whole.length; count++) {
      const events = await stoppedAt(count, { runId: 'run-1' });
      await verify(events);
      // At the very last the run has said what it asks.
      const waits = ofType(events, 'SUBAGENT_FINISHED').some(({ outcome }) => outcome?.type === 'suspended');
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
        outcome: { type: waits ? 'interrupt' : 'cancelled' },
      });
      expect(waits).toBe(count === whole.length - 1);
      const ended = [...ofType(events, 'SUBAGENT_FINISHED'), ...ofType(events, 'SUBAGENT_ERROR')];
      expect(ended).toHaveLength(ofType(events, 'SUBAGENT_STARTED').length);
    }
  }, 60_000);

  it('a resumed run that is stopped has the child once: whoever asks again hears what it came to', async () => {
    const whole = await collect(run({ runId: 'run-2', ...answering(await ask()) }));
    for (let count = 0; count < whole.length; count++) {
      const waiting = await ask();
      const [asked] = ofType(waiting, 'SUBAGENT_FINISHED').filter(({ outcome }) => outcome?.type === 'suspended');
      page.ran.length = 0;
      const sent = answering(waiting);
      const events = await stoppedAt(count, { runId: 'run-2', ...sent });
      const findings = lintEvents(events, { earlier: waiting, resume: sent.resume });
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
      const again = await collect(run({ runId: 'run-3', ...sent }));
      expect(ofType(again, 'SUBAGENT_STARTED').map(({ subagentRunId }) => subagentRunId)).toEqual([
        asked?.subagentRunId,
      ]);
      expect(page.ran.length).toBeLessThanOrEqual(1);
      const [failed] = ofType(again, 'SUBAGENT_ERROR');
      if (failed) expect(failed.code).toBe('aborted');
      else expect(resultOf(again)).toMatchObject({ status: 'completed', final_result: JSON.parse(GOOD) });
      expect(Object.keys(toolResults(models.requests.parent.at(-1)))).toEqual(['call-A', 'call-B']);
    }
  }, 60_000);

  it('by a middleware beside a child that waits, it ends as cancelled as well', async () => {
    seal = { keys: KEYS, store: memoryResumeStore() };
    // The one that waits has said so when the other's call is forbidden.
    const events = await collect(
      run({
        runId: 'run-1',
        middleware: [
          {
            name: 'own',
            onAfterToolCall: (context: { abort(reason: string): void }) => context.abort('enough'),
          },
        ],
      }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(ofType(events, 'SUBAGENT_FINISHED').map(({ outcome }) => outcome?.type)).not.toContain('suspended');
  });
});
