// Rules of state, activities and reasoning values: patches that apply, and ids that name something.

import { isRecord } from '../../../wire.js';
import { type Rule, rule } from '../rule.js';

const page = 'basic/patterns/snapshots';

export const state: readonly Rule[] = [
  rule(
    {
      id: 'patch-not-applicable',
      severity: 'warning',
      page,
      sentence: 'A patch applies to what it is for; one that does not is skipped, and the sides no longer agree.',
    },
    ['STATE_DELTA', 'ACTIVITY_DELTA'],
    (event, thread, report) => {
      const patched = thread.patched(event);
      if (patched && 'problem' in patched) report(patched.problem);
    },
  ),
  rule(
    {
      id: 'patch-not-followed',
      severity: 'warning',
      page,
      sentence:
        'The linter follows the state of a stream up to five million copied members; what comes later is not applied.',
    },
    ['STATE_DELTA', 'ACTIVITY_DELTA'],
    (_event, thread, report) => {
      if (thread.patches.spent && !thread.unfollowed) report('from here on patches are read and not applied');
    },
  ),
  rule(
    {
      id: 'activity-unknown',
      page: 'events/activity',
      sentence: 'An activity has a snapshot before its first delta.',
    },
    ['ACTIVITY_DELTA'],
    ({ messageId }, thread, report) => {
      if (!thread.activities.has(messageId)) report(`there is no activity ${messageId}`);
    },
  ),
  rule(
    {
      id: 'activity-no-object',
      page: 'events/activity',
      sentence: 'The content of an activity stays an object.',
    },
    ['ACTIVITY_DELTA'],
    (event, thread, report) => {
      const patched = thread.patched(event);
      if (!patched || !('value' in patched)) return;
      const { value } = patched;
      if (isRecord(value)) return;
      report(`${event.messageId} is no object any more`);
    },
  ),
  rule(
    {
      id: 'encrypted-value-unknown',
      severity: 'warning',
      page: 'events/reasoning',
      sentence: 'An encrypted value is of a message or tool call that is there.',
    },
    ['REASONING_ENCRYPTED_VALUE'],
    ({ subtype, entityId }, thread, report) => {
      if (thread.run?.history === 'unknown') return;
      const known =
        subtype === 'tool-call'
          ? thread.calls.has(entityId)
          : ['text', 'reasoning'].includes(thread.messages.get(entityId) ?? '');
      if (!known) report(`there is no ${subtype} ${entityId}`);
    },
  ),
];
