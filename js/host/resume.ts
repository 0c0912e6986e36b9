// Where a child that such a host resumes goes on: from its state where that came back, else from its own messages.
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import type { HistoryMessage } from '../child/history.js';
import { outwardId } from '../child/names.js';
import { openResumeState, writeResumeState } from '../core.js';
import type { SubcontractAgent } from '../define-agent.js';
import type { AttemptRecord } from '../envelope.js';
import { ResumeError } from '../errors.js';
import { resumeTokenIn } from '../raise.js';
import type { ResumeState } from '../resume.js';
import { openedState, type ResumeSeal } from '../resume-seal.js';
import type { HostRunContext } from './context.js';
import { ownMessages } from './messages.js';

/** What the resumed call has to be. */
export interface Resumed {
  agent: SubcontractAgent;
  /** The replayed brief as its state has it. */
  brief: string | undefined;
  /** Absent when states are not sealed. */
  seal: ResumeSeal | undefined;
  /** The digest of the contract that holds. */
  contractDigest: string;
}

/**
 * The state of the child that `ctx.resume` answers, opened.
 *
 * A sealed state comes with an answer, for clients that send an interrupt's metadata back, or from the seal's store.
 * With `seal: 'none'` what the host replays of the child's messages will do: it is as unprotected as a state would be.
 *
 * Throws a `ResumeError`.
 */
export async function stateOf(ctx: HostRunContext, resumed: Resumed): Promise<ResumeState> {
  const { threadId, subagentRunId } = ctx;
  const { agent, brief, seal } = resumed;
  const token = tokenIn(ctx.resume ?? []) ?? (await seal?.recall(suspensionOf(ctx)));
  if (token === undefined) return fromMessages(ctx, resumed);
  const state = await openedState(seal, token, { threadId, toolCallId: undefined, subagent: agent.name, brief });
  if (state.subagent_run_id === subagentRunId) return state;
  throw new ResumeError('this state belongs to another invocation of the agent', { code: 'resume_other_tool_call' });
}

/** The name that a store has a suspended child's token under: the host gives a resumed child the same ids. */
export function suspensionOf({ threadId, subagentRunId }: HostRunContext): string {
  return JSON.stringify([threadId, subagentRunId]);
}

function tokenIn(entries: readonly ResumeEntry[]): string | undefined {
  for (const entry of entries) {
    const token = resumeTokenIn(entry);
    if (token !== undefined) return token;
  }
  return undefined;
}

function fromMessages(ctx: HostRunContext, { agent, brief, seal, contractDigest }: Resumed): ResumeState {
  if (seal) {
    throw new ResumeError(
      "the child's sealed state did not come back with the answers: this client does not carry it, so give seal a store",
      { code: 'resume_not_found' },
    );
  }
  const { threadId, subagentRunId, runId } = ctx;
  const messages = ownMessages(ctx.messages, subagentRunId);
  if (messages.length === 0) {
    throw new ResumeError('neither the state nor the messages of the suspended child came back', {
      code: 'resume_not_found',
    });
  }
  const text = writeResumeState({
    schema_version: 1,
    id: runId,
    brief_text: brief ?? null,
    brief_digest: null,
    agent: agent.name,
    contract: { source: 'output_schema', digest: contractDigest },
    thread_id: threadId,
    tool_call_id: null,
    subagent_run_id: subagentRunId,
    attempts_used: attemptsIn(messages, agent),
    interrupts: (ctx.resume ?? []).map((entry) => interruptOf(entry, subagentRunId)),
    messages,
  });
  return openResumeState(text, {});
}

/** All that the messages tell of the attempts: that a call of the return tool was answered, which an accepted one ends. */
function attemptsIn(messages: readonly HistoryMessage[], agent: SubcontractAgent): AttemptRecord[] {
  const name = agent.outputContract?.handle.returnTool().name;
  const answered = new Set(messages.map((message) => (message.role === 'tool' ? message.toolCallId : undefined)));
  return messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .filter((call) => call.function.name === name && answered.has(call.id))
    .map((_, index) => ({ attempt: index + 1, via: 'return_tool', outcome: 'rejected' }));
}

/** The host has matched answers and interrupts. Whose one is, its id says; the rest was for whoever answered it. */
function interruptOf({ interruptId: id }: ResumeEntry, own: string): Interrupt {
  const subagentRunId = id.startsWith(outwardId(own, '')) ? own : id.slice(0, Math.max(0, id.indexOf(':')));
  return { id, reason: 'answered', subagentRunId };
}
