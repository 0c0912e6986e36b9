// @vitest-environment jsdom
// Cards in a real chat: useChat of TanStack AI over loopback, a child that is refused, waits for an approval, and goes on.

import { chatParamsFromRequest } from '@tanstack/ai';
import { fetchServerSentEvents } from '@tanstack/ai-client';
import { useChat } from '@tanstack/ai-react';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { type CardStore, createCardStore, SubagentCards, useChatResume } from 'subcontract/react';
import { chatWithSubagents, toSubagentResponse, withSubagentCards } from 'subcontract/tanstack';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { approvedFetch, BAD, BRIEF, GOOD, PRICE, scout } from '../tanstack/agents.js';
import { ADAPTERS, hasResult, ScriptedModels, toolResults } from '../tanstack/scripted-model.js';
import { serve } from '../tanstack/strict-client.js';

// The server runs in this process too, and its model's client refuses to work in what looks like a browser.
vi.stubGlobal('navigator', undefined);

const AGENTS = [{ name: 'scout', outputSchema: PRICE }];
let models: ScriptedModels;
let server: Awaited<ReturnType<typeof serve>>;
let approved: ReturnType<typeof approvedFetch>;

beforeEach(async () => {
  approved = approvedFetch();
  const [[, create]] = ADAPTERS;
  models = await ScriptedModels.start(create, {
    parent: (request) =>
      hasResult(request)
        ? { text: 'It costs 10.' }
        : { text: 'Delegating.', calls: [{ id: 'call-1', name: 'scout', arguments: BRIEF }] },
    child: (request) => {
      const results = toolResults(request);
      if (!('fetch-1' in results)) {
        return {
          text: 'Looking.',
          calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }],
        };
      }
      const again = 'return-1' in results;
      return { calls: [{ id: again ? 'return-2' : 'return-1', name: 'price_record', arguments: again ? GOOD : BAD }] };
    },
  });
  const agent = scout(models, { tools: [approved.tool], earlyReject: false });
  server = await serve(async (request) => {
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
    return toSubagentResponse(
      chatWithSubagents({
        ...{ adapter: models.adapter('parent'), messages, threadId, runId, parentRunId, resume },
        subagents: { agents: [agent], seal: 'none' },
      }),
    );
  });
});
afterEach(async () => {
  cleanup();
  await server.stop();
  await models.stop();
});

/** Node's fetch does not know jsdom's signals. */
const fetchClient: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });

interface ChatProps {
  cards: CardStore;
  url: string;
  initial?: unknown[];
  onMessages?: (messages: unknown[]) => void;
}

function Chat({ cards, url, initial = [], onMessages }: ChatProps) {
  const chat = useChat({
    connection: withSubagentCards(fetchServerSentEvents(url, { fetchClient }), cards),
    tools: [approved.client],
    initialMessages: initial as never,
  });
  const resume = useChatResume(chat.interrupts);
  onMessages?.(chat.messages);
  return (
    <main>
      <button type="button" onClick={() => chat.sendMessage('price of A?')}>
        Ask
      </button>
      {chat.messages.map((message) => (
        <p key={message.id}>{message.parts.map((part) => (part.type === 'text' ? part.content : '')).join('')}</p>
      ))}
      <SubagentCards store={cards} onResume={resume} onStop={() => chat.stop()} />
    </main>
  );
}

const seen = { timeout: 10_000 };

it('runs, waits, is approved, is refused and mended, and is done', async () => {
  const cards = createCardStore({ agents: AGENTS });
  render(<Chat cards={cards} url={server.url} />);
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  const approve = await screen.findByRole('button', { name: 'Approve' }, seen);
  const card = screen.getByRole('article', { name: 'scout' });
  expect(within(card).getByRole('status').textContent).toBe('scout: Waiting for you');
  expect(card.querySelector('.sc-lead')?.textContent).toBe('Brief: find the list price of vendor A');
  expect(card.querySelector('.sc-ask dd')?.textContent).toBe('https://a.example');
  expect(approved.ran).toEqual([]);
  fireEvent.click(approve);
  await waitFor(() => expect(within(card).getByRole('status').textContent).toBe('scout: Finished'), seen);
  await screen.findByText('It costs 10.', {}, seen);
  expect(approved.ran).toEqual(['https://a.example']);
  expect(cards.snapshot().cards).toHaveLength(1);
  expect(cards.snapshot().cards[0]).toMatchObject({
    attempts: [
      { attempt: 1, outcome: 'rejected' },
      { attempt: 2, outcome: 'accepted' },
    ],
    return: { value: JSON.parse(GOOD), source: 'envelope' },
    check: { verdict: 'valid', streamed: 'same' },
    toolCalls: [{ name: 'fetch_page', status: 'done', result: { text: '{"body":"Team: 10"}' } }],
    usage: [expect.objectContaining({ inputTokens: expect.any(Number) })],
  });
}, 30_000);

it('a denial goes to the child, which goes on without', async () => {
  const cards = createCardStore({ agents: AGENTS });
  render(<Chat cards={cards} url={server.url} />);
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Deny' }, seen));
  await screen.findByText('It costs 10.', {}, seen);
  // The chat and the cards each render in their own time.
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('scout: Finished'), seen);
  expect(approved.ran).toEqual([]);
}, 30_000);

it('a reload rebuilds the cards from the messages', async () => {
  let kept: unknown[] = [];
  const cards = createCardStore({ agents: AGENTS });
  render(<Chat cards={cards} url={server.url} onMessages={(messages) => (kept = messages)} />);
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await screen.findByRole('button', { name: 'Approve' }, seen);
  const before = cards.snapshot().cards[0];
  await waitFor(() => expect(JSON.stringify(kept)).toContain('pendingExecution'), seen);

  const reloaded = createCardStore({ agents: AGENTS });
  reloaded.fromMessages(JSON.parse(JSON.stringify(kept)));
  const { id, brief, status, interrupts } = reloaded.snapshot().cards[0] ?? {};
  expect({ id, brief, status }).toEqual({ id: before?.id, brief: before?.brief, status: 'suspended' });
  expect(interrupts?.map(({ interrupt }) => interrupt.id)).toEqual(
    before?.interrupts.map(({ interrupt }) => interrupt.id),
  );

  fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
  await screen.findByText('It costs 10.', {}, seen);
  const after = createCardStore({ agents: AGENTS });
  after.fromMessages(JSON.parse(JSON.stringify(kept)));
  expect(after.snapshot().cards).toMatchObject([
    {
      id: before?.id,
      status: 'finished',
      brief: before?.brief,
      return: { value: JSON.parse(GOOD) },
      check: { verdict: 'valid', streamed: 'unseen' },
    },
  ]);
}, 30_000);
