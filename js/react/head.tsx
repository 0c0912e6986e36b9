// A card's head: whose it is, how it stands, how long it took and how often it tried.
import { createElement, memo, useEffect, useState } from 'react';
import type { Card } from '../cards/card.js';
import { visibleText } from '../cards/visible.js';
import { useActing } from './actions.js';
import { Button } from './button.js';
import { attemptOf } from './issues.js';
import { useLabels } from './labels.js';
import { ChildText } from './text.js';

const STATUS = {
  lost: 'Connection lost',
  running: 'Running',
  suspended: 'Waiting for you',
  finished: 'Finished',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const;

const MARK = { lost: '!', running: '', suspended: '?', finished: '✓', failed: '✕', cancelled: '–' };

type HeadProps = Pick<
  Card,
  | 'agent'
  | 'description'
  | 'status'
  | 'connected'
  | 'workingSince'
  | 'workedMs'
  | 'durationMs'
  | 'attempt'
  | 'maxAttempts'
> & { id: string; level: number; tried: boolean };

/** The head of a card. */
export const Head = memo(function Head(props: HeadProps) {
  const { id, level, agent, description, status, connected, attempt, maxAttempts, tried } = props;
  const { stop } = useActing();
  const say = useLabels();
  const mark = status === 'running' && !connected ? 'lost' : status;
  return (
    <header className="sc-head">
      <span className="sc-mark" data-mark={mark} aria-hidden="true">
        {MARK[mark]}
      </span>
      {createElement(
        `h${level}`,
        { id, className: 'sc-agent', title: description && visibleText(description) },
        <ChildText text={agent} oneLine />,
      )}
      {stop && status === 'running' && (
        <Button kind="stop" label="Stop" onPress={stop}>
          {' '}
          <span className="sc-vh">
            <ChildText text={agent} oneLine />
          </span>
        </Button>
      )}
      <p className="sc-meta">
        <span className="sc-status" data-mark={mark} role="status">
          <span className="sc-vh">
            <ChildText text={agent} oneLine />:{' '}
          </span>
          {say(STATUS[mark])}
        </span>
        {tried && <span>{attemptOf(say, attempt, maxAttempts)}</span>}
        <Elapsed {...props} />
      </p>
    </header>
  );
});

/** How long it is at work; told anew each second. */
function Elapsed({ workingSince, workedMs, durationMs, connected }: HeadProps) {
  const [, tick] = useState(0);
  const runs = workingSince !== undefined && connected;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [runs]);
  if (workingSince === undefined) {
    const ms = durationMs ?? workedMs;
    return ms > 0 ? <span className="sc-elapsed">{duration(ms, true)}</span> : null;
  }
  return <span className="sc-elapsed">{duration(workedMs + Math.max(0, Date.now() - workingSince), false)}</span>;
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
