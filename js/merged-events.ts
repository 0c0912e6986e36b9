// Several streams of events as one, in the order in which they come.
import type { AGUIEvent } from './ag-ui/events.js';

interface Arrival {
  events: AsyncIterator<AGUIEvent, undefined>;
  result: IteratorResult<AGUIEvent, undefined>;
}

/**
 * The events of all, each source's own in its order. A source is asked for its next event when its last one was taken: none
 * is more than one event ahead.
 */
export async function* merged(sources: readonly AsyncIterable<AGUIEvent>[]): AsyncGenerator<AGUIEvent, undefined> {
  const arrived: Arrival[] = [];
  let wake: (() => void) | undefined;
  const ask = (events: AsyncIterator<AGUIEvent, undefined>): void => {
    const arrive = (result: IteratorResult<AGUIEvent, undefined>) => {
      arrived.push({ events, result });
      wake?.();
    };
    // A delegation's events do not fail; one that did has none any more.
    events.next().then(arrive, () => arrive({ done: true, value: undefined }));
  };
  for (const source of sources) ask(source[Symbol.asyncIterator]() as AsyncIterator<AGUIEvent, undefined>);
  for (let open = sources.length; open > 0; ) {
    const next = arrived.shift();
    if (next === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (next.result.done) open -= 1;
    else {
      yield next.result.value;
      ask(next.events);
    }
  }
  return undefined;
}
