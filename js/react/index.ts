/**
 * `subcontract/react`: subagent cards for React 18 and later: hooks, and components whose look `subcontract/styles.css` has.
 * Everything of `subcontract/cards` is here too.
 *
 * @module
 */
export * from '../cards/index.js';
export type { CardActions, TranscriptSpan } from './actions.js';
export { CardStoreProvider, useCardStore, useSubagentCard, useSubagentCards } from './context.js';
export { type CardLabel, type CardLabels, CardLabelsProvider } from './labels.js';
export { RecordView, type RecordViewProps } from './record.js';
export { SubagentCard, type SubagentCardProps } from './subagent-card.js';
export { SubagentCards, type SubagentCardsProps } from './subagent-cards.js';
export { useChatResume } from './use-chat-resume.js';
