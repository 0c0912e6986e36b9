// The hooks: a store's cards, re-read when they change.
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import type { Card, CardsSnapshot } from '../cards/card.js';
import { sharedList } from '../cards/share.js';
import type { CardStore } from '../cards/store.js';

const Store = /* @__PURE__ */ createContext<CardStore | undefined>(undefined);

/** Gives a store to the cards and hooks below it. */
export const CardStoreProvider = Store.Provider;

/** The store given, or that of the {@link CardStoreProvider}. Throws an `Error` when there is neither. */
export function useCardStore(given?: CardStore): CardStore {
  const around = useContext(Store);
  const store = given ?? around;
  if (store === undefined) {
    throw new Error('there is no card store: give one, or render inside <CardStoreProvider value={store}>');
  }
  return store;
}

/** All cards, in the order they started. Renders anew when one changes, at most once a frame. */
export function useSubagentCards(store?: CardStore): CardsSnapshot {
  const { subscribe, snapshot } = useCardStore(store);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** One card, by its `subagentRunId`; nothing for one that is not there. Renders anew only when it changes. */
export function useSubagentCard(id: string, store?: CardStore): Card | undefined {
  const { subscribe, snapshot } = useCardStore(store);
  const read = () => snapshot().byId.get(id);
  return useSyncExternalStore(subscribe, read, read);
}

/** The ids of cards that are in no other one. Renders anew when a card comes or goes, and not when one changes. */
export function useOuterCards(store: CardStore, parentToolCallId: string | undefined): readonly string[] {
  const read = useMemo(() => {
    let before: readonly string[] = [];
    return () => {
      const { cards, byId } = store.snapshot();
      const outer = cards.filter(
        (card) =>
          (card.parentId === undefined || !byId.has(card.parentId)) &&
          (parentToolCallId === undefined || card.parentToolCallId === parentToolCallId),
      );
      before = sharedList(
        before,
        outer.map(({ id }) => id),
      );
      return before;
    };
  }, [store, parentToolCallId]);
  return useSyncExternalStore(store.subscribe, read, read);
}
