// Server-sent events for AG-UI streams: one frame per event, as every known client takes it.
import { SubcontractError } from '../errors.js';
import { followSignal } from '../followers.js';
import { wellFormedJson } from '../json-text.js';
import { spelled } from '../misuse.js';
import { boundary } from '../whole-characters.js';
import type { AGUIEvent } from './events.js';
import { exactText } from './exact-json.js';
import { withoutNulls } from './inspect.js';
import { causeOf, runErrorOf } from './run-error.js';
import { EVENTS } from './shapes.js';

/** A frame's greatest size in UTF-8 bytes: clients give a stream up whose frames pass 10 MB. */
export const MAX_FRAME_BYTES = 10_000_000;

/** How a stream is written. */
export interface SSEOptions {
  /**
   * Ends the stream when it aborts, say a request's own signal: the events are no longer read, which stops the run
   * behind them, and the last frame is a RUN_ERROR with the code `aborted`.
   */
  signal?: AbortSignal;
  /**
   * Hears what the stream threw, what is behind the RUN_ERROR of `chatWithSubagents`, and which event could not be written: the
   * client is only told that the run failed, because an error's text may hold what is not for it. What it throws is ignored.
   */
  onError?: (error: unknown) => void;
}

/**
 * One event as the text of its frame, ended by a blank line. Optional fields that are null or undefined are left out, a
 * lone surrogate becomes U+FFFD, and a child's result keeps the numbers as the child wrote them.
 *
 * A delta that is too long for a frame goes out in several, which concatenate to it. Throws a `SubcontractError` with the
 * code `event_too_large` for any other event over {@link MAX_FRAME_BYTES}, and a `TypeError` for what JSON cannot write.
 */
export function encodeSSE(event: AGUIEvent): string {
  const frame = frameOf(event);
  // A UTF-16 unit is at most three bytes.
  if (frame.length <= MAX_FRAME_BYTES / 3) return frame;
  const bytes = new TextEncoder().encode(frame).length;
  if (bytes <= MAX_FRAME_BYTES) return frame;
  const parts = splitDelta(event);
  if (parts) return parts.map(encodeSSE).join('');
  throw new SubcontractError(`${event.type} takes ${bytes} bytes, and a frame has at most ${MAX_FRAME_BYTES}`, {
    code: 'event_too_large',
  });
}

/**
 * A stream of events as the bytes of a `text/event-stream`.
 *
 * An event is asked for when the reader wants one: nothing is queued, and a reader that never reads starts nothing.
 * Cancelling the result ends the events, which stops the run behind them. A stream that throws ends with a RUN_ERROR that
 * says no more (code `stream_failed`; `onError` hears the error), and so does an event that cannot be written: code
 * `event_too_large` for one that no frame holds, else `event_unwritable`. Nothing is dropped.
 */
export function toSSE(events: AsyncIterable<AGUIEvent>, options: SSEOptions = {}): ReadableStream<Uint8Array> {
  const { signal, onError } = options;
  if (typeof events?.[Symbol.asyncIterator] !== 'function') {
    throw new TypeError(`events must be an async iterable, not ${spelled(events)}`);
  }
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let over = false;
  let failed = false;
  let unfollow: (() => void) | undefined;

  /** Not waited for: a generator first waits for the event that it is at, which may never come. */
  const end = () => {
    over = true;
    unfollow?.();
  };
  const stop = () => {
    end();
    try {
      Promise.resolve(iterator.return?.()).catch(() => {});
    } catch {
      // An iterator that cannot be ended is left behind.
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stopped = () => {
          stop();
          fail(controller, new SubcontractError('the stream was stopped before its run ended', { code: 'aborted' }));
        };
        unfollow = signal && followSignal(signal, stopped);
      },
      async pull(controller) {
        let reading = true;
        try {
          const next = await iterator.next();
          if (over) return;
          if (next.done === true) {
            end();
            controller.close();
            return;
          }
          reading = false;
          const event = next.value;
          controller.enqueue(encoder.encode(encodeSSE(event)));
          failed = event.type === 'RUN_ERROR';
          const behind = causeOf(event);
          if (behind) report(behind.error);
        } catch (error) {
          if (over) return;
          stop();
          report(error);
          // Nothing that a stream threw goes out, be it an error of this package's.
          fail(controller, reading ? undefined : unwritable(error));
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );

  function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    // Nothing may follow a RUN_ERROR.
    if (!failed) controller.enqueue(encoder.encode(encodeSSE(runErrorOf(error))));
    controller.close();
  }

  function report(error: unknown): void {
    try {
      onError?.(error);
    } catch {
      // Whoever listens does not take part in the stream.
    }
  }
}

/** Why an event could not be written. */
function unwritable(error: unknown): SubcontractError {
  if (error instanceof SubcontractError) return error;
  return new SubcontractError('an event cannot be written as JSON', { code: 'event_unwritable' });
}

/**
 * A streaming response of {@link toSSE}. Headers in `init` win over the ones that event streams need.
 */
export function sseResponse(events: AsyncIterable<AGUIEvent>, init: ResponseInit & SSEOptions = {}): Response {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return new Response(toSSE(events, init), { ...init, headers });
}

/** Neither a cache nor a proxy may keep events back: `x-accel-buffering` is what nginx goes by. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

function frameOf(event: AGUIEvent): string {
  const fields = Object.hasOwn(EVENTS, event.type) ? EVENTS[event.type] : {};
  const { result, ...rest } = withoutNulls(event as unknown as Record<string, unknown>, fields);
  const exact = typeof result === 'object' && result !== null ? exactText(result) : undefined;
  if (exact === undefined) return `data: ${wellFormedJson({ ...rest, ...(result !== undefined && { result }) })}\n\n`;
  // Between its tokens a JSON text may have line breaks, which would end a frame.
  return `data: ${wellFormedJson(rest).slice(0, -1)},"result":${exact.replace(/[\r\n]/g, ' ')}}\n\n`;
}

/** Escaped, a character of a delta takes at most six bytes. */
const DELTA_LENGTH = Math.floor(MAX_FRAME_BYTES / 8);

/** A long delta in parts, the first with all that the event carries beside it. */
function splitDelta(event: AGUIEvent): AGUIEvent[] | undefined {
  if (!('delta' in event) || typeof event.delta !== 'string' || event.delta.length <= DELTA_LENGTH) return undefined;
  const { delta, metadata: _metadata, rawEvent: _rawEvent, ...rest } = event;
  const parts: AGUIEvent[] = [];
  for (let start = 0; start < delta.length; ) {
    const end = boundary(delta, Math.min(start + DELTA_LENGTH, delta.length));
    parts.push({ ...(start === 0 ? event : rest), delta: delta.slice(start, end) } as AGUIEvent);
    start = end;
  }
  return parts;
}
