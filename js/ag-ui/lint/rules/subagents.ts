// Rules of subagents: announced first, closed once, nested in what is there, and answered through the call that started them.
import { type Rule, rule, wholeRun } from '../rule.js';
import type { Run } from '../run.js';
import { some } from '../some.js';
import type { Thread } from '../thread.js';

const page = 'events/subagents';

export const subagents: readonly Rule[] = [
  rule(
    {
      id: 'subagent-announced-late',
      page,
      sentence: 'SUBAGENT_STARTED comes before any event that has its subagentRunId.',
    },
    ['SUBAGENT_STARTED'],
    ({ subagentRunId }, { run }, report) => {
      if (run?.tags.has(subagentRunId)) {
        report(`event ${run.tags.get(subagentRunId)} has the subagentRunId ${subagentRunId} already`);
      }
    },
  ),
  wholeRun(
    {
      id: 'subagent-not-announced',
      severity: 'warning',
      page,
      sentence: 'A subagent whose events are tagged is announced: nobody can show it as running otherwise.',
    },
    ({ run }, report) => {
      for (const [id, index] of run?.tags ?? []) report(`nothing announces ${id}`, index);
    },
  ),
  rule(
    {
      id: 'subagent-already-active',
      page,
      sentence: 'A subagent is announced when none of its id is active.',
    },
    ['SUBAGENT_STARTED'],
    ({ subagentRunId }, { run }, report) => {
      if (run?.subagents.get(subagentRunId)?.state === 'active') report(`${subagentRunId} is active`);
    },
  ),
  rule(
    {
      id: 'subagent-id-reused',
      page,
      sentence: 'A subagentRunId names one invocation; only a suspended one comes again, in a later run.',
    },
    ['SUBAGENT_STARTED'],
    ({ subagentRunId }, { run, earlier }, report) => {
      const here = run?.subagents.get(subagentRunId);
      if (here) {
        if (here.state !== 'active') report(`${subagentRunId} has ended in this run`);
        return;
      }
      const before = earlier.get(subagentRunId);
      // A run that failed took its subagents with it.
      if (before && before.state !== 'suspended') report(`${subagentRunId} has ended in an earlier run`);
    },
  ),
  rule(
    {
      id: 'subagent-not-active',
      page,
      sentence: 'SUBAGENT_FINISHED and SUBAGENT_ERROR end a subagent that is active.',
    },
    ['SUBAGENT_FINISHED', 'SUBAGENT_ERROR'],
    ({ type, subagentRunId }, { run }, report) => {
      const subagent = run?.subagents.get(subagentRunId);
      if (subagent?.state !== 'active') {
        report(`${type} names ${subagentRunId}, which ${subagent ? 'has ended' : 'was never announced'}`);
      }
    },
  ),
  rule(
    {
      id: 'subagent-left-open',
      page,
      sentence: 'Every subagent that was announced is closed before the run finishes.',
    },
    ['RUN_FINISHED'],
    (_event, { run }, report) => {
      const active = [...(run?.subagents.values() ?? [])].filter(({ state }) => state === 'active');
      if (active.length > 0) report(`still active: ${some(active.map(({ id }) => id))}`);
    },
  ),
  rule(
    {
      id: 'subagent-parent-unknown',
      page,
      sentence: 'parentSubagentRunId names a subagent that was announced in this run.',
    },
    ['SUBAGENT_STARTED'],
    ({ subagentRunId, parentSubagentRunId: parent }, { run }, report) => {
      if (parent !== undefined && !run?.subagents.has(parent)) {
        report(`nothing announces ${parent}, the parent of ${subagentRunId}`);
      }
    },
  ),
  rule(
    {
      id: 'event-after-subagent-end',
      severity: 'warning',
      page,
      sentence: 'A subagent that has ended sends nothing more.',
    },
    [
      'TEXT_MESSAGE_START',
      'TOOL_CALL_START',
      'TOOL_CALL_RESULT',
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_DELTA',
      'CUSTOM',
      'STEP_STARTED',
      'REASONING_START',
      'REASONING_MESSAGE_START',
    ],
    ({ type, subagentRunId: id }, { run }, report) => {
      if (id === undefined || run?.late.has(id)) return;
      const subagent = run?.subagents.get(id);
      if (subagent && subagent.state !== 'active') report(`${type} is of ${id}, which has ended`);
    },
  ),
  wholeRun(
    {
      id: 'parent-call-unknown',
      page,
      sentence: 'parentToolCallId names a tool call of the run, or one that an earlier run left unanswered.',
    },
    (thread, report) => {
      const { run } = thread;
      for (const [toolCallId, started] of run?.delegations ?? []) {
        if (!run || thread.calls.has(toolCallId) || isOfUnknownRun(run, thread, toolCallId)) continue;
        for (const { startedAt } of started) report(`nobody called ${toolCallId}`, startedAt);
      }
    },
  ),
  rule(
    {
      id: 'delegation-result-tagged',
      page,
      sentence: 'The result of a delegating call is of whoever made the call, not of the subagent.',
    },
    ['TOOL_CALL_RESULT'],
    ({ toolCallId, subagentRunId }, { run }, report) => {
      if (subagentRunId === undefined) return;
      const child = run?.delegations.get(toolCallId)?.find(({ id }) => id === subagentRunId);
      if (child) report(`the result of ${toolCallId} is tagged with ${subagentRunId}, which it started`);
    },
  ),
  rule(
    {
      id: 'delegation-result-no-text',
      page: 'events/tool-calls',
      sentence: 'The result of a delegating call is a string: clients before 1.0 refuse parts.',
    },
    ['TOOL_CALL_RESULT'],
    ({ toolCallId, content }, { run }, report) => {
      if (typeof content !== 'string' && run?.delegations.has(toolCallId))
        report(`the result of ${toolCallId} is a list`);
    },
  ),
];

/** Whether a call may be one of a run that nobody has told of: it says so, or the call is answered here without a start. */
function isOfUnknownRun(run: Run, { earlierKnown }: Thread, toolCallId: string): boolean {
  if (run.history === 'unknown') return true;
  return !earlierKnown && run.answeredElsewhere.has(toolCallId);
}
