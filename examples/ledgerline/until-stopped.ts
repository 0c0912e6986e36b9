// Stops one child: its host ends its run as cancelled, and the others and their parent go on.
import type { StreamChunk } from '@tanstack/ai';
import type { AGUIEvent } from 'subcontract';

/** The events of a child's run, until `stop` aborts. */
export async function* untilStopped(
  run: AsyncIterable<StreamChunk>,
  stop: AbortSignal,
  { threadId, runId }: { threadId: string; runId: string },
): AsyncGenerator<StreamChunk | AGUIEvent> {
  for await (const event of run) {
    if (stop.aborted) break;
    yield event;
  }
  if (stop.aborted) yield { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'cancelled' } };
}
