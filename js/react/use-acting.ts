// A card's callbacks, as one object that stays the same while the page's functions change.
import { useEffect, useMemo, useRef } from 'react';
import type { Card } from '../cards/card.js';
import type { CardStore } from '../cards/store.js';
import { isRecord } from '../wire.js';
import type { Acting, CardActions, TranscriptSpan } from './actions.js';

/** The actions of one card. */
export function useActingOn(card: Card | undefined, store: CardStore, actions: CardActions): Acting {
  const latest = useRef({ card, actions });
  useEffect(() => {
    latest.current = { card, actions };
  });
  const { onAnswer, onResume, onStop, onTranscript, onFollowUp } = actions;
  const canAnswer = onAnswer !== undefined || onResume !== undefined;
  const [canStop, canRead, canAsk] = [onStop !== undefined, onTranscript !== undefined, onFollowUp !== undefined];
  return useMemo<Acting>(
    () => ({
      canAnswer,
      answer: (entry, interrupt) => {
        const { card, actions } = latest.current;
        const all = store.answer(entry);
        if (card) actions.onAnswer?.(entry, { card, interrupt });
        if (all) actions.onResume?.(all);
      },
      withdraw: (interruptId) => store.withdraw(interruptId),
      stop: canStop
        ? () => {
            const { card, actions } = latest.current;
            if (card) actions.onStop?.(card);
          }
        : undefined,
      transcript: canRead
        ? async (toolCallId) => {
            const { card, actions } = latest.current;
            if (!card || !actions.onTranscript) return { error: 'there is no transcript to ask' };
            return readSpan(await actions.onTranscript({ ref: card.transcriptRef, toolCallId, card }));
          }
        : undefined,
      followUp: canAsk
        ? (followUp) => {
            const { card, actions } = latest.current;
            if (card) actions.onFollowUp?.(followUp, card);
          }
        : undefined,
    }),
    [store, canAnswer, canStop, canRead, canAsk],
  );
}

function readSpan(span: string | TranscriptSpan): TranscriptSpan {
  if (typeof span !== 'string') return span ?? { error: 'there is none' };
  const value: unknown = JSON.parse(span);
  return isRecord(value) ? value : { result: span };
}
