// `subcontract/ag-ui`: the AG-UI event types, what keeps a stream of them well formed, judges it and writes it.
export { type Accepted, acceptEvent } from './accept.js';
export { type AttemptEvent, type AttemptNotice, isAttemptEvent } from './attempt.js';
export type * from './events.js';
export { type LintOptions, lintEvents } from './lint/lint.js';
export type { Finding, Severity } from './lint/rule.js';
export type { ResultContract } from './lint/rules/results.js';
export type { SchemaCheck } from './lint/rules/resume.js';
export { type MenderOptions, StreamMender } from './mend.js';
export { encodeSSE, MAX_FRAME_BYTES, type SSEOptions, sseResponse, toSSE } from './sse.js';
export { type ChildIdentity, tagChildEvent } from './tag.js';
export { readUsage, sumUsage } from './usage.js';
