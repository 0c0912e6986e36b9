// Rules of a run that goes on from an interrupted one, in the same stream or in what the caller says came earlier.
import type { Interrupt, ResumeEntry } from '../../events.js';
import { type Rule, rule } from '../rule.js';
import { some } from '../some.js';
import type { Thread } from '../thread.js';

const page = 'basic/patterns/interrupt-resume';

/** Checks a value against a schema, as a compiled contract does. */
export interface SchemaCheck {
  /** Whether the value satisfies the schema, and if not, where and why. */
  checkValue(value: unknown): { ok: boolean; issues?: readonly { instancePath: string; message: string }[] };
}

/** Rules that need nothing but the events and the answers. */
export const resume: readonly Rule[] = [
  rule(
    {
      id: 'thread-changed',
      page,
      sentence: 'The run that goes on has the threadId of the one before.',
    },
    ['RUN_STARTED'],
    ({ threadId }, thread, report) => {
      if (thread.phase === 'active' || thread.threadId === undefined || threadId === undefined) return;
      if (threadId !== thread.threadId) report(`thread ${threadId} goes on from thread ${thread.threadId}`);
    },
  ),
  rule(
    {
      id: 'resume-unknown-interrupt',
      severity: 'warning',
      page,
      sentence: 'An answer names an interrupt of the run that is continued.',
    },
    ['RUN_STARTED'],
    (event, thread, report) => {
      const unknown = answersTo(event, thread).filter(({ interruptId }) => !thread.interrupts.has(interruptId));
      if (thread.earlierKnown && unknown.length > 0) {
        report(`nobody asked ${some(unknown.map(({ interruptId }) => interruptId))}`);
      }
    },
  ),
  rule(
    {
      id: 'resume-incomplete',
      page,
      sentence: 'One resume answers or abandons every open interrupt.',
    },
    ['RUN_STARTED'],
    (event, thread, report) => {
      const answers = answersTo(event, thread);
      if (answers.length === 0 || thread.interrupts.size === 0) return;
      const named = new Set(answers.map(({ interruptId }) => interruptId));
      const open = [...thread.interrupts.keys()].filter((id) => !named.has(id));
      if (open.length > 0) report(`neither answered nor abandoned: ${some(open)}`);
    },
  ),
  rule(
    {
      id: 'resume-conflicting',
      page,
      sentence: 'An interrupt has one answer; the same one sent again changes nothing.',
    },
    ['RUN_STARTED'],
    (event, thread, report) => {
      const answers = new Map<string, string>();
      for (const { interruptId, status, payload } of answersTo(event, thread)) {
        const answer = JSON.stringify([status, payload]);
        const other = answers.get(interruptId);
        if (other !== undefined && other !== answer) report(`${interruptId} has two answers`);
        answers.set(interruptId, answer);
      }
    },
  ),
  rule(
    {
      id: 'resume-expired',
      page,
      sentence: 'An interrupt that has expired can only be abandoned.',
    },
    ['RUN_STARTED'],
    (event, thread, report) => {
      const { timestamp } = event;
      if (timestamp === undefined) return;
      for (const { entry, interrupt } of resolved(answersTo(event, thread), thread)) {
        const expiry = interrupt.expiresAt === undefined ? Number.NaN : Date.parse(interrupt.expiresAt);
        if (expiry <= timestamp) report(`${entry.interruptId} expired at ${interrupt.expiresAt}`);
      }
    },
  ),
  rule(
    {
      id: 'call-replayed',
      page,
      sentence: 'A run that goes on does not open a call again that an earlier run opened: it only answers it.',
    },
    ['TOOL_CALL_START'],
    ({ toolCallId }, { run, calls }, report) => {
      const known = calls.get(toolCallId);
      if (known && known.run !== run && !run?.started.has(toolCallId))
        report(`${toolCallId} was called in an earlier run`);
    },
  ),
  rule(
    {
      id: 'resumed-subagent-changed',
      page: 'events/subagents',
      sentence: 'A subagent that goes on has its name, its parent and its tool call.',
    },
    ['SUBAGENT_STARTED'],
    (event, { run, earlier }, report) => {
      const before = earlier.get(event.subagentRunId);
      if (before?.state !== 'suspended' || run?.subagents.has(event.subagentRunId)) return;
      const differs: string[] = [];
      if (event.name !== before.name) differs.push('name');
      if (event.parentSubagentRunId !== before.parent) differs.push('parentSubagentRunId');
      if (event.parentToolCallId !== before.parentToolCallId) differs.push('parentToolCallId');
      if (differs.length > 0) report(`${event.subagentRunId} goes on under another ${differs.join(' and ')}`);
    },
  ),
];

/** The rule that checks answers against what was asked for. */
export function payloadRule(compile: ((schema: Record<string, unknown>) => SchemaCheck) | undefined): Rule {
  return rule(
    {
      id: 'resume-payload-invalid',
      page,
      sentence: "An answer's payload satisfies the responseSchema of its interrupt.",
    },
    ['RUN_STARTED'],
    (event, thread, report) => {
      if (!compile) return;
      for (const { entry, interrupt } of resolved(answersTo(event, thread), thread)) {
        if (!interrupt.responseSchema) continue;
        const problem = problemOf(() => compile(interrupt.responseSchema ?? {}).checkValue(entry.payload ?? null));
        if (problem) report(`the answer to ${entry.interruptId}: ${problem}`);
      }
    },
  );
}

/** What a check says, in one line; a check that throws says that too. */
export function problemOf(check: () => ReturnType<SchemaCheck['checkValue']>): string | undefined {
  try {
    const verdict = check();
    if (verdict.ok) return undefined;
    const [first] = verdict.issues ?? [];
    return first ? `${first.instancePath || 'the root'}: ${first.message}` : 'it is not accepted';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'it cannot be checked';
  }
}

/** The answers with which a run starts, unless it is forwarded into another. */
function answersTo(event: { input?: { resume?: ResumeEntry[] } }, thread: Thread): readonly ResumeEntry[] {
  return thread.phase === 'active' ? [] : (event.input?.resume ?? thread.givenResume ?? []);
}

function resolved(
  answers: readonly ResumeEntry[],
  { interrupts }: Thread,
): { entry: ResumeEntry; interrupt: Interrupt }[] {
  return answers.flatMap((entry) => {
    const interrupt = entry.status === 'resolved' ? interrupts.get(entry.interruptId) : undefined;
    return interrupt ? [{ entry, interrupt }] : [];
  });
}
