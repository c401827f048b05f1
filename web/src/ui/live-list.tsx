import type { ComponentChildren } from 'preact';
import type { Live } from '../backend/source.ts';
import { Empty } from './card.tsx';
import { Loading, Unreadable } from './message.tsx';

interface LiveListProps<Item> {
  items: Live<Item[]>;
  /** Shown if the list is empty. */
  empty: ComponentChildren;
  what: string;
  children: (items: Item[]) => ComponentChildren;
}

/** A list that is kept up to date, with the states loading, empty and failed. */
export function LiveList<Item>({ items, empty, what, children }: LiveListProps<Item>) {
  switch (items.state) {
    case 'loading':
      return <Loading what={what} />;
    case 'failed':
      return <Unreadable what={what} retry={items.retry} />;
    case 'ready':
      return (
        <>
          {items.value.length > 0 ? (
            children(items.value)
          ) : typeof empty === 'string' ? (
            <Empty>{empty}</Empty>
          ) : (
            empty
          )}
        </>
      );
  }
}
