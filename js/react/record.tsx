// A return, while it streams in and after: the record, how the page judges it, and what is to be known of it.
import { memo } from 'react';
import type { Card, CardCheck, CardReturn, CardStatus } from '../cards/card.js';
import type { ReadonlyJson } from '../core.js';
import { Issues, issueCount } from './issues.js';
import { Counts, isResearch, Research } from './research.js';
import { Scroll } from './scroll.js';
import { ChildText } from './text.js';
import { objectOf, Value } from './value.js';

/** What {@link RecordView} shows. */
export interface RecordViewProps {
  /** A result, or a merged record: any JSON. */
  value: unknown;
  /** Its contract's schema: what the members are called, and whether it is a research record. */
  schema?: unknown;
  /** Whether it is still being written. */
  live?: boolean | undefined;
}

/** A record outside of a card, say a merged one. */
export const RecordView = memo(function RecordView({ value, schema, live = false }: RecordViewProps) {
  const [record, own] = [value as ReadonlyJson, schema as ReadonlyJson | undefined];
  const object = isResearch(record, own) ? objectOf(record) : undefined;
  return (
    <div className="sc-record">
      {object === undefined ? (
        <Value value={record} schema={own} live={live} />
      ) : (
        <Research value={object} schema={own} live={live} />
      )}
    </div>
  );
});

/** The return of a card. */
export const Return = memo(function Return({
  of: { value, source, status, issues, schema },
  card,
}: {
  of: CardReturn;
  card: CardStatus;
}) {
  const live = source === 'stream' && card === 'running' && status === 'incomplete';
  return (
    <div className="sc-return" data-live={live || undefined}>
      <p className="sc-label">
        Return <span className="sc-state">{stateOf(status, source, card)}</span>
        <Counts value={value} schema={schema} />
      </p>
      {issues.length > 0 && card !== 'cancelled' && (
        <div className="sc-problem">
          <p>{`${issueCount(issues.length)} found in this page`}</p>
          <Issues issues={issues} />
        </div>
      )}
      {value !== undefined && (
        <Scroll className="sc-scroll" label="Record">
          <RecordView value={value} schema={schema} live={live} />
        </Scroll>
      )}
    </div>
  );
});

function stateOf(status: CardReturn['status'], source: CardReturn['source'], card: CardStatus): string {
  if (source === 'envelope') return 'accepted';
  // What it was stopped in breaks nothing yet.
  if (card === 'cancelled' && status !== 'complete') return 'unfinished';
  if (card === 'failed' || card === 'cancelled') return 'not accepted';
  switch (status) {
    case 'rejected':
    case 'invalid_json':
      return 'breaks the contract';
    case 'complete':
      return 'satisfies the contract';
    case 'unread':
      return 'too long to be followed';
    default:
      return card === 'running' ? 'being written' : 'unfinished';
  }
}

/** What is to be known of an accepted result. */
export const Notes = memo(function Notes({ check, degraded, amendments, flags }: NotesProps) {
  return (
    <>
      {check && <Check check={check} />}
      {degraded.map(({ by, pointer, message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notes have no other identity, and no state
        <p key={at} className="sc-note" data-kind="degraded">
          <strong>Degraded</strong> by <By name={by} />
          {pointer ? (
            <>
              {' at '}
              <code className="sc-mono">
                <ChildText text={pointer} oneLine />
              </code>
            </>
          ) : null}
          {': '}
          <ChildText text={message} oneLine />
        </p>
      ))}
      {amendments.length > 0 && (
        <p className="sc-note" data-kind="amended">
          <strong>Amended</strong>{' '}
          {amendments.map(({ pointer, by }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: notes have no other identity, and no state
            <span key={at}>
              {at > 0 && ', '}
              <code className="sc-mono">
                <ChildText text={pointer === '' ? '(root)' : pointer} oneLine />
              </code>{' '}
              by <By name={by} />
            </span>
          ))}
        </p>
      )}
      {flags.length > 0 && <p className="sc-aside">{flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')}</p>}
    </>
  );
});

function By({ name }: { name: string }) {
  return (
    <span className="sc-mono">
      <ChildText text={name} oneLine />
    </span>
  );
}

type NotesProps = Pick<Card, 'check' | 'degraded' | 'amendments' | 'flags'>;

const UNCHECKED = {
  no_contract: 'no contract to check against',
  unknown_agent: 'not checked: this page does not know the contract',
  other_contract: 'not checked: the child was held to another contract than this page knows',
};

function Check({ check }: { check: CardCheck }) {
  if (check.verdict === 'invalid') {
    return (
      <p className="sc-check" data-verdict="invalid">
        <span aria-hidden="true">✕ </span>
        Breaks its contract by this page’s own check
      </p>
    );
  }
  if (check.verdict === 'unchecked') {
    return (
      <p className="sc-check" data-verdict="unchecked">
        {UNCHECKED[check.reason]}
      </p>
    );
  }
  const differs = check.streamed === 'different';
  return (
    <p className="sc-check" data-verdict={differs ? 'invalid' : 'valid'}>
      <span aria-hidden="true">{differs ? '≠ ' : '✓ '}</span>
      {differs
        ? 'Valid by this page’s own check, but not what streamed in'
        : check.streamed === 'same'
          ? 'Valid by this page’s own check, and the same as streamed in'
          : 'Valid by this page’s own check'}
    </p>
  );
}
