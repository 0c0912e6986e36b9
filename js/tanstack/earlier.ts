// What the children before one in a router's plan came to: in this run, or as a client replays it.
import type { ToolCall } from '@tanstack/ai';
import { buildEnvelope, membersOf } from '../core.js';
import { type Earlier, earlierOf } from '../earlier.js';
import type { EnvelopeStatus } from '../envelope.js';
import { contractOf } from '../task-call.js';
import type { DelegatingTools } from './agent-tool.js';
import { placeOf, precedes } from './routed-call.js';

/** The calls of one message, and what is known of their children. */
export interface Siblings {
  calls: readonly ToolCall[];
  /** What is known of those that ended in this run, and of those that were read before, by tool call id. */
  known: Map<string, Earlier>;
  /** What the parent's model reads of those that ended before it. */
  results: ReadonlyMap<string, string>;
  /** Whom a call asks, and for what. */
  read: DelegatingTools['read'];
}

/** The children that a later one reads, in the order of the plan. */
export function earlierIn(siblings: Siblings, toolCallId: string): Earlier[] {
  const place = placeOf(toolCallId);
  const before = siblings.calls.filter(({ id }) => precedes(placeOf(id), place));
  return before.flatMap((call) => {
    const { known, results, read } = siblings;
    const before = known.get(call.id);
    if (before) return [before];
    const text = replayedEnvelope(call, results.get(call.id), read);
    if (text === undefined) return [];
    // Rendered once: of many steps each reads all that came before.
    const earlier = earlierOf(text);
    known.set(call.id, earlier);
    return [earlier];
  });
}

/** An envelope made of what a model reads of it; nothing for a call without a result, or that names no child. */
function replayedEnvelope(
  { id, function: called }: ToolCall,
  text: string | undefined,
  read: DelegatingTools['read'],
): string | undefined {
  const task = read(called.name, called.arguments);
  if (text === undefined || task === undefined) return undefined;
  const common = { attempts: [], effort: { tool_calls: 0 } };
  try {
    const { final_result: resultText = 'null', ...members } = membersOf(text);
    const member = (name: string): unknown => JSON.parse(members[name] ?? 'null');
    const status = (member('status') ?? 'completed') as EnvelopeStatus;
    const [, code = 'child_error', message = ''] = /^(\w+): (.*)$/s.exec(String(member('error') ?? '')) ?? [];
    return buildEnvelope({
      ...common,
      run_id: member('run_id') as string,
      subagent: member('subagent') as string,
      task_summary: member('task_summary') as string | null,
      status,
      ...(resultText !== 'null' && { result_text: resultText }),
      ...('degraded' in members && { degraded: member('degraded') as never }),
      contract: contractOf(task),
      ...(status !== 'completed' && { error: { code, message } }),
    });
  } catch {
    // Rendered, or a refusal: its text is all there is.
    const { name: subagent } = task.agent;
    const contract = { source: 'none' } as const;
    return buildEnvelope({ ...common, run_id: id, subagent, task_summary: text, status: 'completed', contract });
  }
}
