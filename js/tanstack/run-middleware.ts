// The hooks by which 0.58's engine is made to pause for a waiting child and to keep results exact.
import { type ChatMiddleware, defineInterrupt, type InterruptDefinition } from '@tanstack/ai';
import type { Interrupt } from '../ag-ui/events.js';
import type { ParentRun } from './parent-run.js';

const PAUSE_REASON = 'subcontract.suspended';

// The overloads ask for a schema; the function itself does not need one.
const defineWithoutSchemas = defineInterrupt as unknown as (options: {
  id: string;
}) => InterruptDefinition<string, undefined, undefined, undefined, undefined>;

/**
 * What pauses the parent's run while a child waits: `pendingExecution` alone keeps the call open but
 * does not pause. It never reaches a client; the child's own interrupts stand in its place.
 */
export const pause = defineWithoutSchemas({ id: PAUSE_REASON });

/** The interrupts of a terminal as the client is to see them: the engine's own without the pause, and the children's. */
export function visibleInterrupts(engine: readonly Interrupt[], run: ParentRun): Interrupt[] {
  return [
    ...engine.filter((interrupt) => interrupt?.id !== undefined && interrupt.reason !== PAUSE_REASON),
    ...run.interrupts,
  ];
}

/** The middleware of one run. */
export function runMiddleware(run: ParentRun): ChatMiddleware<unknown, typeof pause> {
  return {
    name: 'subcontract',
    onToolPhaseComplete(_context, { results }) {
      // The engine parses a tool's text result and prints it again, which rounds large integers.
      // This is the one place between that and the parent's messages.
      for (const result of results) {
        const text = run.results.get(result.toolCallId);
        if (text !== undefined) result.result = text;
      }
    },
    onInterruptBoundary({ phase }) {
      // After tools in a live turn; before the model in a resumed one, which has no phase after tools.
      if (phase !== 'afterTools' && phase !== 'beforeModel') return undefined;
      if (run.interrupts.length === 0) return undefined;
      const message = 'a subagent waits for an answer';
      return { interrupts: [pause.interrupt({ key: 'suspended', reason: PAUSE_REASON, message })] };
    },
  };
}
