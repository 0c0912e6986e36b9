// Rules of tool calls: how they are reopened and answered, and which a run leaves to the application.
import { type Rule, rule } from '../rule.js';
import { some } from '../some.js';
import type { Thread } from '../thread.js';

const page = 'events/tool-calls';

export const toolCalls: readonly Rule[] = [
  rule(
    {
      id: 'call-reopened-differently',
      page,
      sentence: 'A START that reopens a tool call has its name, its message and its owner.',
    },
    ['TOOL_CALL_START'],
    (event, thread, report) => {
      const found = thread.itemOf(event);
      if (!found?.item || found.open) return;
      for (const field of ['toolCallName', 'parentMessageId'] as const) {
        if (found.item.opener[field] !== event[field]) report(`${event.toolCallId} is reopened under another ${field}`);
      }
    },
  ),
  rule(
    {
      id: 'message-reopened-differently',
      page: 'events/text-messages',
      sentence: 'A START that reopens a message has its role and its name.',
    },
    ['TEXT_MESSAGE_START'],
    (event, thread, report) => {
      const found = thread.itemOf(event);
      if (!found?.item || found.open) return;
      const { role = 'assistant', name } = found.item.opener;
      if (role !== (event.role ?? 'assistant') || name !== event.name) {
        report(`${event.messageId} is reopened under another role or name`);
      }
    },
  ),
  rule(
    {
      id: 'result-before-end',
      severity: 'warning',
      page,
      sentence: 'A call is answered when its arguments are complete.',
    },
    ['TOOL_CALL_RESULT'],
    ({ toolCallId }, { run }, report) => {
      if (run?.open.has(`call ${toolCallId}`)) report(`${toolCallId} is answered before its TOOL_CALL_END`);
    },
  ),
  rule(
    {
      id: 'result-repeated',
      severity: 'warning',
      page,
      sentence: 'A call has one result.',
    },
    ['TOOL_CALL_RESULT'],
    ({ toolCallId }, thread, report) => {
      if (thread.calls.get(toolCallId)?.answered) report(`${toolCallId} was answered before`);
    },
  ),
  rule(
    {
      id: 'result-unknown-call',
      page,
      sentence: 'A result answers a call of its run, or one that an earlier run left unanswered.',
    },
    ['TOOL_CALL_RESULT'],
    ({ toolCallId }, thread, report) => {
      if (thread.earlierKnown && !thread.calls.has(toolCallId)) report(`nobody called ${toolCallId}`);
    },
  ),
  rule(
    {
      id: 'pending-calls-wrong',
      page,
      sentence: 'pendingToolCallIds lists exactly the calls that the run started and did not answer.',
    },
    ['RUN_FINISHED'],
    ({ outcome }, thread, report) => {
      const listed = outcome?.type === 'success' ? outcome.pendingToolCallIds : undefined;
      if (!listed || listed.length === 0) return;
      const named = new Set(listed);
      const pending = pendingCalls(thread);
      const missing = pending.filter((id) => !named.has(id));
      if (missing.length > 0) report(`not listed: ${some(missing)}`);
      const unanswered = new Set(pending);
      const extra = listed.filter((id) => !unanswered.has(id));
      if (extra.length > 0) report(`listed, but answered or never started: ${some(extra)}`);
      if (named.size < listed.length) report('an id is listed twice');
    },
  ),
  rule(
    {
      id: 'pending-calls-unnamed',
      severity: 'warning',
      page,
      sentence: "A run that leaves calls to the application names them in its success outcome's pendingToolCallIds.",
    },
    ['RUN_FINISHED'],
    ({ outcome }, thread, report) => {
      if (outcome !== undefined && outcome.type !== 'success') return;
      if (outcome?.pendingToolCallIds?.length) return;
      // A subagent that has ended waits for nothing any more.
      const pending = pendingCalls(thread).filter((id) => thread.run?.started.get(id)?.owner === undefined);
      if (pending.length > 0) report(`unanswered: ${some(pending)}`);
    },
  ),
];

function pendingCalls({ run }: Thread): string[] {
  return [...(run?.started ?? [])].filter(([, { answered }]) => !answered).map(([id]) => id);
}
