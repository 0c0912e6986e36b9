// What is wrong with a return, or was with an earlier one.
import { memo } from 'react';
import type { CardAttempt } from '../cards/card.js';
import type { Issue } from '../core.js';
import { type Say, useLabels } from './labels.js';
import { ChildText, Mono } from './text.js';

/** So many issues are listed. */
const LISTED = 20;

/** Issues with where they are. */
export const Issues = memo(function Issues({ issues }: { issues: readonly Issue[] }) {
  const say = useLabels();
  if (issues.length === 0) return null;
  const left = issues.length - LISTED;
  return (
    <ul className="sc-issues">
      {issues.slice(0, LISTED).map((issue, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: issues have no other identity, and no state
        <li key={at}>
          <Mono text={issue.instancePath || say('(root)')} /> <ChildText text={issue.message} oneLine />
        </li>
      ))}
      {left > 0 && <li>{say('and {0} more', left)}</li>}
    </ul>
  );
});

const REFUSALS = {
  no_return: 'ended without a return',
  early: 'refused while it was written',
  rejected: 'refused',
} as const;

/** The attempts that were not accepted. */
export const Refused = memo(function Refused({
  attempts,
  maxAttempts,
}: {
  attempts: readonly CardAttempt[];
  maxAttempts: number | undefined;
}) {
  const say = useLabels();
  const refused = attempts.filter(({ outcome }) => outcome !== 'accepted');
  if (refused.length === 0) return null;
  return (
    <ol className="sc-attempts" aria-label={say('Refused attempts')}>
      {refused.map(({ attempt, outcome, code, issues, early }) => (
        <li key={attempt}>
          <details className="sc-details">
            <summary>
              <span className="sc-glyph" aria-hidden="true">
                ↺
              </span>{' '}
              {`${attemptOf(say, attempt, maxAttempts)} `}
              {say(REFUSALS[outcome === 'no_return' ? outcome : early ? 'early' : 'rejected'])}
              {issues.length > 0 && (
                <span className="sc-count">{say(issues.length === 1 ? '1 issue' : '{0} issues', issues.length)}</span>
              )}
            </summary>
            {issues.length === 0 && code !== undefined && <p className="sc-aside">{code.replaceAll('_', ' ')}</p>}
            <Issues issues={issues} />
          </details>
        </li>
      ))}
    </ol>
  );
});

/** Which attempt of how many. */
export function attemptOf(say: Say, attempt: number, maxAttempts: number | undefined): string {
  return say(maxAttempts === undefined ? 'Attempt {0}' : 'Attempt {0} of {1}', attempt, maxAttempts ?? attempt);
}
