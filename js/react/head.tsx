// A card's head: whose it is, how it stands, how long it took and how often it tried.
import { createElement, useEffect, useState } from 'react';
import type { Card } from '../cards/card.js';
import { visibleText } from '../cards/visible.js';
import { useActing } from './actions.js';
import { Button } from './button.js';
import { attemptOf } from './issues.js';
import { useLabels } from './labels.js';
import { ChildText } from './text.js';

/** Each with its sign, for the eye alone. */
const STATUS = {
  lost: ['Connection lost', '!'],
  running: ['Running', ''],
  suspended: ['Waiting for you', '?'],
  finished: ['Finished', '✓'],
  failed: ['Failed', '✕'],
  cancelled: ['Cancelled', '–'],
} as const;

/** The head of a card. */
export function Head({ id, level, card }: { id: string; level: number; card: Card }) {
  const { agent, description, status, connected, attempt, maxAttempts } = card;
  const { stop } = useActing();
  const say = useLabels();
  const mark = status === 'running' && !connected ? 'lost' : status;
  const [label, sign] = STATUS[mark];
  const name = <ChildText text={agent} oneLine />;
  return (
    <header className="sc-head">
      <span className="sc-mark" data-mark={mark} aria-hidden="true">
        {sign}
      </span>
      {createElement(`h${level}`, { id, className: 'sc-agent', title: description && visibleText(description) }, name)}
      {stop && status === 'running' && (
        <Button kind="stop" label="Stop" onPress={stop}>
          {' '}
          <span className="sc-vh">{name}</span>
        </Button>
      )}
      <p className="sc-meta">
        <span className="sc-status" data-mark={mark} role="status">
          <span className="sc-vh">{name}: </span>
          {say(label)}
        </span>
        {(card.return ?? card.attempts[0] ?? maxAttempts) !== undefined && (
          <span>{attemptOf(say, attempt, maxAttempts)}</span>
        )}
        <Elapsed card={card} />
      </p>
    </header>
  );
}

/** How long it is at work; told anew each second. */
function Elapsed({ card: { workingSince, workedMs, durationMs = workedMs, connected } }: { card: Card }) {
  const [, tick] = useState(0);
  const runs = workingSince !== undefined && connected;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [runs]);
  if (workingSince === undefined && durationMs <= 0) return null;
  return (
    <span className="sc-elapsed">
      {workingSince === undefined
        ? duration(durationMs, true)
        : duration(workedMs + Math.max(0, Date.now() - workingSince), false)}
    </span>
  );
}

/** `840 ms`, `3.2 s`, `12 s`, `1 min 4 s`, `1 h 2 min`. */
export function duration(ms: number, exact: boolean): string {
  if (exact && ms < 1000) return `${Math.round(ms)} ms`;
  if (exact && ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = exact ? Math.round(ms / 1000) : Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
