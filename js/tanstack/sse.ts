// The response for AG-UI streams with subagents: the stock encoders of TanStack AI 0.58 move or drop the fields of SUBAGENT_* events.
import type { AGUIEvent } from '../ag-ui/events.js';
import { type SSEOptions, sseResponse } from '../ag-ui/sse.js';

/**
 * A streaming `text/event-stream` response, one frame per event, with the numbers of a child's result as the child wrote
 * them.
 *
 * The stream is read only as fast as the client takes it; when the client goes away, or `signal` aborts, the stream is
 * ended, which stops the run and its children. A stream that throws ends with RUN_ERROR.
 */
export function toSubagentResponse(stream: AsyncIterable<AGUIEvent>, init?: ResponseInit & SSEOptions): Response {
  return sseResponse(stream, init);
}
