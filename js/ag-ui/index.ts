// `subcontract/ag-ui`: the AG-UI event types, what keeps a stream of them well formed, and what writes it to a wire.
export { type Accepted, acceptEvent } from './accept.js';
export { type AttemptEvent, type AttemptNotice, isAttemptEvent } from './attempt.js';
export type * from './events.js';
export { type MenderOptions, StreamMender } from './mend.js';
export { encodeSSE, MAX_FRAME_BYTES, type SSEOptions, sseResponse, toSSE } from './sse.js';
export { type ChildIdentity, tagChildEvent } from './tag.js';
export { readUsage, sumUsage } from './usage.js';
