/**
 * The entry for Node and Bun. It carries the core as text: reading a file beside it breaks when a server bundler moves
 * the code, and a synchronous entry can be loaded with `require`.
 */
export * from './inline.js';
