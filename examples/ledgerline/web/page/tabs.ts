// Tabs of one conversation tell each other of what they start, so that the others follow it.

export interface Tabs {
  /** This tab has sent something. */
  started(): void;
  close(): void;
}

/** `onStarted`: another tab of the conversation has sent something. */
export function otherTabs(threadId: string, onStarted: () => void): Tabs {
  const channel = new BroadcastChannel('ledgerline');
  channel.onmessage = ({ data }) => {
    if (data === threadId) onStarted();
  };
  return {
    started: () => channel.postMessage(threadId),
    close: () => channel.close(),
  };
}
