// Reads on in a child that has returned, for the usage of the turn in which it did.
import { acceptEvent } from '../ag-ui/accept.js';
import type { RunErrorEvent, RunFinishedEvent } from '../ag-ui/events.js';

/** How long a returned child is waited for. */
const PATIENCE_MS = 250;

const STARTS_A_TURN: ReadonlySet<string> = new Set([
  'RUN_STARTED',
  'REASONING_START',
  'TEXT_MESSAGE_START',
  'TOOL_CALL_START',
]);

/**
 * The event that ends the turn, if it comes: TanStack AI tells a turn's usage after the turn's tools have run, and so
 * after the accepted call. A child that starts another turn, or takes its time, is not waited for.
 */
export async function readEndOfTurn(
  iterator: AsyncIterator<unknown>,
  asked: Promise<IteratorResult<unknown>>,
): Promise<RunFinishedEvent | RunErrorEvent | undefined> {
  const until = Date.now() + PATIENCE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  try {
    for (let next = asked; ; next = iterator.next()) {
      const result = await Promise.race([next, late]);
      // A child that never waits keeps the timer from firing.
      if (result === undefined || result.done || Date.now() > until) return undefined;
      const accepted = acceptEvent(result.value);
      if ('problem' in accepted || STARTS_A_TURN.has(accepted.event.type)) return undefined;
      const { event } = accepted;
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') return event;
    }
  } catch {
    // It has returned; how it fails afterwards is of no interest.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
