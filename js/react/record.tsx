// A return, while it streams in and after: the record, how the page judges it, and what is to be known of it.
import { memo } from 'react';
import type { Card, CardCheck, CardReturn, CardStatus } from '../cards/card.js';
import type { ReadonlyJson } from '../core.js';
import { Issues } from './issues.js';
import { type CardLabel, useLabels } from './labels.js';
import { Counts, isResearch, Research } from './research.js';
import { Scroll } from './scroll.js';
import { ChildText, Mono } from './text.js';
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
export const Return = memo(function Return({ of, card }: { of: CardReturn; card: CardStatus }) {
  const { value, source, status, issues, schema } = of;
  const say = useLabels();
  const live = source === 'stream' && card === 'running' && status === 'incomplete';
  return (
    <div className="sc-return" data-live={live || undefined}>
      <p className="sc-label">
        {say('Return')} <span className="sc-state">{say(stateOf(of, card))}</span>
        <Counts value={value} schema={schema} />
      </p>
      {issues.length > 0 && card !== 'cancelled' && (
        <div className="sc-problem">
          <p>{say('Found in this page:')}</p>
          <Issues issues={issues} />
        </div>
      )}
      {value !== undefined && (
        <Scroll className="sc-scroll" label={say('Record')}>
          <RecordView value={value} schema={schema} live={live} />
        </Scroll>
      )}
    </div>
  );
});

const STATES = {
  rejected: 'breaks the contract',
  invalid_json: 'breaks the contract',
  complete: 'satisfies the contract',
  unread: 'too long to be followed',
  incomplete: 'unfinished',
} as const;

function stateOf({ status, source }: CardReturn, card: CardStatus): CardLabel {
  if (source === 'envelope') return 'accepted';
  // What it was stopped in breaks nothing yet.
  if (card === 'cancelled' && status !== 'complete') return 'unfinished';
  if (card === 'failed' || card === 'cancelled') return 'not accepted';
  return status === 'incomplete' && card === 'running' ? 'being written' : STATES[status];
}

/** What is to be known of an accepted result. */
export function Notes({ card: { check, degraded, amendments, flags } }: { card: Card }) {
  const say = useLabels();
  const [verdict, sign, label] = check ? verdictOf(check) : [];
  return (
    <>
      {label && (
        <p className="sc-check" data-verdict={verdict}>
          {sign && <span aria-hidden="true">{`${sign} `}</span>}
          {say(label)}
        </p>
      )}
      {degraded.map(({ by, pointer, message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notes have no other identity, and no state
        <p key={at} className="sc-note" data-kind="degraded">
          <strong>{say('Degraded')}</strong> <Place pointer={pointer} by={by} />: <ChildText text={message} oneLine />
        </p>
      ))}
      {amendments.length > 0 && (
        <p className="sc-note" data-kind="amended">
          <strong>{say('Amended')}</strong>{' '}
          {amendments.map(({ pointer, by }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: notes have no other identity, and no state
            <span key={at}>
              {at > 0 && ', '}
              <Place pointer={pointer || say('(root)')} by={by} />
            </span>
          ))}
        </p>
      )}
      {flags.length > 0 && <p className="sc-aside">{flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')}</p>}
    </>
  );
}

/** Where in a result a guard did something, and which. */
function Place({ pointer, by }: { pointer: string | undefined; by: string }) {
  return (
    <>
      {pointer && (
        <>
          <Mono text={pointer} />{' '}
        </>
      )}
      (<Mono text={by} />)
    </>
  );
}

const UNCHECKED = {
  no_contract: 'no contract to check against',
  unknown_agent: 'not checked: this page does not know the contract',
  other_contract: 'not checked: the child was held to another contract than this page knows',
} as const;

const COMPARED = {
  different: ['invalid', '≠', 'Valid by this page’s own check, but not what streamed in'],
  same: ['valid', '✓', 'Valid by this page’s own check, and the same as streamed in'],
  amended: ['valid', '✓', 'Valid by this page’s own check'],
  unseen: ['valid', '✓', 'Valid by this page’s own check'],
} as const;

function verdictOf(check: CardCheck): readonly [verdict: CardCheck['verdict'], sign: string, label: CardLabel] {
  switch (check.verdict) {
    case 'unchecked':
      return ['unchecked', '', UNCHECKED[check.reason]];
    case 'invalid':
      return ['invalid', '✕', 'Breaks its contract by this page’s own check'];
    case 'valid':
      return COMPARED[check.streamed];
  }
}
