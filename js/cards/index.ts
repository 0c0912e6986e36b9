/**
 * `subcontract/cards`: subagents as cards, for any page: a store that is fed AG-UI events, and what a view needs of it. The
 * page imports `subcontract` too, whose core judges the returns. `subcontract/react` shows the cards.
 *
 * @module
 */
export { hasExpired } from '../answers.js';
export type { CardAgent } from './agents.js';
export type {
  Card,
  CardAttempt,
  CardBrief,
  CardCheck,
  CardError,
  CardInterrupt,
  CardReturn,
  CardStatus,
  CardsSnapshot,
  CardText,
  CardToolCall,
} from './card.js';
export type { CardLimits } from './card-state.js';
export { type BoundInterrupt, resolveChatInterrupts } from './chat-interrupts.js';
export {
  type AnswerField,
  answerIssues,
  approval,
  denial,
  type InterruptForm,
  interruptForm,
  resolved,
} from './interrupt-form.js';
export type { Schedule } from './schedule.js';
export { type CardStore, type CardStoreOptions, createCardStore, type FromMessagesOptions } from './store.js';
export { type VisiblePart, visibleParts, visibleText } from './visible.js';
