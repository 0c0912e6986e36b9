// Rules of runs and steps: when a run starts and ends, and what is closed by then.
import { everyEvent, type Rule, rule, wholeRun } from '../rule.js';
import type { Item } from '../run.js';
import { some } from '../some.js';

export const lifecycle: readonly Rule[] = [
  everyEvent(
    {
      id: 'stream-start',
      page: 'events/lifecycle',
      sentence: 'A stream begins with RUN_STARTED or RUN_ERROR.',
    },
    ({ type }, { phase, refused }, report) => {
      if (phase !== 'before' || refused || type === 'RUN_STARTED' || type === 'RUN_ERROR') return;
      report(`the stream begins with ${type}`);
    },
  ),
  everyEvent(
    {
      id: 'event-after-close',
      page: 'events/lifecycle',
      sentence:
        'After RUN_FINISHED comes nothing but RUN_STARTED or a late RUN_ERROR, after RUN_ERROR nothing but RUN_STARTED.',
    },
    ({ type }, { phase, refused }, report) => {
      if ((phase !== 'finished' && phase !== 'failed') || refused || type === 'RUN_STARTED') return;
      if (phase === 'finished' && type === 'RUN_ERROR') return;
      report(`${type} comes after ${phase === 'finished' ? 'RUN_FINISHED' : 'RUN_ERROR'}`);
    },
  ),
  everyEvent(
    {
      id: 'run-already-active',
      page: 'events/lifecycle',
      sentence: "A run starts when none is active: a child's own RUN_* become SUBAGENT_*, they are not forwarded.",
    },
    (event, { phase, run }, report) => {
      if (event.type === 'RUN_STARTED' && phase === 'active') report(`run ${run?.runId} is still active`);
    },
  ),
  wholeRun(
    {
      id: 'run-not-closed',
      page: 'basic/transports',
      sentence: 'A run ends with RUN_FINISHED or RUN_ERROR; a stream that breaks off before is truncated.',
    },
    (thread, report) => {
      if (thread.phase === 'active') report(`run ${thread.run?.runId} has no end`, Math.max(0, thread.index - 1));
    },
  ),
  rule(
    {
      id: 'run-ids-differ',
      page: 'events/lifecycle',
      sentence: 'RUN_FINISHED has the threadId and the runId of its RUN_STARTED.',
    },
    ['RUN_FINISHED'],
    ({ threadId, runId }, { run }, report) => {
      if (!run || runId === undefined || threadId === undefined) return;
      if (run.runId !== undefined && runId !== run.runId)
        report(`it ends run ${runId}, and run ${run.runId} is active`);
      else if (run.threadId !== undefined && threadId !== run.threadId) {
        report(`it is of thread ${threadId}, and the run of thread ${run.threadId}`);
      }
    },
  ),
  rule(
    {
      id: 'cancelled-with-result',
      severity: 'warning',
      page: 'events/lifecycle',
      sentence: 'A cancelled run has no result.',
    },
    ['RUN_FINISHED'],
    ({ outcome, result }, _thread, report) => {
      if (outcome?.type === 'cancelled' && result !== undefined) report('the run was cancelled and has a result');
    },
  ),
  rule(
    {
      id: 'step-already-open',
      page: 'events/lifecycle',
      sentence: 'A step is opened when its owner has none of its name open.',
    },
    ['STEP_STARTED'],
    (event, thread, report) => {
      if (thread.itemOf(event)?.open) report(`step ${event.stepName} is open already`);
    },
  ),
  rule(
    {
      id: 'step-not-open',
      page: 'events/subagents',
      sentence: 'A step is finished once, by whoever started it.',
    },
    ['STEP_FINISHED'],
    (event, thread, report) => {
      const item = thread.itemOf(event);
      if (item && !item.open && !thread.run?.orphans.has(item.key)) {
        report(`step ${event.stepName} is not open for ${event.subagentRunId ?? 'the parent'}`);
      }
    },
  ),
  rule(
    {
      id: 'step-left-open',
      page: 'events/lifecycle',
      sentence: 'Every step is closed before its run finishes.',
    },
    ['RUN_FINISHED'],
    (_event, { run }, report) => {
      const open = [...(run?.open.values() ?? [])].filter(({ kind }) => kind === 'step');
      if (open.length > 0) report(`still open: step ${some(open.map(({ id }: Item) => id))}`);
    },
  ),
];
