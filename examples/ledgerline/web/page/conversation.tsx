// The conversation: its messages with the children's cards among them, what to say next, and what the records come to.
import { useChat } from '@tanstack/ai-react';
import { useCallback, useMemo, useState } from 'react';
import { type FollowUp, strictResearchResult } from 'subcontract';
import { type Card, CardStoreProvider, createCardStore, useChatResume } from 'subcontract/react';
import { Composer } from './composer.js';
import { connectionFor, type Reach } from './connection.js';
import { Header } from './header.js';
import { Messages } from './messages.js';
import { Outcome } from './outcome.js';
import { type About, span, stop } from './server.js';
import { Trouble } from './trouble.js';

/** The children's contract is in the page as well: returns are judged here, as they stream. */
const AGENTS = ['changelog_analyst', 'adapter_auditor', 'config_analyst', 'production_checker'].map((name) => ({
  name,
  outputSchema: strictResearchResult,
  maxRetries: 2,
}));

export interface ConversationProps {
  about: About;
  threadId: string;
  /** Something was sent off from here. */
  onStarted(): void;
  /** Opens the conversation anew, as the server has it. */
  reopen(): void;
}

export function Conversation({ about, threadId, onStarted, reopen }: ConversationProps) {
  const [reach, setReach] = useState<Reach>('reached');
  const [store] = useState(() => createCardStore({ agents: AGENTS }));
  const connection = useMemo(() => connectionFor(store, { onReach: setReach, onStarted }), [store, onStarted]);
  const chat = useChat({ connection, threadId, persistence: true });
  const { messages, interrupts, isLoading: busy, error } = chat;
  const lost = error !== undefined && reach === 'lost';

  const onResume = useChatResume(interrupts);
  const onTranscript = useCallback(
    ({ ref, toolCallId }: { ref: string; toolCallId: string }) => span(threadId, ref, toolCallId),
    [threadId],
  );
  const onStopOne = useCallback(({ id }: Card) => void stop(threadId, id).catch(() => {}), [threadId]);
  const { sendMessage } = chat;
  const onFollowUp = useCallback((followUp: FollowUp) => void sendMessage(asked(followUp)), [sendMessage]);
  const rests = !busy && interrupts.length === 0;
  const onRetry = () => {
    // The answer is taken back, and its children with it; a model may give the next ones the same ids.
    store.clear();
    store.fromMessages(
      messages.slice(
        0,
        messages.findLastIndex(({ role }) => role === 'user'),
      ),
    );
    void chat.reload();
  };
  // The stream then ends by itself, and says what became of each child.
  const onStop = () => void stop(threadId).catch(() => chat.stop());

  return (
    <CardStoreProvider value={store}>
      <Header about={about} busy={busy} lost={lost} />
      <main>
        <Messages
          messages={messages}
          onResume={onResume}
          onStop={onStopOne}
          onTranscript={onTranscript}
          onFollowUp={rests ? onFollowUp : undefined}
        />
        <Trouble error={error} reach={reach} reopen={reopen} />
        <Outcome threadId={threadId} busy={busy} />
      </main>
      <Composer
        about={about}
        busy={busy}
        lost={lost}
        asked={messages.some(({ role, id }) => role === 'user' && !id.startsWith('earlier-'))}
        onSend={(text) => void chat.sendMessage(text)}
        onRetry={onRetry}
        onStop={onStop}
      />
    </CardStoreProvider>
  );
}

/** An open question of a child's as a message of the person's: what is asked, and what the next one need not find out again. */
function asked({ question, would_settle_it: settles, already_searched: searched }: FollowUp): string {
  return [
    `Follow up: ${question}`,
    settles.length > 0 ? `What would settle it: ${settles.join('; ')}` : '',
    searched.length > 0 ? `Already searched: ${searched.join('; ')}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}
