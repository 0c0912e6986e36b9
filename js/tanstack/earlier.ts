// What the children before one in a router's plan came to: in this run, or as a client replays it.
import type { ToolCall } from '@tanstack/ai';
import { buildEnvelope, membersOf } from '../core.js';
import { type Earlier, earlierOf } from '../earlier.js';
import type { EnvelopeStatus } from '../envelope.js';
import { placeOf, precedes } from './routed-call.js';

/** The calls of one message, and what is known of their children. */
export interface Siblings {
  calls: readonly ToolCall[];
  /** The envelopes of those that ended in this run, by tool call id. */
  envelopes: ReadonlyMap<string, string>;
  /** What the parent's model reads of those that ended before it. */
  results: ReadonlyMap<string, string>;
}

/** The children that a later one reads, in the order of the plan. */
export function earlierIn(siblings: Siblings, toolCallId: string): Earlier[] {
  const place = placeOf(toolCallId);
  const before = siblings.calls.filter(({ id }) => precedes(placeOf(id), place));
  return before.flatMap(({ id }) => {
    const text = siblings.envelopes.get(id) ?? replayedEnvelope(siblings.results.get(id));
    return text === undefined ? [] : [earlierOf(text)];
  });
}

/** An envelope made of what a model reads of it; nothing for what is none, say the refusal of a brief. */
function replayedEnvelope(text: string | undefined): string | undefined {
  try {
    const { final_result: resultText = 'null', ...members } = membersOf(text ?? '');
    const read = (name: string): unknown => JSON.parse(members[name] ?? 'null');
    const status = (read('status') ?? 'completed') as EnvelopeStatus;
    const [, code = 'child_error', message = ''] = /^(\w+): (.*)$/s.exec(String(read('error') ?? '')) ?? [];
    return buildEnvelope({
      run_id: read('run_id') as string,
      subagent: read('subagent') as string,
      task_summary: read('task_summary') as string | null,
      status,
      attempts: [],
      ...(resultText !== 'null' && { result_text: resultText }),
      ...('degraded' in members && { degraded: read('degraded') as never }),
      contract: { source: resultText === 'null' ? 'none' : 'output_schema' },
      effort: { tool_calls: 0 },
      ...(status !== 'completed' && { error: { code, message } }),
    });
  } catch {
    return undefined;
  }
}
