// A whole delegation over each real adapter: repair, a suspension with an approval, and what it all cost.
import { afterEach, describe, expect, test } from 'vitest';
import { approvedFetch, BAD, BRIEF, GOOD } from '../tanstack/agents.js';
import { ofType } from '../tanstack/strict-client.js';
import { ADAPTERS, Provider, type Script, toolResults } from './provider.js';
import { interruptsOf, scout, Thread } from './thread.js';

const parent: Script = (request) =>
  'call-1' in toolResults(request)
    ? { text: 'It costs 10.', tokens: [50, 5] }
    : { text: 'Delegating.', calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }], tokens: [40, 8] };

describe.each(ADAPTERS.map((adapter) => [adapter.name, adapter] as const))('over %s', (_name, adapter) => {
  let provider: Provider;
  afterEach(() => provider.stop());

  const usage = (input: number, output: number) => {
    const inputTokens = adapter.countsInput ? input : 0;
    return expect.objectContaining({ inputTokens, outputTokens: output, totalTokens: inputTokens + output });
  };

  test.each([
    ['whole', false],
    ['while it streams in', true],
  ])('a bad return is refused %s and mended', async (_when, earlyReject) => {
    let attempts = 0;
    provider = await Provider.start(adapter, {
      parent,
      child: () => {
        attempts += 1;
        const args = attempts === 1 ? BAD : GOOD;
        return {
          text: `Attempt ${attempts}.`,
          calls: [{ id: `return-${attempts}`, name: 'price_record', arguments: args }],
          tokens: [100, 20],
        };
      },
    });
    const events = await new Thread(provider, scout(provider, [], { earlyReject })).ask();

    const [finished] = ofType(events, 'SUBAGENT_FINISHED');
    expect(finished?.result).toMatchObject({
      status: 'completed',
      final_result: JSON.parse(GOOD),
      attempts: [
        { attempt: 1, outcome: 'rejected', code: 'schema_violation' },
        { attempt: 2, outcome: 'accepted' },
      ],
    });
    const second = provider.requests.child[1];
    const told = JSON.stringify(second?.messages);
    expect(told).toContain('/price');
    expect(told).toContain('find the list price of vendor A');
    const result = toolResults(provider.requests.parent[1] as never)['call-1'] ?? '';
    expect(JSON.parse(result)).toMatchObject({ subagent: 'scout', final_result: JSON.parse(GOOD) });
    expect(result).not.toContain('ten');
    // What a cut generation used is not reported by providers.
    const childCost = earlyReject ? usage(100, 20) : usage(200, 40);
    expect(finished?.metadata?.subcontract).toMatchObject({ usage: [childCost] });
    const all = earlyReject ? usage(190, 33) : usage(290, 53);
    expect(ofType(events, 'RUN_FINISHED')).toEqual([expect.objectContaining({ usage: [all] })]);
  });

  test('a child waits for an approval, goes on in the next run, and every token is counted once', async () => {
    provider = await Provider.start(adapter, {
      parent,
      child: (request) =>
        'fetch-1' in toolResults(request)
          ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }], tokens: [100, 20] }
          : {
              text: 'Looking.',
              calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }],
              tokens: [90, 10],
            },
    });
    const page = approvedFetch();
    const thread = new Thread(provider, scout(provider, [page.tool]));
    const first = await thread.ask();
    const [asked] = interruptsOf(first);
    const [started] = ofType(first, 'SUBAGENT_STARTED');
    expect(asked).toMatchObject({ subagentRunId: started?.subagentRunId });
    expect(page.ran).toEqual([]);
    expect(ofType(first, 'TOOL_CALL_RESULT')).toEqual([]);
    expect(ofType(first, 'RUN_FINISHED')[0]?.usage).toEqual([usage(130, 18)]);

    const second = await thread.approve(first);
    expect(page.ran).toEqual(['https://a.example']);
    expect(ofType(second, 'SUBAGENT_STARTED')[0]?.subagentRunId).toBe(started?.subagentRunId);
    expect(ofType(second, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      status: 'completed',
      final_result: JSON.parse(GOOD),
    });
    expect(toolResults(provider.requests.child[1] as never)['fetch-1']).toContain('Team: 10');
    expect(ofType(second, 'RUN_FINISHED')[0]?.usage).toEqual([usage(150, 25)]);
  });
});
