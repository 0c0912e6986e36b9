// Keeps the children's events out of a chat client's messages, and hands them to whoever shows them.
import type { AGUIEvent } from '../ag-ui/events.js';
import { readUsage } from '../ag-ui/usage.js';
import { withMethods } from './with-methods.js';

/** Where the events go: the store of `subcontract/cards`, or a function of one's own in an object. */
export interface EventSink {
  /** Takes the events in order, the parent's own among them. What it throws is reported, and harms no run. */
  push(event: AGUIEvent): void;
}

/** The parts of a `ChatClient`'s connection that streams come out of. */
const STREAMS: ReadonlySet<PropertyKey> = new Set(['connect', 'subscribe', 'joinRun']);

/**
 * The same connection, of `ChatClient` and `useChat`, with the children taken out of it: TanStack AI 0.58's client would
 * append their texts and tool calls to the parent's messages.
 *
 * Every event goes to `sink`, because a card also shows what the parent's call asked for, and the interrupts that the
 * run ended with. The parent's own go on to the client.
 *
 * # Example: a chat whose children have cards
 * ```ts
 * const cards = createCardStore();
 * const client = new ChatClient({ connection: withSubagentCards(fetchServerSentEvents('/api/chat'), cards) });
 * ```
 */
export function withSubagentCards<C extends object>(connection: C, sink: EventSink): C {
  return withMethods(connection, (property, own) =>
    STREAMS.has(property) ? (...args: never[]) => parentsOwn(own(...args) as AsyncIterable<object>, sink) : undefined,
  );
}

async function* parentsOwn(chunks: AsyncIterable<object>, sink: EventSink): AsyncGenerator<object, void, undefined> {
  for await (const chunk of chunks) {
    tell(sink, chunk as AGUIEvent);
    // SUBAGENT_* have it as well; what says only that a child never started has none, and is the parent's.
    if (!('subagentRunId' in chunk)) yield chunk;
  }
}

function tell(sink: EventSink, event: AGUIEvent): void {
  try {
    // The client's own adapters have replaced the protocol's list by a summed entry of their own form.
    const usage = 'usage' in event && !Array.isArray(event.usage) ? { usage: readUsage(event.usage) } : {};
    sink.push({ ...event, ...usage });
  } catch (error) {
    globalThis.reportError?.(error);
  }
}
