// `subcontract/tanstack`: agents with contracts in TanStack AI 0.58.
export { type EventSink, withSubagentCards } from './cards.js';
export { chatWithSubagents } from './chat-with-subagents.js';
export type { ChatWithSubagentsOptions, SubagentsOptions } from './options.js';
export type { Router, RouterContext } from './router.js';
export { toSubagentResponse } from './sse.js';
