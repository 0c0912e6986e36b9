// What a person can do in a card, as the page's callbacks.
import { createContext, useContext } from 'react';
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import type { Card } from '../cards/card.js';
import type { FollowUp } from '../follow-ups.js';

/** A span of a transcript: one tool call with its result. */
export interface TranscriptSpan {
  args?: string;
  result?: string | null;
  /** To how many tokens it was cut. */
  cut?: string;
  /** Why there is none. */
  error?: string;
}

/** What to do when a person acts. An action without a callback is not offered. */
export interface CardActions {
  /** A person gave an answer. */
  onAnswer?: ((answer: ResumeEntry, about: { card: Card; interrupt: Interrupt }) => void) | undefined;
  /** Every open interrupt of the store has its answer: send them as the next run's `resume`. */
  onResume?: ((answers: ResumeEntry[]) => void) | undefined;
  /** A person wants a child to stop. */
  onStop?: ((card: Card) => void) | undefined;
  /**
   * A person wants to see a tool call as the transcript has it. `ref` and `toolCallId` are what `fetch_transcript_span`
   * takes; its answer is taken as the JSON text that the tool gives, or parsed.
   */
  onTranscript?:
    | ((span: { ref: string; toolCallId: string; card: Card }) => Promise<string | TranscriptSpan>)
    | undefined;
  /** A person wants an open question to be asked. */
  onFollowUp?: ((followUp: FollowUp, card: Card) => void) | undefined;
}

/** A card's callbacks: one object for the life of the card, so that a new callback renders nothing anew. */
export interface Acting {
  answer(entry: ResumeEntry, interrupt: Interrupt): void;
  withdraw(interruptId: string): void;
  stop: (() => void) | undefined;
  transcript: ((toolCallId: string) => Promise<TranscriptSpan>) | undefined;
  followUp: ((followUp: FollowUp) => void) | undefined;
  /** Whether answers go anywhere. */
  canAnswer: boolean;
}

const NONE: Acting = {
  answer: () => {},
  withdraw: () => {},
  stop: undefined,
  transcript: undefined,
  followUp: undefined,
  canAnswer: false,
};

const Actions = /* @__PURE__ */ createContext<Acting>(NONE);

export const ActingProvider = Actions.Provider;

/** What a person can do in the card around. */
export function useActing(): Acting {
  return useContext(Actions);
}
