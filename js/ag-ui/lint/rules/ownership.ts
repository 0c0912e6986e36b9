// Rules of ownership: what goes on with something agrees about whose it is.

import type { Owner } from '../../owner.js';
import { type Rule, rule } from '../rule.js';

const page = 'events/subagents';

export const ownership: readonly Rule[] = [
  rule(
    {
      id: 'owner-changed',
      page,
      sentence: 'What continues, closes or reopens something has the subagentRunId of what opened it, or none.',
    },
    [
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_END',
    ],
    (event, thread, report) => {
      const { subagentRunId } = event;
      if (subagentRunId === undefined) return;
      const found = thread.itemOf(event);
      // A span and the message in it may share an id, and then they have one owner.
      const id = 'messageId' in event ? event.messageId : undefined;
      const twin = event.type.startsWith('REASONING_')
        ? (thread.run?.items.get(`span ${id}`) ?? thread.run?.items.get(`reasoning ${id}`))
        : undefined;
      const item = found?.item ?? twin;
      if (item && item.owner !== subagentRunId) {
        report(`${event.type} says that ${item.id} is of ${subagentRunId}, and it is of ${named(item.owner)}`);
      }
    },
  ),
  rule(
    {
      id: 'owner-of-activity-changed',
      page,
      sentence: 'A delta of an activity has the subagentRunId of its snapshot, or none.',
    },
    ['ACTIVITY_DELTA'],
    ({ messageId, subagentRunId }, thread, report) => {
      const activity = thread.activities.get(messageId);
      if (subagentRunId !== undefined && activity && activity.owner !== subagentRunId) {
        report(`activity ${messageId} is of ${named(activity.owner)}, not of ${subagentRunId}`);
      }
    },
  ),
  rule(
    {
      id: 'owner-of-value-differs',
      page,
      sentence: 'An encrypted value has the subagentRunId of the message or call that it is of, or none.',
    },
    ['REASONING_ENCRYPTED_VALUE'],
    ({ subtype, entityId, subagentRunId }, { run }, report) => {
      if (subagentRunId === undefined || !run) return;
      const item =
        subtype === 'tool-call'
          ? run.items.get(`call ${entityId}`)
          : (run.items.get(`text ${entityId}`) ?? run.items.get(`reasoning ${entityId}`));
      if (item && item.owner !== subagentRunId)
        report(`${entityId} is of ${named(item.owner)}, not of ${subagentRunId}`);
    },
  ),
  rule(
    {
      id: 'call-in-foreign-message',
      page,
      sentence: 'A tool call is of whoever has the message that holds it.',
    },
    ['TOOL_CALL_START'],
    (event, thread, report) => {
      const { parentMessageId, subagentRunId, toolCallId } = event;
      if (parentMessageId === undefined) return;
      const message = thread.run?.items.get(`text ${parentMessageId}`);
      if (!message) return;
      const owner = subagentRunId ?? thread.itemOf(event)?.item?.owner ?? message.owner;
      if (owner !== message.owner) {
        report(`${toolCallId} is of ${named(owner)}, and message ${parentMessageId} of ${named(message.owner)}`);
      }
    },
  ),
];

function named(owner: Owner): string {
  return owner ?? 'the parent';
}
