// Our streams before independent readers, in process and over loopback.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { HttpAgent } from '@ag-ui/client';
import type { AGUIEvent } from '../../../js/ag-ui/events.js';
import { expectReadable } from '../ag-ui/readers.js';

/** Reads a stream to its end, and fails the test when one of the readers refuses it. */
export async function collect(stream: AsyncIterable<AGUIEvent>): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  for await (const event of stream) events.push(event);
  await verify(events);
  return events;
}

/** Fails the test when one of the readers refuses the events. */
export async function verify(events: readonly AGUIEvent[]): Promise<void> {
  await expectReadable(events);
}

/** The events of one type. */
export function ofType<T extends AGUIEvent['type']>(
  events: readonly AGUIEvent[],
  type: T,
): Extract<AGUIEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AGUIEvent, { type: T }> => event.type === type);
}

/** The events' types in order, with the deltas and what surrounds a run left out. */
export function outline(events: readonly AGUIEvent[]): string[] {
  const left = /^(TEXT_MESSAGE|REASONING|STEP)_|_ARGS$/;
  return events
    .filter(({ type }) => !left.test(type))
    .map((event) => ('subagentRunId' in event ? `  ${event.type}` : event.type));
}

/** Serves a handler of web requests on loopback. */
export async function serve(handler: (request: Request) => Promise<Response>) {
  const server = createServer((incoming, outgoing) => {
    void answer(handler, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  handler: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const response = await handler(new Request('http://loopback/', { method: 'POST', body: Buffer.concat(chunks) }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else Readable.fromWeb(response.body as never).pipe(outgoing);
}

/** One run of the strict client against a server; rejects on the first event that it refuses. */
export async function strictRun(agent: HttpAgent, input: Parameters<HttpAgent['runAgent']>[0]): Promise<AGUIEvent[]> {
  const events: AGUIEvent[] = [];
  await agent.runAgent(input, {
    onEvent: ({ event }) => {
      events.push(event as AGUIEvent);
    },
  });
  return events;
}
