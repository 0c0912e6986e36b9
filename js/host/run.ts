// An agent's own `run`: the child, gated, for a host that runs agents itself.
import type { AGUIEvent } from '../ag-ui/events.js';
import { assertAnswers } from '../answers.js';
import { acceptBrief, RefusedBrief } from '../brief.js';
import type { AgentContext, SeedMessage } from '../child/context.js';
import { failureOfThrown } from '../child/failure.js';
import { endStream, readOutput } from '../child/output.js';
import type { Contract } from '../contract.js';
import type { SubcontractAgent } from '../define-agent.js';
import { DelegationRun } from '../delegation.js';
import { SubcontractError } from '../errors.js';
import { toJsonText } from '../json-text.js';
import { leftAtOnce } from '../left-at-once.js';
import { resumeTokenOf } from '../raise.js';
import { sealOf } from '../resume-seal.js';
import { validatesItself } from '../schema.js';
import { defined } from '../wire.js';
import type { HostRunContext } from './context.js';
import { ownMessages } from './messages.js';
import { stateOf, suspensionOf } from './resume.js';
import { endOf, failed, runOf, textEvents, toHost } from './stream.js';

/**
 * Runs a child under a host that gives it ids, tags its events, and reads its own RUN_FINISHED or RUN_ERROR as its end.
 *
 * With an `outputSchema` the child is gated, and its text is what the parent's model is to read of its envelope. Without
 * one there is nothing to gate, and it is what it would be there in any case.
 *
 * Whatever goes wrong is in the stream.
 */
export function runInHost(agent: SubcontractAgent, ctx: HostRunContext): AsyncIterable<AGUIEvent> {
  const { outputContract } = agent;
  const leave: Leave = { now: () => {} };
  const events = outputContract ? gated(agent, outputContract, ctx, leave) : ungated(agent, ctx, leave);
  return leftAtOnce(settled(events, ctx), () => leave.now());
}

/** How a child is stopped whose host no longer reads. */
interface Leave {
  now(): void;
}

/** The events, and a RUN_ERROR in the place of what is thrown. */
async function* settled(
  events: AsyncIterable<AGUIEvent>,
  ctx: HostRunContext,
): AsyncGenerator<AGUIEvent, void, undefined> {
  yield { type: 'RUN_STARTED', ...runOf(ctx) };
  try {
    if (!Array.isArray(ctx.messages))
      throw new SubcontractError('messages must be a list', { code: 'messages_malformed' });
    assertAnswers(ctx.resume ?? []);
    yield* events;
  } catch (thrown) {
    const { code, message, error } = failureOfThrown(thrown);
    yield failed(error instanceof RefusedBrief ? error.feedback : message, code);
  }
}

async function* gated(
  agent: SubcontractAgent,
  contract: Contract,
  ctx: HostRunContext,
  leave: Leave,
): AsyncGenerator<AGUIEvent> {
  const { threadId, runId, parentRunId, subagentRunId, parentSubagentRunId, messages, abortSignal } = ctx;
  const resume = ctx.resume ?? [];
  const { seal } = agent.definition;
  const sealing = seal && sealOf(seal);
  const checked = checkedByHost(agent);
  const brief = briefOf(agent, ctx);
  const state =
    resume.length > 0
      ? await stateOf(ctx, { agent, brief, seal: sealing, contractDigest: contract.digest })
      : undefined;
  const delegation = new DelegationRun(agent, brief, {
    threadId,
    runId,
    subagentRunId,
    messages,
    ...defined({ parentRunId, parentSubagentRunId, abortSignal, seal }),
    ...(state && { resume: { state, entries: resume } }),
    host: { context: ctx, ...(checked && { input: ctx.input }) },
  });
  leave.now = () => delegation.abort('the host no longer reads');
  for await (const event of delegation) yield* toHost(event, subagentRunId);
  const envelope = await delegation.envelope;
  const token = resumeTokenOf(envelope);
  if (token !== undefined) await sealing?.remember(suspensionOf(ctx), token);
  yield* endOf({ envelope, toolResult: await delegation.toolResult }, ctx);
}

/** As the host has it, with `ctx.seed` for the child's own messages. */
async function* ungated(agent: SubcontractAgent, ctx: HostRunContext, leave: Leave): AsyncGenerator<AGUIEvent> {
  const { run } = agent.definition;
  const input = checkedByHost(agent) ? ctx.input : (await acceptBrief(agent, briefOf(agent, ctx))).input;
  const own = ctx.resume ? ownMessages(ctx.messages, ctx.subagentRunId) : [];
  const { resume, parentRunId, parentSubagentRunId, ...given } = ctx;
  const context: AgentContext = {
    ...given,
    ...(resume && { resume: [...resume] }),
    ...defined({ parentRunId, parentSubagentRunId }),
    input,
    earlier: [],
    abortSignal: ctx.abortSignal ?? new AbortController().signal,
    attempt: 1,
    seed: <M extends SeedMessage>(first: readonly M[]) => [...first, ...structuredClone(own)],
    tools: [],
    host: ctx,
  };
  const output = readOutput(await run(context as never));
  const messageId = `${ctx.runId}:text`;
  if (output.kind === 'stream') {
    leave.now = () => endStream(output.iterator);
    yield* textOrEvents({ [Symbol.asyncIterator]: () => output.iterator }, ctx, messageId);
    return;
  }
  if (output.text !== undefined) yield* textEvents(output.text, messageId);
  const result = output.kind === 'value' && output.text !== undefined ? { result: JSON.parse(output.text) } : {};
  yield { type: 'RUN_FINISHED', ...runOf(ctx), ...result };
}

/** A stream of events is the host's own; deltas of text become one message. */
async function* textOrEvents(
  stream: AsyncIterable<unknown>,
  ctx: HostRunContext,
  messageId: string,
): AsyncGenerator<AGUIEvent> {
  let text = false;
  for await (const item of stream) {
    if (typeof item !== 'string') {
      yield item as AGUIEvent;
      continue;
    }
    if (!text) yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
    text = true;
    if (item !== '') yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: item };
  }
  if (!text) return;
  yield { type: 'TEXT_MESSAGE_END', messageId };
  yield { type: 'RUN_FINISHED', ...runOf(ctx) };
}

/**
 * Whether what the host gave as `input` is what the schema's own validation has made of the brief: to judge it again would
 * judge a transform's output as its input. A plain JSON Schema transforms nothing, and not every host judges by one.
 */
function checkedByHost(agent: SubcontractAgent): boolean {
  return validatesItself(agent.inputSchema);
}

/** The brief's text, to be judged, and to be kept and compared on a resume. */
function briefOf(agent: SubcontractAgent, { input }: HostRunContext): string | undefined {
  if (agent.inputContract === undefined) return undefined;
  if (input === undefined) throw noInput(agent.name);
  const json = toJsonText(input);
  if (json.ok) return json.text;
  // A transform's output may be more than JSON: it is compared by what JSON has of it.
  return checkedByHost(agent) ? JSON.stringify(input) : undefined;
}

function noInput(name: string): RefusedBrief {
  const message = 'the host gave no input: TanStack AI gives a child one from 0.63 on';
  return new RefusedBrief(name, {
    ok: false,
    code: 'invalid_json',
    issues: [{ instancePath: '', schemaPath: '', keyword: 'invalid_json', params: {}, message }],
    flags: [],
  });
}
