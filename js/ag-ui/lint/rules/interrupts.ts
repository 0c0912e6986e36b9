// Rules of interrupts: a suspended subagent, the run that stops for it, and the ids that hold them together.
import { type Rule, rule } from '../rule.js';
import type { Subagent } from '../run.js';
import { some } from '../some.js';
import type { Thread } from '../thread.js';

const page = 'basic/patterns/interrupt-resume';
const ofSubagents = 'events/subagents';

export const interrupts: readonly Rule[] = [
  rule(
    {
      id: 'interrupt-id-reused',
      page,
      sentence: "Every interrupt's id is unique within its run.",
    },
    ['RUN_FINISHED'],
    ({ outcome }, _thread, report) => {
      if (outcome?.type !== 'interrupt') return;
      const seen = new Set<string>();
      for (const { id } of outcome.interrupts) {
        if (seen.has(id)) report(`two interrupts are named ${id}`);
        seen.add(id);
      }
    },
  ),
  rule(
    {
      id: 'suspended-without-interrupt',
      page,
      sentence: 'A run with a suspended subagent finishes with an interrupt outcome.',
    },
    ['RUN_FINISHED'],
    ({ outcome }, thread, report) => {
      if (outcome?.type === 'interrupt') return;
      const waiting = suspended(thread);
      if (waiting.length > 0) report(`suspended, and nothing is asked: ${some(waiting.map(({ id }) => id))}`);
    },
  ),
  rule(
    {
      id: 'interrupt-ids-dangling',
      page: ofSubagents,
      sentence: "interruptIds name interrupts of the run's outcome.",
    },
    ['RUN_FINISHED'],
    ({ outcome }, thread, report) => {
      if (outcome?.type !== 'interrupt') return;
      const asked = new Set(outcome.interrupts.map(({ id }) => id));
      for (const { id, interruptIds, endedAt } of suspended(thread)) {
        const dangling = interruptIds.filter((interrupt) => !asked.has(interrupt));
        if (dangling.length > 0) report(`${id} waits for ${some(dangling)}, which the run does not ask`, endedAt);
      }
    },
  ),
  rule(
    {
      id: 'interrupt-ids-differ',
      page: ofSubagents,
      sentence: "A subagent's interruptIds are exactly those of the run's interrupts that have its subagentRunId.",
    },
    ['RUN_FINISHED'],
    ({ outcome }, thread, report) => {
      if (outcome?.type !== 'interrupt') return;
      const owners = new Map(outcome.interrupts.map(({ id, subagentRunId }) => [id, subagentRunId]));
      const listed = new Map<string, Set<string>>();
      for (const { id, interruptIds, endedAt } of suspended(thread)) {
        listed.set(id, new Set(interruptIds));
        const foreign = interruptIds.filter((interrupt) => owners.has(interrupt) && owners.get(interrupt) !== id);
        if (foreign.length > 0) report(`${id} lists ${some(foreign)}, which is not tagged with it`, endedAt);
      }
      for (const { id, subagentRunId } of outcome.interrupts) {
        const own = subagentRunId === undefined ? undefined : listed.get(subagentRunId);
        if (own && !own.has(id)) report(`${subagentRunId} does not list its interrupt ${id}`);
      }
    },
  ),
  rule(
    {
      id: 'interrupt-owner-not-suspended',
      page: ofSubagents,
      sentence: 'An interrupt with a subagentRunId is of a subagent that is suspended.',
    },
    ['RUN_FINISHED'],
    ({ outcome }, { run }, report) => {
      if (outcome?.type !== 'interrupt' || !run) return;
      for (const { id, subagentRunId } of outcome.interrupts) {
        const owner = subagentRunId === undefined ? undefined : run.subagents.get(subagentRunId);
        // One that is still active is reported as such, and a producer may tag without announcing.
        if (owner && (owner.state === 'finished' || owner.state === 'failed')) {
          report(`interrupt ${id} is of ${owner.id}, which has ${owner.state}`);
        }
      }
    },
  ),
  rule(
    {
      id: 'ancestor-not-suspended',
      page: ofSubagents,
      sentence: 'Whoever delegated to a suspended subagent is suspended too.',
    },
    ['RUN_FINISHED'],
    (_event, thread, report) => {
      for (const { id, parent, endedAt } of suspended(thread)) {
        const above = parent === undefined ? undefined : thread.run?.subagents.get(parent);
        if (above && (above.state === 'finished' || above.state === 'failed')) {
          report(`${id} is suspended, and ${above.id}, which delegated to it, has ${above.state}`, endedAt);
        }
      }
    },
  ),
  rule(
    {
      id: 'suspended-call-answered',
      page: ofSubagents,
      sentence: 'The call that started a suspended subagent has no result yet.',
    },
    ['TOOL_CALL_RESULT', 'SUBAGENT_FINISHED'],
    (event, thread, report) => {
      const { run } = thread;
      if (event.type === 'TOOL_CALL_RESULT') {
        const waiting = run?.delegations.get(event.toolCallId)?.find(({ state }) => state === 'suspended');
        if (waiting) report(`${event.toolCallId} is answered, and ${waiting.id} is suspended`);
        return;
      }
      if (event.outcome?.type !== 'suspended') return;
      const { parentToolCallId: call, state } = run?.subagents.get(event.subagentRunId) ?? {};
      if (call === undefined || state !== 'active') return;
      const answered = run?.started.get(call)?.answered || run?.answeredElsewhere.has(call);
      if (answered) report(`${event.subagentRunId} is suspended, and ${call} is answered`);
    },
  ),
];

function suspended({ run }: Thread): Subagent[] {
  return [...(run?.subagents.values() ?? [])].filter(({ state }) => state === 'suspended');
}
