// What of one turn's delegating calls runs together: 0.58 itself carries out one call after another.
import type {
  BeforeToolCallDecision,
  ChatMiddleware,
  ChatMiddlewareContext,
  ModelMessage,
  Tool,
  ToolCall,
  ToolCallHookContext,
} from '@tanstack/ai';
import { SubcontractError } from '../errors.js';
import { parsedJson } from '../json-text.js';
import { isOpen } from '../open-call.js';
import { isRecord } from '../wire.js';
import type { Children } from './children.js';

/** A call's place in the thread. */
export interface Thread {
  /** The thread up to the message that makes the call. */
  before: readonly ModelMessage[];
  /** The delegating calls of that message. */
  calls: readonly ToolCall[];
  /** The results of those that have one, by tool call id. */
  results: ReadonlyMap<string, string>;
}

/** How the delegating calls of a turn are carried out. */
export interface TurnOptions<C> {
  /** The middleware of the application, whose hooks decide on each call before its child starts. */
  middleware: readonly ChatMiddleware<C>[];
  /** The tools that delegate. */
  tools: readonly Tool[];
  /** Which of the calls of one message, all of them open, start at the same time as the one that is to be carried out. */
  together(calls: readonly ToolCall[], call: ToolCall): readonly ToolCall[];
}

/**
 * Starts the children of a turn together. It stands before the application's own middleware, and asks their
 * `onBeforeToolCall` itself, once for each call: a child that one of them forbids must not have been started.
 */
export function turnMiddleware<C>(children: Children, options: TurnOptions<C>): ChatMiddleware<C> {
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const decided = new Map<string, Promise<BeforeToolCallDecision>>();
  /** The calls of this turn that the engine has been at. */
  const carriedOut = new Set<string>();
  const decide = (context: ChatMiddlewareContext<C>, hook: ToolCallHookContext) => {
    const decision = decided.get(hook.toolCallId) ?? decisionOf(options.middleware, context, hook);
    decided.set(hook.toolCallId, decision);
    return decision;
  };
  return {
    name: 'subcontract.turn',
    async onBeforeToolCall(context, hook) {
      if (!tools.has(hook.toolName)) return undefined;
      const thread = threadOf(context.messages, hook.toolCall, tools);
      const open = thread.calls.filter(({ id }) => !thread.results.has(id) && !carriedOut.has(id));
      const starting = carriedOut.has(hook.toolCallId) ? [] : options.together(open, hook.toolCall);
      for (const toolCall of starting) {
        const own = toolCall.id === hook.toolCallId;
        // Those that were asked about before have started, or never will.
        if (!own && decided.has(toolCall.id)) continue;
        const call = own ? hook : hookOf(toolCall, tools);
        const decision = await decide(context, call);
        if (decision?.type === 'abort') break;
        if (decision?.type !== 'skip') children.start(call, thread);
      }
      const decision = await decide(context, hook);
      carriedOut.add(hook.toolCallId);
      // With any decision the engine asks nobody else; this one changes nothing.
      return decision ?? { type: 'transformArgs', args: hook.args };
    },
    onToolPhaseComplete() {
      children.leave();
      decided.clear();
      carriedOut.clear();
    },
  };
}

async function decisionOf<C>(
  middleware: readonly ChatMiddleware<C>[],
  context: ChatMiddlewareContext<C>,
  hook: ToolCallHookContext,
): Promise<BeforeToolCallDecision> {
  for (const one of middleware) {
    const decision = await one.onBeforeToolCall?.(context, hook);
    // The brief is what the parent's model wrote, and what a suspended child is compared with.
    if (decision?.type === 'transformArgs') {
      throw new SubcontractError('onBeforeToolCall may skip or abort a call that delegates, not rewrite its brief', {
        code: 'brief_rewritten',
      });
    }
    if (decision) return decision;
  }
  return undefined;
}

/** A call's place in the thread; of the message that makes it the text alone stands before it, because its calls are open. */
function threadOf(messages: readonly ModelMessage[], call: ToolCall, tools: ReadonlyMap<string, Tool>): Thread {
  // The last one: some models count their calls anew in each turn.
  const at = messages.findLastIndex(({ toolCalls }) => toolCalls?.some(({ id }) => id === call.id));
  const caller = messages[at];
  if (caller === undefined) return { before: messages, calls: [call], results: new Map() };
  const results = new Map<string, string>();
  for (const { role, toolCallId = '', content } of messages.slice(at + 1)) {
    // What waits is open, and gets an answer of its own.
    if (role === 'tool' && !isOpen(content)) results.set(toolCallId, String(content));
  }
  const calls = caller.toolCalls?.filter((one) => tools.has(one.function.name)) ?? [];
  const before = messages.slice(0, at);
  // A replayed message without text has no content at all.
  if (!caller.content?.length) return { before, calls, results };
  const { toolCalls: _open, ...text } = caller;
  return { before: [...before, text], calls, results };
}

/** What the engine will tell of a call that it has not got to yet. */
function hookOf(toolCall: ToolCall, tools: ReadonlyMap<string, Tool>): ToolCallHookContext {
  const { id: toolCallId, function: called } = toolCall;
  const { name: toolName } = called;
  const args = parsedJson(called.arguments);
  return { toolCall, tool: tools.get(toolName), args: isRecord(args) ? args : {}, toolName, toolCallId };
}
