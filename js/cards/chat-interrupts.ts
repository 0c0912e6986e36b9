// Answers given in cards, handed to the interrupts that TanStack AI's client has bound.
import type { ResumeEntry } from '../ag-ui/events.js';
import { isRecord } from '../wire.js';

/** What is used of an interrupt of `useChat().interrupts`, or of a `ChatClient`'s. */
export interface BoundInterrupt {
  readonly id: string;
  readonly kind: string;
  readonly canResolve: boolean;
}

interface Resolvable {
  // biome-ignore lint/suspicious/noExplicitAny: its parameters depend on the kind of interrupt, which is looked at
  resolveInterrupt?(...args: any[]): void;
  cancel?(): void;
}

/**
 * Gives answers to the chat's interrupts; the client sends its request when it has one for each. Gives the answers that no
 * interrupt of the chat takes now: it has not bound one yet, or sends the one that it was given before.
 */
export function resolveChatInterrupts(
  interrupts: readonly BoundInterrupt[],
  answers: readonly ResumeEntry[],
): ResumeEntry[] {
  return answers.filter(({ interruptId, status, payload }) => {
    const bound = interrupts.find(({ id }) => id === interruptId) as (BoundInterrupt & Resolvable) | undefined;
    if (!bound?.canResolve) return true;
    try {
      if (status === 'cancelled') bound.cancel?.();
      else if (bound.kind === 'tool-approval' && isRecord(payload)) {
        const { approved, ...more } = payload;
        bound.resolveInterrupt?.(approved === true, ...(Object.keys(more).length > 0 ? [more] : []));
      } else bound.resolveInterrupt?.(payload);
      return false;
    } catch {
      // While answers are on their way the client takes no others.
      return true;
    }
  });
}
