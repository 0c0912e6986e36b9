// The server tools by which a parent's model delegates: one for each agent, or `delegate_task` for them all.
import type { Tool } from '@tanstack/ai';
import type { AGUIEvent } from '../ag-ui/events.js';
import { briefToolDescription } from '../core.js';
import type { SubcontractAgent } from '../define-agent.js';
import { type DelegateOptions, type Delegation, delegate } from '../delegate.js';
import { delegateTaskTool } from '../delegate-task-tool.js';
import { parseEnvelope } from '../envelope.js';
import { ResumeError } from '../errors.js';
import type { DelegationObserver } from '../observe.js';
import { raisedInterrupts } from '../raise.js';
import { ownToolSchema, readOwnCall, readTaskCall, type TaskCall } from '../task-call.js';
import type { ParentRun } from './parent-run.js';
import { suspendedContent } from './replay.js';
import { bindToParent, type SuspendedChild } from './suspension.js';

/** The delegating tools of one run of a parent. */
export interface DelegatingTools {
  tools(run: ParentRun): Tool[];
  /** Whether calls of the tool called `name` delegate. */
  has(name: string): boolean;
  /** Whom a call of one of them asks, and for what; nothing for a call that names no child. */
  read(toolName: string, argumentsText: string): TaskCall | undefined;
}

/** A delegating call under way: a delegation, or the refusal of what named none. */
interface Task extends AsyncIterable<AGUIEvent> {
  readonly delegation: Delegation | undefined;
  readonly toolResult: Promise<string>;
}

type Open = (argumentsText: string, options: DelegateOptions) => Task;

/** One tool for each agent. */
export function agentTools(agents: readonly SubcontractAgent[], onEvent?: DelegationObserver): DelegatingTools {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  return {
    tools: (run) => agents.map((agent) => agentTool(agent, run, onEvent)),
    has: (name) => byName.has(name),
    read: (name, text) => {
      const agent = byName.get(name);
      return agent && readOwnCall(agent, text);
    },
  };
}

/** `delegate_task` for all agents. */
export function oneTool(
  agents: readonly SubcontractAgent[],
  { maxAgents, onEvent }: { maxAgents?: number | undefined; onEvent?: DelegationObserver | undefined },
): DelegatingTools {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const tool = delegateTaskTool(agents, maxAgents === undefined ? {} : { maxAgents });
  const { name, description, inputSchema } = tool;
  return {
    tools: (run) => [
      {
        name,
        description,
        inputSchema,
        execute: executing(run, onEvent, (text, options) => tool.delegate(text, options)),
      },
    ],
    has: (called) => called === name,
    read: (called, text) => {
      const call = called === name ? readTaskCall(byName, text) : undefined;
      return call && 'agent' in call ? call : undefined;
    },
  };
}

function agentTool(agent: SubcontractAgent, run: ParentRun, onEvent: DelegationObserver | undefined): Tool {
  const { name, description, inputContract } = agent;
  const inputSchema = ownToolSchema(agent);
  // The schema is plain, so the engine does not validate it: the brief is judged by its exact text,
  // and a refused one goes back to the parent's model with its issues.
  return {
    name,
    description: inputContract === undefined ? description : briefToolDescription({ description }),
    ...(inputSchema && { inputSchema }),
    execute: executing(run, onEvent, (text, options) => {
      const { brief, finalSchema } = readOwnCall(agent, text);
      const delegation = delegate(agent, brief, { ...options, ...(finalSchema !== undefined && { finalSchema }) });
      return {
        delegation,
        get toolResult() {
          return delegation.toolResult;
        },
        [Symbol.asyncIterator]: () => delegation[Symbol.asyncIterator](),
      };
    }),
  };
}

function executing(run: ParentRun, onEvent: DelegationObserver | undefined, open: Open): NonNullable<Tool['execute']> {
  return async (args, context) => {
    const toolCallId = context?.toolCallId ?? '';
    const text = await runChild(run, { toolCallId, args, onEvent, open });
    run.results.set(toolCallId, text);
    return text;
  };
}

async function runChild(
  run: ParentRun,
  call: { toolCallId: string; args: unknown; onEvent: DelegationObserver | undefined; open: Open },
): Promise<string> {
  const { toolCallId, args, onEvent, open } = call;
  const waiting = run.suspended.get(toolCallId);
  // Some models count their calls anew in each turn: the next call of this id is another one.
  run.suspended.delete(toolCallId);
  if (waiting !== undefined && waiting.answers.length === 0) return stayWaiting(run, toolCallId, waiting);
  const task = open(run.briefs.get(toolCallId) ?? JSON.stringify(args ?? {}), {
    threadId: run.threadId,
    // A resumed child goes on from the run that its interrupts were raised in.
    parentRunId: waiting === undefined ? run.runId : (run.interruptedRunId ?? run.runId),
    parentToolCallId: toolCallId,
    messages: run.messagesBefore.get(toolCallId) ?? [],
    abortSignal: run.signal,
    seal: run.seal ?? 'none',
    ...(run.transcripts && { transcripts: run.transcripts }),
    ...(onEvent && { onEvent }),
    ...(waiting && { resume: { state: waiting.state, entries: [...waiting.answers] } }),
  });
  let last: AGUIEvent | undefined;
  for await (const event of task) {
    last = event;
    await run.events.put(event);
  }
  // What ended in an earlier request is told again, and was accounted for there.
  const counts = last?.metadata?.subcontract !== undefined;
  return settle(run, task, counts);
}

async function settle(run: ParentRun, { delegation, toolResult }: Task, counts: boolean): Promise<string> {
  if (delegation === undefined) return toolResult;
  const envelopeText = await delegation.envelopeText;
  const envelope = parseEnvelope(envelopeText);
  const { status, subagent, error, usage } = envelope;
  if (usage !== undefined && counts) run.usage.push({ subagentRunId: delegation.subagentRunId, subagent, usage });
  // The child is somebody else's, and may be running: its call must not get an answer from here.
  if (error !== undefined && CLAIMED.has(error.code)) run.refuse(new ResumeError(error.message, error));
  if (status !== 'suspended') return toolResult;
  run.interrupts.push(...bindToParent(raisedInterrupts(envelope), run.runId));
  return suspendedContent(envelopeText);
}

const CLAIMED: ReadonlySet<string> = new Set(['resume_in_progress', 'resume_answered_differently']);

/** A child that got no answers is shown as suspended again, and its interrupts are raised again; nothing of it runs. */
async function stayWaiting(
  run: ParentRun,
  parentToolCallId: string,
  { agent, envelopeText, state, interrupts }: SuspendedChild,
): Promise<string> {
  const { name, description } = agent;
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
