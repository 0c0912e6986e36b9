// Server-sent events for AG-UI streams with subagents: the stock encoders of TanStack AI 0.58 move or drop the fields of SUBAGENT_* events.
import type { AGUIEvent } from '../ag-ui/events.js';
import { eventText } from '../ag-ui/exact-json.js';

/**
 * A streaming `text/event-stream` response, one frame per event, with the numbers of a child's result as the child wrote
 * them.
 *
 * The stream is read only as fast as the client takes it; when the client goes away, the stream is
 * ended, which stops the run and its children. A stream that throws ends with RUN_ERROR.
 */
export function toSubagentResponse(stream: AsyncIterable<AGUIEvent>, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  if (!headers.has('content-type')) headers.set('content-type', 'text/event-stream');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-cache');
  return new Response(toFrames(stream), { ...init, headers });
}

function toFrames(stream: AsyncIterable<AGUIEvent>): ReadableStream<Uint8Array> {
  const events = stream[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const frame = (event: AGUIEvent) => encoder.encode(`data: ${eventText(event)}\n\n`);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await events.next();
        if (next.done === true) controller.close();
        else controller.enqueue(frame(next.value));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        controller.enqueue(frame({ type: 'RUN_ERROR', message, timestamp: Date.now() }));
        controller.close();
        // An event that could not be written: the run behind it still goes on.
        Promise.resolve(events.return?.()).catch(() => {});
      }
    },
    async cancel() {
      await events.return?.();
    },
  });
}
