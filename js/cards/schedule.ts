// When a page hears of changes: once a frame at most, however many events come.

/** Runs `notify` once, later; gives how to call that off. */
export type Schedule = (notify: () => void) => (() => void) | undefined;

const FRAME_MS = 16;

/** The next animation frame, where there are any; else the time of one. */
export const nextFrame: Schedule = (notify) => {
  if (typeof requestAnimationFrame === 'function') {
    const frame = requestAnimationFrame(() => notify());
    return () => cancelAnimationFrame(frame);
  }
  const timer = setTimeout(notify, FRAME_MS);
  return () => clearTimeout(timer);
};
