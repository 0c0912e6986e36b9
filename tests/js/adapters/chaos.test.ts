// A provider that fails, each adapter, the parent's model and the child's: nothing hangs, each end says what happened, and no key leaks.
import type { AGUIEvent } from 'subcontract/ag-ui';
import { describe, expect, test } from 'vitest';
import { BAD, BRIEF, GOOD } from '../tanstack/agents.js';
import { ofType } from '../tanstack/strict-client.js';
import {
  ADAPTERS,
  type Adapter,
  type Fault,
  KEY,
  Provider,
  type Request,
  type Role,
  type Script,
  toolResults,
} from './provider.js';
import { scout, Thread } from './thread.js';

const parent: Script = (request) =>
  'call-1' in toolResults(request)
    ? { text: 'It costs 10, says the scout who has looked around for it.', tokens: [50, 5] }
    : { text: 'Delegating to a scout.', calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }], tokens: [40, 8] };

/** Its first return is refused, the second holds. */
const child: Script = (request) =>
  'return-1' in toolResults(request)
    ? {
        text: 'Looking again here.',
        calls: [{ id: 'return-2', name: 'price_record', arguments: GOOD }],
        tokens: [30, 3],
      }
    : {
        text: 'Looking around here.',
        calls: [{ id: 'return-1', name: 'price_record', arguments: BAD }],
        tokens: [20, 2],
      };

const hasResults = ({ messages }: Request) => messages.some(({ role }) => role === 'tool');

/** Where a call of a model stands in its run. */
const CALLS: readonly [string, (request: Request) => boolean][] = [
  ['first', (request) => !hasResults(request)],
  ['second', hasResults],
];

const PASSWORD = 'hunter2-of-the-proxy';
const quoting = `Incorrect API key provided: ${KEY}, by https://proxy:${PASSWORD}@gateway.example/v1?key=${KEY}`;

/** `message`: what an error says of it, by which kind of thing went wrong. */
const FAULTS: readonly (Fault & { kind: 'status' | 'connection' | 'silence'; message: RegExp })[] = [
  { name: 'answers 500', kind: 'status', message: /500.*request dropped/, options: { chaos: { dropRate: 1 } } },
  { name: 'answers 429', kind: 'status', message: /429.*rate limit/, options: { chaos: { rateLimitRate: 1 } } },
  {
    name: 'quotes the key',
    kind: 'status',
    message:
      /401.*Incorrect API key provided: \[hidden\], by https:\/\/\[hidden\]@gateway\.example\/v1\?key=\[hidden\]/,
    error: { status: 401, message: quoting },
  },
  {
    name: 'hangs up at once',
    kind: 'connection',
    message: /Connection error/,
    options: { chaos: { disconnectRate: 1 } },
  },
  {
    name: 'hangs up in the middle of a text',
    kind: 'connection',
    message: /Connection error/,
    options: { truncateAfterChunks: 3 },
  },
  {
    name: 'hangs up in the middle of a call',
    kind: 'connection',
    message: /Connection error/,
    options: { truncateAfterChunks: 6 },
  },
  {
    name: 'answers what is no JSON',
    kind: 'silence',
    message: /did not come/,
    options: { chaos: { malformedRate: 1 } },
  },
];

async function run(adapter: Adapter, role: Role, fault: Fault, which: (request: Request) => boolean) {
  const provider = await Provider.start(adapter, { parent, child }, { role, fault, which });
  try {
    // `collect` sets the linter and both clients on it, and a time limit.
    return await new Thread(provider, scout(provider, [], { earlyReject: false, maxRetries: 1 })).ask();
  } finally {
    await provider.stop();
  }
}

function expectNoLeak(events: readonly AGUIEvent[]): void {
  const sent = JSON.stringify(events);
  expect(sent).not.toContain(KEY);
  expect(sent).not.toContain(PASSWORD);
  expect(sent).not.toContain('rawEvent');
}

const resultOfCall = (events: readonly AGUIEvent[]) => {
  const result = ofType(events, 'TOOL_CALL_RESULT').find(({ toolCallId }) => toolCallId === 'call-1');
  return JSON.parse(String(result?.content));
};

describe.each(ADAPTERS.map((adapter) => [adapter.name, adapter] as const))('%s', (_name, adapter) => {
  describe.each(CALLS)('at the %s call of a model', (call, which) => {
    test.each(FAULTS)("the child's provider $name: the child has failed, and the parent goes on", async (fault) => {
      const events = await run(adapter, 'child', fault, which);
      expectNoLeak(events);
      const [failed] = ofType(events, 'SUBAGENT_ERROR');
      const code = fault.kind === 'silence' ? 'contract_exhausted' : 'child_error';
      const message = fault.kind === 'silence' ? /no return was accepted in 2 attempts.*no_return/ : fault.message;
      expect(failed).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(resultOfCall(events)).toMatchObject({
        status: 'failed',
        final_result: null,
        error: expect.stringMatching(new RegExp(`^${code}: `)),
      });
      const texts = ofType(events, 'TEXT_MESSAGE_CONTENT').filter(({ subagentRunId }) => subagentRunId === undefined);
      expect(texts.map(({ delta }) => delta).join('')).toContain(
        'It costs 10, says the scout who has looked around for it.',
      );
      // What the child had spent before is the run's.
      const spent = call === 'second' ? 2 : 0;
      expect(ofType(events, 'RUN_FINISHED')).toEqual([
        expect.objectContaining({ usage: [expect.objectContaining({ outputTokens: 13 + spent })] }),
      ]);
    });

    test.each(FAULTS)("the parent's provider $name: the run has failed, with all in it ended", async (fault) => {
      const events = await run(adapter, 'parent', fault, which);
      expectNoLeak(events);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.stringMatching(fault.message) });
      expect(events.at(-1)).not.toHaveProperty('code', 'undefined');
      if (fault.kind === 'silence') expect(events.at(-1)).toHaveProperty('code', 'no_answer');
      const children = ofType(events, 'SUBAGENT_FINISHED').map(({ result }) => (result as { status: string }).status);
      expect(children).toEqual(call === 'second' ? ['completed'] : []);
      // A child that was paid for is in the account of a run that failed.
      const account = events.at(-1)?.metadata?.subcontract as { usage?: { children: object[] } } | undefined;
      expect(account?.usage?.children ?? []).toEqual(
        call === 'second'
          ? [expect.objectContaining({ subagent: 'scout', usage: expect.objectContaining({ outputTokens: 5 }) })]
          : [],
      );
    });
  });
});
