// The client of the emulated host: the child's messages as TanStack AI's own stream processor folds them, and its answers.
import { type StreamChunk, StreamProcessor, uiMessageToModelMessages } from '@tanstack/ai';
import type { AGUIEvent, Interrupt } from 'subcontract/ag-ui';
import type { Continued, HostRun } from './emulated-host.js';

/** How the child's messages come back: as the protocol's wire has them, or as the client's own. */
export type Form = 'model messages' | 'UI messages';

/** The child's messages at the end of a run. */
export function messagesOf({ events, subagentRunId }: HostRun, form: Form): Record<string, unknown>[] {
  const processor = new StreamProcessor();
  for (const event of events) {
    if (!('subagentRunId' in event) || event.subagentRunId !== subagentRunId) continue;
    if (event.type.startsWith('SUBAGENT_') || event.type === 'CUSTOM') continue;
    processor.processChunk(untagged(event) as StreamChunk);
  }
  const ui = processor.getMessages();
  return JSON.parse(JSON.stringify(form === 'UI messages' ? ui : ui.flatMap(uiMessageToModelMessages)));
}

/** What is sent to go on with a child that waits. `carry`: whether this client sends an interrupt's metadata back. */
export function answering(
  run: HostRun,
  { form, carry = false, approved = true }: { form: Form; carry?: boolean; approved?: boolean },
): Continued {
  const first = run.events[0];
  return {
    interruptedRunId: first?.type === 'RUN_STARTED' ? first.runId : '',
    subagentRunId: run.subagentRunId,
    messages: messagesOf(run, form),
    resume: run.interrupts.map(({ id, metadata }: Interrupt) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved },
      ...(carry && metadata && { metadata }),
    })),
  };
}

function untagged(event: AGUIEvent): object {
  const { subagentRunId: _, ...rest } = event as AGUIEvent & { subagentRunId?: string };
  return rest;
}
