// Whether each call of the parent's model came to an end: some adapters end their stream in silence when a provider's answer breaks.
import type { ChatMiddleware } from '@tanstack/ai';

/** Watches the model calls of one run. */
export class ModelWatch {
  /** Whether the last call has not come to its end, though nobody stopped the run. */
  silent = false;

  /** The first of all: what others drop has still come. */
  readonly middleware: ChatMiddleware<unknown> = {
    name: 'subcontract-model-watch',
    onIteration: () => {
      this.silent = true;
    },
    onChunk: (_context, { type }) => {
      if (type === 'RUN_FINISHED' || type === 'RUN_ERROR') this.silent = false;
      return undefined;
    },
    onAbort: () => {
      this.silent = false;
    },
  };
}
