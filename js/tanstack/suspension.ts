// Children that wait: opening their state from what a client replays, and telling their interrupts from the parent's own.
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { assertAnswers, judgeAnswers } from '../answers.js';
import { keptText } from '../brief.js';
import type { SubcontractAgent } from '../define-agent.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import { rebound, resumeTokenIn, resumeTokenOf, withResumeToken } from '../raise.js';
import type { ResumeState } from '../resume.js';
import { openedState, type ResumeSeal } from '../resume-seal.js';
import { contractOf, type TaskCall } from '../task-call.js';
import type { DelegatingTools } from './agent-tool.js';
import type { ReplayedCall } from './replay.js';

/** A child that waits in a tool call of the replayed thread. */
export interface SuspendedChild {
  agent: SubcontractAgent;
  /** Its envelope, as it was replayed; absent when its state came with the answers alone. */
  envelopeText: string | undefined;
  state: ResumeState;
  /** Its interrupts as a run raises them, its state with the first. */
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

/** What a resumed run is told from outside. */
export interface Replayed {
  threadId: string;
  /** Whom a replayed call asks, and for what. */
  read: DelegatingTools['read'];
  resume: readonly ResumeEntry[];
  /** Absent when the states are not sealed. */
  seal: ResumeSeal | undefined;
}

/**
 * Opens every suspended child of the thread and gives each its answers.
 *
 * A child's state comes with the message of its call, or with an answer to it. Without an answer to any of them they stay
 * suspended; once there is one, all have to be answered: AG-UI has one `resume` cover every open interrupt.
 *
 * Throws a `ResumeError` for a state that does not belong to its thread, call, brief, agent or contract, and for answers
 * that do not hold.
 */
export async function openSuspended(calls: ReadonlyMap<string, ReplayedCall>, given: Replayed): Promise<Resumption> {
  assertAnswers(given.resume);
  const suspended = new Map<string, SuspendedChild>();
  const claimed = new Set<ResumeEntry>();
  let unanswered: Interrupt | undefined;
  let resumed = false;
  for (const [toolCallId, { token, envelopeText }] of await tokensOf(calls, given)) {
    const call = calls.get(toolCallId);
    const task = call && given.read(call.toolName, call.argumentsText);
    if (task === undefined) {
      throw new ResumeError('this child belongs to another tool call', { code: 'resume_other_tool_call' });
    }
    const { agent, brief = '{}' } = task;
    const state = await openedState(given.seal, token, {
      threadId: given.threadId,
      toolCallId,
      subagent: agent.name,
      brief: keptText(agent, brief),
    });
    checkContract(task, state, given.seal);
    const answers = given.resume.filter(({ interruptId }) => state.interrupts.some(({ id }) => id === interruptId));
    for (const entry of answers) claimed.add(entry);
    resumed ||= answers.length > 0 || envelopeText === undefined;
    const answered = new Set(answers.map(({ interruptId }) => interruptId));
    const open = state.interrupts.find(({ id }) => !answered.has(id));
    unanswered ??= open;
    // The child judges them again when it goes on. Here they cost nothing but an error, and it still waits.
    if (!open) judgeAnswers(state, answers, { now: Date.now(), trusted: given.seal !== undefined });
    const [first, ...others] = state.interrupts;
    suspended.set(toolCallId, {
      agent,
      envelopeText,
      state,
      interrupts: first === undefined ? [] : [withResumeToken(first, token), ...others],
      answers: open ? [] : answers,
    });
  }
  if (resumed && unanswered) {
    throw new ResumeError(`the interrupt ${JSON.stringify(unanswered.id)} has no answer`, {
      code: 'resume_unanswered',
    });
  }
  return { suspended, parentAnswers: given.resume.filter((entry) => !claimed.has(entry)) };
}

type Waiting = { token: string; envelopeText?: string };

/** Which calls wait, and for what: what their messages say, and for calls without one, what the answers carry. */
async function tokensOf(calls: ReadonlyMap<string, ReplayedCall>, given: Replayed): Promise<Map<string, Waiting>> {
  const waiting = new Map<string, Waiting>();
  for (const [toolCallId, { toolName, argumentsText, suspendedEnvelope }] of calls) {
    if (suspendedEnvelope === undefined || given.read(toolName, argumentsText) === undefined) continue;
    const token = resumeTokenOf(parseEnvelope(suspendedEnvelope)) ?? '';
    waiting.set(toolCallId, { token, envelopeText: suspendedEnvelope });
  }
  const carried = new Set(given.resume.map((entry) => resumeTokenIn(entry)));
  for (const { token } of waiting.values()) carried.delete(token);
  for (const token of carried) {
    if (token === undefined) continue;
    const { tool_call_id: toolCallId } = await openedState(given.seal, token, {
      threadId: given.threadId,
      toolCallId: undefined,
      subagent: undefined,
      brief: undefined,
    });
    // The message of a call says more; a token beside it is from another time.
    if (toolCallId !== null && !waiting.has(toolCallId)) waiting.set(toolCallId, { token });
  }
  return waiting;
}

/** The contract has to be the one that the child was suspended under: its call's own, else the agent's. */
function checkContract(task: TaskCall, { contract }: ResumeState, seal: ResumeSeal | undefined): void {
  const { source, digest } = contractOf(task);
  // A contract of a call comes with the call: one that only the state knows of was put there.
  const ofCall = source === 'final_schema';
  if (ofCall === (contract.source === 'final_schema')) {
    if (contract.digest === digest || (!ofCall && seal?.onContractChange === 'revalidate')) return;
  }
  throw new ResumeError('the contract has changed since this child was suspended', { code: 'resume_contract_changed' });
}

/** A child's interrupts as the parent's run raises them: the client answers the parent's run, so they are bound to it. */
export function bindToParent(interrupts: readonly Interrupt[], interruptedRunId: string): Interrupt[] {
  return interrupts.map((interrupt) => rebound(interrupt, { interruptedRunId, generation: 0 }));
}
