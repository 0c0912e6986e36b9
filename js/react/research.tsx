// The research record: findings with confidence and provenance, and beside them what is assumed, open and not looked at.
import { memo, useMemo } from 'react';
import { valueText } from '../cards/value-text.js';
import type { ReadonlyJson } from '../core.js';
import { type FollowUp, followUps } from '../follow-ups.js';
import { isRecord } from '../wire.js';
import { useActing } from './actions.js';
import { Button } from './button.js';
import { type CardLabel, Label, useLabels } from './labels.js';
import { List, useMore } from './list.js';
import { ChildText, Mono } from './text.js';
import { type JsonObject, Members, objectOf, own, resolved, Value } from './value.js';

export interface ResearchProps {
  value: JsonObject;
  schema: ReadonlyJson | undefined;
  live: boolean;
}

const SLOTS: ReadonlySet<string> = new Set([
  ...['findings', 'assumptions', 'unresolved', 'coverage', 'effort', 'transcript_ref'],
]);

/** Whether a record is one of research: by its schema, or where none is known by what it holds. */
export function isResearch(value: ReadonlyJson | undefined, schema: ReadonlyJson | undefined): boolean {
  const properties = resolved(schema, schema)?.properties;
  if (!isRecord(properties)) return Array.isArray(own(value, 'findings'));
  const finding = resolved(resolved(own(properties, 'findings'), schema)?.items, schema);
  return own(finding?.properties, 'claim') !== undefined && own(properties, 'unresolved') !== undefined;
}

/** A research record, or what there is of one. */
export const Research = memo(function Research({ value, schema, live }: ResearchProps) {
  const { followUp } = useActing();
  const coverage = own(value, 'coverage');
  // What may be asked is read from the record when it is complete, not with each delta.
  const record = live || followUp === undefined ? undefined : value;
  const more = useMemo(() => ({ asks: record && questionsIn(record) }), [record]);
  const common = { live, more };
  return (
    <>
      <Slot {...common} title="Findings" items={own(value, 'findings')} Item={Finding} />
      <Slot {...common} title="Open questions" items={own(value, 'unresolved')} Item={OpenQuestion} />
      <Slot {...common} title="Assumptions" items={own(value, 'assumptions')} Item={Line} />
      <Slot {...common} title="Not searched" items={own(coverage, 'not_searched')} Item={Line} />
      <Searched items={own(coverage, 'searched')} />
      <Effort effort={objectOf(own(value, 'effort'))} />
      <Members value={value} schema={objectOf(schema)} root={schema} without={SLOTS} live={live} />
    </>
  );
});

/** What a record holds, in one line: its caveats are seen without scrolling. */
export function Counts({ value, schema }: { value: ReadonlyJson | undefined; schema: ReadonlyJson | undefined }) {
  const say = useLabels();
  if (!isResearch(value, schema)) return null;
  const counts: [ReadonlyJson | undefined, CardLabel][] = [
    [own(value, 'findings'), '{0} found'],
    [own(value, 'unresolved'), '{0} open'],
    [own(value, 'assumptions'), '{0} assumed'],
    [own(own(value, 'coverage'), 'not_searched'), '{0} not searched'],
  ];
  const shown = counts.flatMap(([list, word]) => (Array.isArray(list) ? say(word, list.length) : []));
  return <span className="sc-counts">{shown.join(' · ')}</span>;
}

interface SlotProps {
  title: CardLabel;
  items: ReadonlyJson | undefined;
  Item: typeof Finding;
  live: boolean;
  more: Pick<ItemProps, 'asks'>;
}

const Slot = memo(function Slot({ title, items, Item, live, more }: SlotProps) {
  if (items === undefined) return null;
  const list = Array.isArray(items) ? items : [items];
  return (
    <div className="sc-slot">
      <p className="sc-label">
        <Label text={title} /> <span className="sc-count">{list.length}</span>
      </p>
      {list.length > 0 && <List items={list as readonly ReadonlyJson[]} Item={Item} more={more} live={live} />}
    </div>
  );
});

interface ItemProps {
  item: ReadonlyJson;
  live: boolean;
  asks: ReadonlyMap<string, FollowUp> | undefined;
}

const MARKS: Readonly<Record<string, string>> = { verified: '✓', inferred: '∴', reported: '”' };

const Finding = memo(function Finding({ item, live }: ItemProps) {
  const say = useLabels();
  const finding = objectOf(item);
  if (finding === undefined) return <Value value={item} live={live} />;
  const { claim, confidence, provenance } = finding;
  const places = Array.isArray(provenance) ? (provenance as readonly ReadonlyJson[]) : [];
  const known = typeof confidence === 'string' && Object.hasOwn(MARKS, confidence) ? confidence : undefined;
  return (
    <div className="sc-finding">
      <div className="sc-claim">
        {confidence !== undefined && (
          <span className="sc-badge" data-confidence={known ?? 'other'}>
            {known && <span aria-hidden="true">{MARKS[known]} </span>}
            <span className="sc-vh">{say('confidence:')} </span>
            <ChildText text={valueText(confidence)} oneLine />
          </span>
        )}{' '}
        {claim !== undefined && <Value value={claim} live={live} />}
      </div>
      <Provenance places={places} />
      <Members value={finding} schema={undefined} without={FINDING} live={live} />
    </div>
  );
});

/** So many places of a finding are shown before a person asks for more. */
const PLACES = 32;

function Provenance({ places }: { places: readonly ReadonlyJson[] }) {
  const say = useLabels();
  const [shown, more] = useMore(places.length, PLACES);
  if (places.length === 0) return null;
  return (
    <>
      <ul className="sc-provenance" aria-label={say('Provenance')}>
        {places.slice(0, shown).map((place, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no other identity, and never change places
          <li key={at}>
            <Mono text={valueText(place)} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

const FINDING: ReadonlySet<string> = new Set(['claim', 'confidence', 'provenance']);
const QUESTION: ReadonlySet<string> = new Set(['question', 'would_settle_it']);

const OpenQuestion = memo(function OpenQuestion({ item, live, asks }: ItemProps) {
  const { followUp } = useActing();
  const entry = objectOf(item);
  if (entry === undefined) return <Value value={item} live={live} />;
  const { question, would_settle_it: settles } = entry;
  const ask = typeof question === 'string' ? asks?.get(question) : undefined;
  return (
    <div className="sc-question">
      {question !== undefined && <Value value={question} live={live} />}
      {settles !== undefined && (
        <p className="sc-aside" dir="auto">
          <span className="sc-key">
            <Label text="Would settle it:" />{' '}
          </span>
          <ChildText text={valueText(settles)} live={live} />
        </p>
      )}
      <Members value={entry} schema={undefined} without={QUESTION} live={live} />
      {ask && followUp && <Button label="Follow up" onPress={() => followUp(ask)} />}
    </div>
  );
});

const Line = memo(function Line({ item, live }: ItemProps) {
  return <Value value={item} live={live} />;
});

const Searched = memo(function Searched({ items }: { items: ReadonlyJson | undefined }) {
  if (!Array.isArray(items) || items.length === 0) return null;
  const list = items as readonly ReadonlyJson[];
  return (
    <details className="sc-details">
      <summary>
        <Label text="Searched" /> <span className="sc-count">{list.length}</span>
      </summary>
      <List items={list} Item={Place} more={NOTHING} />
    </details>
  );
});

const NOTHING = {};

function Place({ item }: { item: ReadonlyJson }) {
  return <Mono text={valueText(item)} />;
}

const Effort = memo(function Effort({ effort }: { effort: JsonObject | undefined }) {
  const say = useLabels();
  if (effort === undefined) return null;
  const { tool_calls: calls, budget_exhausted: exhausted, ...rest } = effort;
  return (
    <>
      {exhausted === true && <p className="sc-note">{say('The child says that it stopped for lack of budget.')}</p>}
      {typeof calls === 'number' && <p className="sc-aside">{say('The child counts {0} tool calls.', calls)}</p>}
      <Members value={rest} schema={undefined} without={NO_MORE} />
    </>
  );
});

const NO_MORE: ReadonlySet<string> = new Set();

function questionsIn(record: JsonObject): ReadonlyMap<string, FollowUp> {
  try {
    return new Map(followUps(record).map((followUp) => [followUp.question, followUp]));
  } catch {
    // What the core cannot read, say for its depth, has nothing to ask on.
    return new Map();
  }
}
