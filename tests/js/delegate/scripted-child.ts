// A child with a scripted model: the agent loop of a host, without a host. Tools are really executed.
import type { AGUIEvent, TokenUsage } from 'subcontract/ag-ui';

/** One call of the scripted model. */
export interface ScriptedTurn {
  text?: string;
  calls?: { id: string; name: string; args: string }[];
  usage?: TokenUsage[];
  finishReason?: string;
}

/** A tool as the loop calls it. */
export interface LoopTool {
  name: string;
  execute(args: unknown, context?: { toolCallId?: string }): Promise<string> | string;
}

/** Runs the turns as a host would: text and arguments in deltas, then the tools, then the next turn. */
export async function* scriptedChild(
  turns: ScriptedTurn[],
  tools: LoopTool[] = [],
  runId = 'child-run',
): AsyncGenerator<AGUIEvent> {
  yield { type: 'RUN_STARTED', threadId: 'child-thread', runId };
  for (const [index, { text, calls = [], usage, finishReason }] of turns.entries()) {
    const messageId = `${runId}-m${index}`;
    if (text !== undefined) {
      yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
      for (const delta of halves(text)) yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta };
      yield { type: 'TEXT_MESSAGE_END', messageId };
    }
    for (const { id, name, args } of calls) {
      yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: messageId };
      for (const delta of halves(args)) yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta };
      yield { type: 'TOOL_CALL_END', toolCallId: id };
    }
    const more = index + 1 < turns.length;
    const finished = { type: 'RUN_FINISHED', threadId: 'child-thread', runId } as const;
    if (usage || !more) {
      const reason = finishReason ?? (more ? 'tool_calls' : 'stop');
      yield { ...finished, ...(usage && { usage }), ...({ finishReason: reason } as object) };
    }
    for (const { id, name, args } of calls) {
      const tool = tools.find((candidate) => candidate.name === name);
      const content = (await tool?.execute(parsed(args), { toolCallId: id })) ?? `no tool ${name}`;
      yield { type: 'TOOL_CALL_RESULT', messageId: `${id}-result`, toolCallId: id, content };
    }
  }
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

/** As a host parses arguments: it needs some value to call the tool with. */
function parsed(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}
