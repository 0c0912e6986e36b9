// What is wrong with a return, or was with an earlier one.
import { memo } from 'react';
import type { CardAttempt } from '../cards/card.js';
import type { Issue } from '../core.js';
import { ChildText, count } from './text.js';

/** So many issues are listed. */
const LISTED = 20;

/** Issues with where they are. */
export const Issues = memo(function Issues({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  const left = issues.length - LISTED;
  return (
    <ul className="sc-issues">
      {issues.slice(0, LISTED).map((issue, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: issues have no other identity, and no state
        <li key={at}>
          <code className="sc-mono" dir="auto">
            <ChildText text={issue.instancePath === '' ? '(root)' : issue.instancePath} oneLine />
          </code>{' '}
          <ChildText text={issue.message} oneLine />
        </li>
      ))}
      {left > 0 && <li>{`and ${count(left)} more`}</li>}
    </ul>
  );
});

/** The attempts that were not accepted. */
export const Refused = memo(function Refused({
  attempts,
  maxAttempts,
}: {
  attempts: readonly CardAttempt[];
  maxAttempts: number | undefined;
}) {
  const refused = attempts.filter(({ outcome }) => outcome !== 'accepted');
  if (refused.length === 0) return null;
  return (
    <ol className="sc-attempts" aria-label="Refused attempts">
      {refused.map(({ attempt, outcome, code, issues, early }) => (
        <li key={attempt}>
          <details className="sc-details">
            <summary>
              <span className="sc-glyph" aria-hidden="true">
                ↺
              </span>{' '}
              {`Attempt ${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`} `}
              {outcome === 'no_return' ? 'ended without a return' : early ? 'refused while it was written' : 'refused'}
              {issues.length > 0 && <span className="sc-count">{issueCount(issues.length)}</span>}
            </summary>
            {issues.length === 0 && code !== undefined && <p className="sc-aside">{code.replaceAll('_', ' ')}</p>}
            <Issues issues={issues} />
          </details>
        </li>
      ))}
    </ol>
  );
});

/** `1 issue`, `3 issues`. */
export function issueCount(issues: number): string {
  return `${count(issues)} ${issues === 1 ? 'issue' : 'issues'}`;
}
