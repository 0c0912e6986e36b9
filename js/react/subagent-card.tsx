// `<SubagentCard>`: one subagent, from its brief to its checked result.
import { type ReactNode, useId } from 'react';
import type { TokenUsage } from '../ag-ui/events.js';
import { sumUsage } from '../ag-ui/usage.js';
import type { Card, CardBrief } from '../cards/card.js';
import type { CardStore } from '../cards/store.js';
import { visibleText } from '../cards/visible.js';
import { defined, isRecord, textOf } from '../wire.js';
import { ActingProvider, type CardActions } from './actions.js';
import { Asks } from './asks.js';
import { ToolCalls } from './calls.js';
import { useCardStore, useSubagentCard } from './context.js';
import { Head } from './head.js';
import { Issues, Refused } from './issues.js';
import { useKeptFocus } from './kept-focus.js';
import { Label, type Say, useLabels } from './labels.js';
import { Notes, Return } from './record.js';
import { Scroll } from './scroll.js';
import { ChildText, Mono } from './text.js';
import { useActingOn } from './use-acting.js';
import { Value } from './value.js';

export interface SubagentCardProps extends CardActions {
  /** Its `subagentRunId`. */
  id: string;
  /** Default: that of the `CardStoreProvider` around. */
  store?: CardStore | undefined;
  /** The level of its heading; of nested cards one more. Default: 3. */
  headingLevel?: 2 | 3 | 4 | 5 | 6 | undefined;
  className?: string | undefined;
}

/** One card, with those of its own subagents in it. Renders nothing for a card that is not there. */
export function SubagentCard({
  id,
  store: given,
  headingLevel = 3,
  className,
  ...actions
}: SubagentCardProps): ReactNode {
  const store = useCardStore(given);
  const card = useSubagentCard(id, store);
  const acting = useActingOn(card, store, actions);
  const headingId = useId();
  const keptFocus = useKeptFocus<HTMLElement>();
  if (card === undefined) return null;
  const { status, brief, error, interrupts } = card;
  return (
    <ActingProvider value={acting}>
      <article
        className={className === undefined ? 'sc-card' : `sc-card ${className}`}
        data-status={status}
        data-connected={card.connected}
        aria-labelledby={headingId}
        {...keptFocus}
      >
        <Head id={headingId} level={headingLevel} card={card} />
        {brief && <Brief brief={brief} />}
        <Asks interrupts={interrupts} />
        {status === 'suspended' && interrupts.length === 0 && (
          <p className="sc-aside">
            <Label text="What it asks comes when the run around it pauses." />
          </p>
        )}
        {error && (
          <div className="sc-error">
            <p dir="auto">
              <ChildText text={error.message} />
            </p>
            <Issues issues={error.issues} />
          </div>
        )}
        <Refused attempts={card.attempts} maxAttempts={card.maxAttempts} />
        <Words card={card} />
        {card.return && <Return of={card.return} card={status} />}
        <Notes card={card} />
        <ToolCalls calls={card.toolCalls} omitted={card.omittedToolCalls} />
        {card.children.length > 0 && (
          <div className="sc-children">
            {card.children.map((child) => (
              <SubagentCard
                key={child}
                id={child}
                store={store}
                headingLevel={Math.min(6, headingLevel + 1) as 3 | 4 | 5 | 6}
                {...actions}
              />
            ))}
          </div>
        )}
        <Foot card={card} />
      </article>
    </ActingProvider>
  );
}

/** About so many characters of the job are shown at once. */
const CLAMPED = 120;

function Brief({ brief: { text, value } }: { brief: CardBrief }) {
  if (text === '' || text === '{}') return null;
  const [first, ...others] = isRecord(value) ? Object.values(value) : [];
  // The job in words comes first; what else the brief says is a click away.
  const lead = textOf(first);
  return (
    <div className="sc-brief">
      {lead !== undefined && (
        <p className="sc-lead" dir="auto">
          <span className="sc-vh">
            <Label text="Brief" />:{' '}
          </span>
          <ChildText text={lead} />
        </p>
      )}
      {(lead === undefined || others.length > 0 || lead.length > CLAMPED) && (
        <details className="sc-details">
          <summary>
            <Label text={lead === undefined ? 'Brief' : 'Whole brief'} />
          </summary>
          {value === undefined ? <ChildText text={text} /> : <Value value={value} />}
        </details>
      )}
    </div>
  );
}

/** What the child says: its answer, or its latest words. */
function Words({ card: { words, summary } }: { card: Card }) {
  const say = useLabels();
  const live = summary === undefined;
  const text = summary ?? words?.text ?? '';
  if (text.trim() === '') return null;
  return (
    <Scroll className="sc-words" dir="auto" label={say(live ? 'Latest words' : 'Answer')}>
      {live && words?.omitted ? '… ' : ''}
      <ChildText text={text} live={live} />
    </Scroll>
  );
}

function Foot({ card: { usage, transcriptRef, contract, status } }: { card: Card }) {
  const say = useLabels();
  const tokens = tokensOf(say, usage);
  const digest = contract?.digest;
  if (tokens === undefined && digest === undefined && status === 'running') return null;
  return (
    <footer className="sc-foot">
      {tokens !== undefined && <span>{tokens}</span>}
      {status !== 'running' && <Ref text={say('transcript {0}', transcriptRef)} />}
      {digest !== undefined && <Ref text={say('contract {0}', digest)} cut={digest.length - 15} />}
    </footer>
  );
}

/** What identifies something: in part, and whole under the pointer. */
function Ref({ text, cut = 0 }: { text: string; cut?: number }) {
  return (
    <span className="sc-ref" title={visibleText(text)}>
      <Mono text={text.slice(0, text.length - Math.max(0, cut))} />
    </span>
  );
}

function tokensOf(say: Say, usage: readonly TokenUsage[]): string | undefined {
  const counts = usage.map(({ inputTokens, outputTokens }) => defined<TokenUsage>({ inputTokens, outputTokens }));
  const { inputTokens, outputTokens } = sumUsage(counts)[0] ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return say('{0} tokens in, {1} out', inputTokens ?? 0, outputTokens ?? 0);
}
