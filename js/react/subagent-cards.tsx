// `<SubagentCards>`: the cards of a thread, or of one tool call of it.
import type { ReactNode } from 'react';
import type { CardStore } from '../cards/store.js';
import type { CardActions } from './actions.js';
import { useCardStore, useOuterCards } from './context.js';
import { SubagentCard } from './subagent-card.js';

export interface SubagentCardsProps extends CardActions {
  /** Default: that of the `CardStoreProvider` around. */
  store?: CardStore | undefined;
  /** Only those that this tool call started: for a card in the parent's message. */
  parentToolCallId?: string | undefined;
  /** What the region is called. Default: `Subagents`. */
  label?: string | undefined;
  /** The level of the cards' headings. Default: 3. */
  headingLevel?: 2 | 3 | 4 | 5 | 6 | undefined;
  className?: string | undefined;
}

/** The cards that are in no other one, side by side where there is room. Renders nothing while there are none. */
export function SubagentCards({
  store: given,
  parentToolCallId,
  label = 'Subagents',
  headingLevel,
  className,
  ...actions
}: SubagentCardsProps): ReactNode {
  const store = useCardStore(given);
  const shown = useOuterCards(store, parentToolCallId);
  if (shown.length === 0) return null;
  return (
    <section className={className === undefined ? 'sc-cards' : `sc-cards ${className}`} aria-label={label}>
      {shown.map((id) => (
        <SubagentCard key={id} id={id} store={store} headingLevel={headingLevel} {...actions} />
      ))}
    </section>
  );
}
