// A stream whose reader may leave while an event is awaited.

/**
 * `events`, whose `return` does not wait: a generator would first wait for the event that it is at, and with it for a child
 * that ignores its signal. `stop` is called at once.
 */
export function leftAtOnce<T>(events: AsyncGenerator<T, void, undefined>, stop: () => void): typeof events {
  const end = events.return.bind(events);
  events.return = async () => {
    end().catch(() => {});
    stop();
    return { done: true, value: undefined };
  };
  return events;
}
