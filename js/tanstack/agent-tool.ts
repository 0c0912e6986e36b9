// The server tool by which a parent's model delegates to one agent.
import type { Tool } from '@tanstack/ai';
import type { AGUIEvent, ResumeEntry } from '../ag-ui/events.js';
import { briefToolDescription } from '../core.js';
import type { SubcontractAgent } from '../define-agent.js';
import { type Delegation, delegate } from '../delegate.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import { raisedInterrupts } from '../raise.js';
import { toolSchema } from '../tool-schema.js';
import type { ParentRun } from './parent-run.js';
import { suspendedContent } from './replay.js';
import { bindToParent, type SuspendedChild } from './suspension.js';

/** The tool of one agent in one run of its parent. */
export function agentTool(agent: SubcontractAgent, run: ParentRun): Tool {
  const { name, description, inputContract } = agent;
  // The schema is plain, so the engine does not validate it: the brief is judged by its exact text,
  // and a refused one goes back to the parent's model with its issues.
  return {
    name,
    ...(inputContract === undefined
      ? { description }
      : {
          description: briefToolDescription({ description }),
          inputSchema: toolSchema(inputContract.jsonSchema),
        }),
    async execute(args, context) {
      const toolCallId = context?.toolCallId ?? '';
      const text = await runChild(agent, run, toolCallId, args);
      run.results.set(toolCallId, text);
      return text;
    },
  };
}

async function runChild(agent: SubcontractAgent, run: ParentRun, toolCallId: string, args: unknown): Promise<string> {
  const waiting = run.suspended.get(toolCallId);
  // Some models count their calls anew in each turn: the next call of this id is another one.
  run.suspended.delete(toolCallId);
  if (waiting !== undefined && waiting.answers.length === 0) return stayWaiting(agent, run, toolCallId, waiting);
  // The state has the brief of a resumed child; a replayed one was compared with it when the state was opened.
  const brief =
    waiting === undefined ? (run.briefs.get(toolCallId) ?? JSON.stringify(args ?? {})) : waiting.state.brief_text;
  const delegation = delegate(agent, brief ?? undefined, {
    threadId: run.threadId,
    // A resumed child goes on from the run that its interrupts were raised in.
    parentRunId: waiting === undefined ? run.runId : (run.interruptedRunId ?? run.runId),
    parentToolCallId: toolCallId,
    messages: run.messagesBefore.get(toolCallId) ?? [],
    abortSignal: run.signal,
    seal: run.seal ?? 'none',
    ...(waiting === undefined ? {} : { resume: resumption(waiting) }),
  });
  let last: AGUIEvent | undefined;
  for await (const event of delegation) {
    last = event;
    await run.events.put(event);
  }
  // What ended in an earlier request is told again, and was accounted for there.
  const counts = last?.metadata?.subcontract !== undefined;
  return settle(agent, run, delegation, counts);
}

async function settle(
  agent: SubcontractAgent,
  run: ParentRun,
  delegation: Delegation,
  counts: boolean,
): Promise<string> {
  const envelopeText = await delegation.envelopeText;
  const envelope = parseEnvelope(envelopeText);
  const { status, error, usage } = envelope;
  const { subagentRunId } = delegation;
  if (usage !== undefined && counts) {
    run.usage.push({ subagentRunId, subagent: agent.name, usage });
  }
  // The child is somebody else's, and may be running: its call must not get an answer from here.
  if (error !== undefined && CLAIMED.has(error.code)) run.refuse(new ResumeError(error.message, error));
  if (status !== 'suspended') return delegation.toolResult;
  run.interrupts.push(...bindToParent(raisedInterrupts(envelope), run.runId));
  return suspendedContent(envelopeText);
}

const CLAIMED: ReadonlySet<string> = new Set(['resume_in_progress', 'resume_answered_differently']);

/** A child that got no answers is shown as suspended again, and its interrupts are raised again; nothing of it runs. */
async function stayWaiting(
  { name, description }: SubcontractAgent,
  run: ParentRun,
  parentToolCallId: string,
  { envelopeText, state, interrupts }: SuspendedChild,
): Promise<string> {
  const subagentRunId = state.subagent_run_id;
  const own = interrupts.filter((interrupt) => (interrupt.subagentRunId ?? subagentRunId) === subagentRunId);
  const timestamp = Date.now();
  await run.events.put({
    type: 'SUBAGENT_STARTED',
    subagentRunId,
    name,
    description,
    parentToolCallId,
    timestamp,
  });
  await run.events.put({
    type: 'SUBAGENT_FINISHED',
    subagentRunId,
    outcome: { type: 'suspended', ...(own.length > 0 && { interruptIds: own.map(({ id }) => id) }) },
    timestamp,
  });
  run.interrupts.push(...bindToParent(interrupts, run.runId));
  return suspendedContent(envelopeText);
}

function resumption({ state, answers }: SuspendedChild) {
  return { state, entries: [...answers] satisfies ResumeEntry[] };
}
