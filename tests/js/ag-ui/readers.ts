// Independent readers of AG-UI streams: what the tests of this package produce has to pass all of them.
import { HttpAgent } from '@ag-ui/client';
import { HttpAgent as HttpAgentBefore1 } from '@ag-ui/client-0.0.59';
import { EventSchema } from '@ag-ui/core/schemas';
import {
  type AGUIEvent,
  encodeSSE,
  type Interrupt,
  type LintOptions,
  lintEvents,
  sumUsage,
  type TokenUsage,
} from 'subcontract/ag-ui';
import { expect } from 'vitest';

/** What a child or TanStack AI's `chat()` may do and this package passes on: each is a warning, and no client refuses it. */
const THEIRS = new Set([
  // `chat()` sends CUSTOM events whose names have no prefix, and leaves calls to its own client.
  'custom-unprefixed',
  'pending-calls-unnamed',
  // Its adapters attach reasoning to a message of which nothing else is sent.
  'encrypted-value-unknown',
  // A host's own fields, which clients strip; and a child that uses its ids again.
  'field-unknown',
  'item-reopened',
  'result-repeated',
]);

/**
 * Fails the test when the linter, the protocol's schemas, or one of the two clients refuses a stream: `@ag-ui/client`
 * 1.0.0, and 0.0.59, which frontends are still pinned to. The clients read the frames that `encodeSSE` writes.
 */
export async function expectReadable(events: readonly AGUIEvent[], lint: LintOptions = {}): Promise<void> {
  const findings = lintEvents(events, lint).filter(({ rule }) => !THEIRS.has(rule));
  expect(findings.map(({ index, rule, message }) => ({ rule, message, event: events[index] }))).toEqual([]);
  const frames = events.map(encodeSSE);
  for (const frame of frames) EventSchema.parse(JSON.parse(frame.slice('data: '.length)));
  await expectClient(HttpAgent, frames.join(''), events);
  await expectClient(HttpAgentBefore1, events.map(before1).map(encodeSSE).join(''), events);
}

/** Before 1.0 there was no cancelled outcome, and 0.0.59 fails on it; 1.0 demands it. Everything else is read by both. */
function before1(event: AGUIEvent): AGUIEvent {
  if (event.type !== 'RUN_FINISHED' || event.outcome?.type !== 'cancelled') return event;
  const { outcome: _, ...rest } = event;
  return rest;
}

async function expectClient(
  Client: typeof HttpAgent | typeof HttpAgentBefore1,
  body: string,
  events: readonly AGUIEvent[],
): Promise<void> {
  const threadId = events[0]?.type === 'RUN_STARTED' ? events[0].threadId : 'thread';
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const failed = events.find((event) => event.type === 'RUN_ERROR');
  const refused: unknown[] = [];
  const agent = new Client({ url: 'http://127.0.0.1/', threadId, fetch });
  await agent.runAgent({}).catch((error: unknown) => refused.push(error));
  // A run that reports its own failure is read, and is no refusal.
  expect(refused.map(String).filter((message) => !failed || !message.includes(failed.message))).toEqual([]);
}

/**
 * One run of a parent around what its children sent: the delegating calls, the children, a result for each that does not wait,
 * what they cost and wait for.
 */
export function inParentRun(events: readonly AGUIEvent[], interrupts: Interrupt[] = []): AGUIEvent[] {
  const run = { threadId: 'thread', runId: 'run' };
  const own = events.filter((event) => event.type === 'SUBAGENT_STARTED' && event.parentSubagentRunId === undefined);
  const calls = own.flatMap((event) => (event as { parentToolCallId?: string }).parentToolCallId ?? []);
  const ends = events.filter((event) => event.type === 'SUBAGENT_FINISHED' || event.type === 'SUBAGENT_ERROR');
  const suspended = new Set(
    ends.flatMap((end) => ('outcome' in end && end.outcome?.type === 'suspended' ? end.subagentRunId : [])),
  );
  const waiting = own.filter((event) => suspended.has((event as { subagentRunId: string }).subagentRunId));
  const open = new Set(waiting.map((event) => (event as { parentToolCallId?: string }).parentToolCallId));
  const usage = ends.flatMap(
    ({ metadata }) => (metadata?.subcontract as { usage?: TokenUsage[] } | undefined)?.usage ?? [],
  );
  const waits = interrupts.length > 0;
  return [
    { type: 'RUN_STARTED', ...run },
    ...calls.flatMap(callOf),
    ...events,
    ...calls.filter((call) => !open.has(call)).map(resultOf),
    {
      type: 'RUN_FINISHED',
      ...run,
      ...(usage.length > 0 && { usage: sumUsage(usage) }),
      ...(waits && { outcome: { type: 'interrupt', interrupts } }),
    },
  ];
}

function callOf(toolCallId: string): AGUIEvent[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'delegate' },
    { type: 'TOOL_CALL_END', toolCallId },
  ];
}

function resultOf(toolCallId: string): AGUIEvent {
  return { type: 'TOOL_CALL_RESULT', messageId: `result of ${toolCallId}`, toolCallId, content: '{}', role: 'tool' };
}
