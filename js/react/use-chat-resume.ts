// Answers given in cards, for a page whose chat is TanStack AI's `useChat`.
import { useCallback, useEffect, useRef } from 'react';
import type { ResumeEntry } from '../ag-ui/events.js';
import { type BoundInterrupt, resolveChatInterrupts } from '../cards/chat-interrupts.js';

/**
 * What to give to the cards as `onResume`, from `useChat().interrupts`. Answers that a person gives before the chat has
 * bound its interrupts wait for them: a card hears of the end of a run a moment earlier than the chat.
 */
export function useChatResume(interrupts: readonly BoundInterrupt[]): (answers: ResumeEntry[]) => void {
  const waiting = useRef<ResumeEntry[]>([]);
  useEffect(() => {
    if (waiting.current.length > 0) waiting.current = resolveChatInterrupts(interrupts, waiting.current);
  }, [interrupts]);
  return useCallback(
    (answers) => {
      waiting.current = resolveChatInterrupts(interrupts, answers);
    },
    [interrupts],
  );
}
