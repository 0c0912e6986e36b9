// Long lists, of which only what changed is rendered again.
import { type ComponentType, memo, type ReactNode, useState } from 'react';
import { sharedList } from '../cards/share.js';
import { Button } from './button.js';

/** So many items are compared, and if one changed rendered, together. */
const CHUNK = 32;
/** So many are shown before a person asks for more. */
const SHOWN = 512;

export interface ListProps<T, P extends object> {
  items: readonly T[];
  Item: ComponentType<{ item: T; live: boolean } & P>;
  /** What all items get. It has to stay the same object. */
  more: P;
  /** Whether the last item is still being written. The others are told that they are not, and stay as they are. */
  live?: boolean | undefined;
}

/** A list of items that only grows at its end. */
export function List<T, P extends object>({ items, Item, more, live = false }: ListProps<T, P>): ReactNode {
  const [shown, further] = useMore(items.length);
  const chunks: ReactNode[] = [];
  for (let from = 0; from < Math.min(items.length, shown); from += CHUNK) {
    const chunk = items.slice(from, from + CHUNK);
    const open = live && from + CHUNK >= items.length;
    chunks.push(<Chunk key={from} items={chunk} Item={Item as never} more={more} live={open} />);
  }
  return (
    <>
      <ul className="sc-list" data-long={items.length > CHUNK || undefined}>
        {chunks}
      </ul>
      {further}
    </>
  );
}

/** How many of so many are shown, and what a person presses for more; `null` when that is all. */
export function useMore(length: number, step = SHOWN): [shown: number, more: ReactNode] {
  const [shown, setShown] = useState(step);
  const left = length - shown;
  if (left <= 0) return [shown, null];
  const more = (
    <Button
      kind="link"
      label="Show {0} more of {1}"
      values={[Math.min(left, step), left]}
      onPress={() => setShown(shown + step)}
    />
  );
  return [shown, more];
}

interface ChunkProps {
  items: readonly unknown[];
  Item: ComponentType<{ item: unknown; live: boolean }>;
  more: object;
  live: boolean;
}

const Chunk = memo(
  function Chunk({ items, Item, more, live }: ChunkProps) {
    return items.map((item, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and never change places
      <li key={at} className="sc-item">
        <Item item={item} live={live && at === items.length - 1} {...more} />
      </li>
    ));
  },
  (before, now) =>
    before.live === now.live &&
    before.more === now.more &&
    before.Item === now.Item &&
    sharedList(before.items, now.items) === before.items,
);
