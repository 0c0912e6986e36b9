// The way to the server: TanStack AI's own connection, with what happens to it made known.
import { fetchServerSentEvents } from '@tanstack/ai-react';
import type { CardStore } from 'subcontract/react';
import { withSubagentCards } from 'subcontract/tanstack';
import { CHAT } from './server.js';

/** `lost`: it has dropped and is tried again. */
export type Reach = 'reached' | 'lost';

export interface ConnectionEvents {
  onReach(reach: Reach): void;
  /** A run was sent off from here. */
  onStarted(): void;
}

const RECONNECT = { maxAttempts: 4, delayMs: 750 };

export function connectionFor(store: CardStore, { onReach, onStarted }: ConnectionEvents) {
  const fetchClient: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      onReach('reached');
      if (response.ok && init?.method === 'POST') onStarted();
      return response.body === null || !isStream(response) ? response : watched(response, init?.signal, lost);
    } catch (error) {
      if (!init?.signal?.aborted) lost();
      throw error;
    }
  };
  const lost = () => {
    onReach('lost');
    store.disconnect();
  };
  const connection = withSubagentCards(fetchServerSentEvents(CHAT, { fetchClient, reconnect: RECONNECT }), store);
  const { hydrate } = connection;
  return {
    ...connection,
    ...(hydrate && {
      hydrate: async (...args: Parameters<typeof hydrate>) => {
        const opened = await hydrate(...args);
        // What runs tells of itself again; the rest is in the messages.
        store.fromMessages(opened.messages, { interrupts: opened.interrupts?.pending ?? [] });
        return opened;
      },
    }),
  };
}

const isStream = (response: Response) => response.headers.get('content-type') === 'text/event-stream';

/** The same response, which says so when it breaks off. */
function watched(response: Response, signal: AbortSignal | null | undefined, lost: () => void): Response {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (!signal?.aborted) lost();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}
