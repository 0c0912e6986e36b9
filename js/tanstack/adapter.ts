// An adapter of TanStack AI with another `chatStream`, and in everything else itself.
import type { AnyTextAdapter } from '@tanstack/ai';

/** The same adapter, whose model calls go through `chatStream`. */
export function withChatStream<A extends AnyTextAdapter>(adapter: A, chatStream: A['chatStream']): A {
  return new Proxy(adapter, {
    get(target, property) {
      if (property === 'chatStream') return chatStream;
      // Bound to the adapter itself, because private fields do not see through a proxy.
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
