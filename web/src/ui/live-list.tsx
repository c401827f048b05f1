import type { ComponentChildren } from 'preact';
import type { Live } from '../backend/source.ts';
import { Empty } from './card.tsx';
import { Unreadable } from './message.tsx';
import { RowsOutline, Skeleton } from './skeleton.tsx';

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
      return (
        <Skeleton what={what}>
          <RowsOutline rows={3} />
        </Skeleton>
      );
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
