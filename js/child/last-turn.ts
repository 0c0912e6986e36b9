// Reads on in a child that has returned, for the usage of the turn in which it did.
import { acceptEvent } from '../ag-ui/accept.js';
import type { RunErrorEvent, RunFinishedEvent } from '../ag-ui/events.js';

/** How long a returned child is waited for. */
const PATIENCE_MS = 250;
/** How many of its events are read at most: neither timers nor clocks go on beside a child that never waits. */
const PATIENCE_EVENTS = 1024;

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  try {
    let next = asked;
    for (let count = 0; count < PATIENCE_EVENTS; count += 1) {
      const result = await Promise.race([next, late]);
      if (result === undefined || result.done) return undefined;
      const accepted = acceptEvent(result.value);
      if ('problem' in accepted || STARTS_A_TURN.has(accepted.event.type)) return undefined;
      const { event } = accepted;
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') return event;
      next = iterator.next();
    }
    return undefined;
  } catch {
    // It has returned; how it fails afterwards is of no interest.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
