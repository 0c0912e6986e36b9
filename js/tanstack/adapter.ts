// An adapter of TanStack AI with another `chatStream`, and in everything else itself.
import type { AnyTextAdapter } from '@tanstack/ai';
import { withMethods } from './with-methods.js';

/** The same adapter, whose model calls go through `chatStream`. */
export function withChatStream<A extends AnyTextAdapter>(adapter: A, chatStream: A['chatStream']): A {
  return withMethods(adapter, (property) => (property === 'chatStream' ? chatStream : undefined));
}
