// `subcontract/ag-ui`: the AG-UI event types, and what keeps a stream of them well formed.
export { type Accepted, acceptEvent } from './accept.js';
export type * from './events.js';
export { type MenderOptions, StreamMender } from './mend.js';
export { type ChildIdentity, tagChildEvent } from './tag.js';
export { readUsage, sumUsage } from './usage.js';
