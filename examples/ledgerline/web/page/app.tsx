// The page around one conversation, which is opened anew when another tab has gone on with it or the connection was lost.
import { useCallback, useEffect, useRef, useState } from 'react';
import { Conversation } from './conversation.js';
import { type About, about } from './server.js';
import { otherTabs, type Tabs } from './tabs.js';

export function App({ threadId }: { threadId: string }) {
  const [told, setTold] = useState<About | Error>();
  const [opened, setOpened] = useState(0);
  const reopen = useCallback(() => setOpened((count) => count + 1), []);
  const tabs = useRef<Tabs>(undefined);
  const onStarted = useCallback(() => tabs.current?.started(), []);

  useEffect(() => {
    about().then(setTold, setTold);
  }, []);
  useEffect(() => {
    const others = otherTabs(threadId, reopen);
    tabs.current = others;
    return () => others.close();
  }, [threadId, reopen]);

  if (told === undefined) return <p className="loading">Opening the conversation …</p>;
  if (told instanceof Error) return <p className="loading">The server does not answer: {told.message}</p>;
  return <Conversation key={opened} about={told} threadId={threadId} onStarted={onStarted} reopen={reopen} />;
}
