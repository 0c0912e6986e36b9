// The agent loop: a turn of the model, the tools it calls, the next turn. It tells what it does in AG-UI events.
import type { HistoryMessage } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { type Endpoint, type LoopTool, turn } from './model.js';

export interface Loop {
  endpoint: Endpoint;
  messages: HistoryMessage[];
  tools: readonly LoopTool[];
  threadId: string;
  runId: string;
  signal: AbortSignal;
  maxTurns?: number;
}

/** Runs until the model calls no tool any more. A child and its parent are both such a loop. */
export async function* agentLoop(loop: Loop): AsyncGenerator<AGUIEvent> {
  const { endpoint, tools, threadId, runId, signal, maxTurns = 12 } = loop;
  const messages = [...loop.messages];
  yield { type: 'RUN_STARTED', threadId, runId };
  for (let count = 1; count <= maxTurns; count += 1) {
    const messageId = `${runId}-${count}`;
    let text = '';
    const begun = new Map<object, string>();
    for await (const piece of turn(endpoint, messages, tools, signal)) {
      if (piece.type === 'text') {
        if (text === '') yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' };
        text += piece.delta;
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: piece.delta };
      } else if (piece.type === 'call') {
        const { call, delta } = piece;
        const { id, name } = call;
        if (!begun.has(call) && id !== undefined && name !== undefined) {
          begun.set(call, id);
          yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, parentMessageId: messageId };
          // Arguments may have come before the name.
          if (call.arguments !== '') yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: call.arguments };
        } else if (begun.has(call) && delta !== '') {
          yield { type: 'TOOL_CALL_ARGS', toolCallId: begun.get(call) ?? '', delta };
        }
      } else {
        if (text !== '') yield { type: 'TEXT_MESSAGE_END', messageId };
        const { calls, finishReason, usage } = piece;
        const made = calls.filter((call) => begun.has(call));
        for (const call of made) yield { type: 'TOOL_CALL_END', toolCallId: call.id ?? '' };
        yield {
          type: 'RUN_FINISHED',
          threadId,
          runId,
          ...(usage && {
            usage: [{ model: endpoint.model, inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }],
          }),
          // The gate takes it into account: what `length` has cut is no return.
          metadata: { tanstack: { finishReason } },
        };
        if (made.length === 0) return;
        messages.push({
          role: 'assistant',
          content: text === '' ? null : text,
          toolCalls: made.map(({ id = '', name = '', arguments: args }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: args },
          })),
        });
        for (const { id = '', name, arguments: args } of made) {
          const tool = tools.find((candidate) => candidate.name === name);
          const content = tool ? await tool.execute(args, { toolCallId: id }) : `there is no tool ${name}`;
          messages.push({ role: 'tool', toolCallId: id, content });
          yield { type: 'TOOL_CALL_RESULT', messageId: `${runId}-${id}`, toolCallId: id, content, role: 'tool' };
        }
      }
    }
  }
}
