// Children that wait: opening their state from what a client replays, and telling their interrupts from the parent's own.
import { INTERRUPT_BINDING_METADATA_KEY } from '@tanstack/ai';
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { keptText } from '../brief.js';
import { digestOf, openResumeState } from '../core.js';
import type { SubcontractAgent } from '../define-agent.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import type { ResumeState } from '../resume.js';
import type { TaskCall } from '../task-call.js';
import type { DelegatingTools } from './agent-tool.js';
import type { ReplayedCall } from './replay.js';

/** A child that waits in a tool call of the replayed thread. */
export interface SuspendedChild {
  agent: SubcontractAgent;
  /** Its envelope, as it was replayed. */
  envelopeText: string;
  state: ResumeState;
  interrupts: Interrupt[];
  /** The answers to its interrupts: all of them, or none. */
  answers: ResumeEntry[];
}

/** What {@link openSuspended} makes of a replayed thread. */
export interface Resumption {
  suspended: Map<string, SuspendedChild>;
  /** The answers to the parent's own interrupts; `chat()` refuses a batch that holds any other. */
  parentAnswers: ResumeEntry[];
}

/**
 * Opens every suspended child of the thread and gives each its answers.
 *
 * A child that is not answered in full stays suspended: AG-UI has one `resume` cover every open interrupt.
 *
 * `read` says whom a replayed call asks, and for what. Throws a `ResumeError` for a state that does not belong to its thread,
 * call, brief, agent or contract.
 */
export function openSuspended(
  calls: ReadonlyMap<string, ReplayedCall>,
  given: {
    threadId: string;
    read: DelegatingTools['read'];
    resume: readonly ResumeEntry[];
  },
): Resumption {
  const suspended = new Map<string, SuspendedChild>();
  const claimed = new Set<ResumeEntry>();
  for (const [toolCallId, call] of calls) {
    if (call.suspendedEnvelope === undefined) continue;
    const task = given.read(call.toolName, call.argumentsText);
    if (task === undefined) continue;
    const { agent, brief = '{}' } = task;
    const contractDigest = expectedContract(task);
    const { resume } = parseEnvelope(call.suspendedEnvelope);
    const state = openResumeState(resume?.state ?? '', {
      threadId: given.threadId,
      toolCallId,
      subagent: agent.name,
      brief: keptText(agent, brief),
      now: Date.now(),
      contractDigest,
    });
    // A contract of a call comes with the call: one that only the state knows of was put there.
    if (contractDigest === undefined && state.contract.source !== 'none') {
      throw new ResumeError('the suspended child has a contract that its call does not have', {
        code: 'resume_contract_changed',
      });
    }
    const answers = given.resume.filter((entry) => state.interrupts.some(({ id }) => id === entry?.interruptId));
    for (const entry of answers) claimed.add(entry);
    const answered = new Set(answers.map((entry) => entry.interruptId));
    suspended.set(toolCallId, {
      agent,
      envelopeText: call.suspendedEnvelope,
      state,
      interrupts: state.interrupts,
      answers: state.interrupts.every(({ id }) => answered.has(id)) ? answers : [],
    });
  }
  return { suspended, parentAnswers: given.resume.filter((entry) => !claimed.has(entry)) };
}

/** The digest of the contract that holds for a call; nothing in prose mode. */
function expectedContract({ agent, finalSchema }: TaskCall): string | undefined {
  return finalSchema === undefined ? agent.outputContract?.digest : digestOf(finalSchema);
}

/** A child's interrupts as the parent's run raises them: the client answers the parent's run, so they are bound to it. */
export function bindToParent(interrupts: readonly Interrupt[], runId: string): Interrupt[] {
  return interrupts.map((interrupt) => {
    const binding = interrupt.metadata?.[INTERRUPT_BINDING_METADATA_KEY];
    if (typeof binding !== 'object' || binding === null) return interrupt;
    return {
      ...interrupt,
      metadata: {
        ...interrupt.metadata,
        [INTERRUPT_BINDING_METADATA_KEY]: {
          ...binding,
          interruptId: interrupt.id,
          ...('toolCallId' in binding && interrupt.toolCallId !== undefined && { toolCallId: interrupt.toolCallId }),
          interruptedRunId: runId,
          generation: 0,
        },
      },
    };
  });
}
