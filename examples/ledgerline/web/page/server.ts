// What the page asks its server beside the chat itself.
import type { Figures } from '../../measure.js';

export interface About {
  /** Whether the model's turns are written beforehand. */
  scripted: boolean;
  model: string;
  /** What to ask; of a scripted model, all that it can be asked. */
  question: string;
}

export const CHAT = '/api/chat';

export async function about(): Promise<About> {
  return (await ask('/api/about')).json();
}

/** The figures of the conversation; undefined while there are none. */
export async function figures(threadId: string): Promise<Figures | undefined> {
  const response = await fetch(`/api/figures?${new URLSearchParams({ threadId })}`);
  return response.ok ? response.json() : undefined;
}

/** One tool call of a child with its result, as JSON text. */
export async function span(threadId: string, ref: string, toolCallId: string): Promise<string> {
  return (await ask(`/api/span?${new URLSearchParams({ threadId, ref, toolCallId })}`)).text();
}

/** Ends the run at the server, and its children; of these one alone, when it is named. */
export async function stop(threadId: string, subagentRunId?: string): Promise<void> {
  const what = new URLSearchParams({ threadId, ...(subagentRunId !== undefined && { subagentRunId }) });
  await ask(`/api/stop?${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
}

async function ask(address: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  if (!response.ok) throw new Error(await response.text());
  return response;
}
