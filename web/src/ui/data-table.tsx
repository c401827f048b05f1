import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Paged } from '../backend/pages.ts';
import type { Names } from '../texts/en/ui.tsx';
import { Button } from './button.tsx';
import { Empty } from './card.tsx';
import { Field } from './form.tsx';
import { Unreadable } from './message.tsx';
import { resultsText } from './results.ts';
import { RowsOutline, Skeleton } from './skeleton.tsx';
import { uiTexts } from './texts.ts';

/** A search begins when a person has stopped typing for this time. */
const SETTLED_MS = 250;

/** A text that has not changed for a moment, without the spaces around it. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text.trim());
  useEffect(() => {
    const timer = setTimeout(setSettled, SETTLED_MS, text.trim());
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  // Without a text there is nothing to wait for.
  return text.trim() === '' ? '' : settled;
}

interface SearchFieldProps {
  hint: string;
  value: string;
  onText: (text: string) => void;
}

/** The field above a table in which a person types what they look for. */
export function SearchField({ hint, value, onText }: SearchFieldProps) {
  return (
    <Field
      label={uiTexts().search}
      name="search"
      type="search"
      hint={hint}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => {
        onText(currentTarget.value);
      }}
    />
  );
}

interface DataTableProps<Item> {
  names: Names;
  columns: readonly string[];
  paged: Paged<Item>;
  /** Whether the list is the result of a search. */
  isSearch: boolean;
  /** The number of items on all pages, if it is known. */
  total?: number | undefined;
  /** Shown if the table has no row. */
  empty: string;
  /** A row, with its key. */
  row: (item: Item) => ComponentChildren;
}

/** A table of one page of a list, with the number of results and the way to the other pages. */
export function DataTable<Item>({
  names,
  columns,
  paged,
  isSearch,
  total,
  empty,
  row,
}: DataTableProps<Item>) {
  const { items, isOld } = paged;
  const text = useAnnounced(resultsText({ names, isSearch, paged, total }), isOld);
  return (
    <>
      <p class="muted small" role="status">
        {text}
      </p>
      {items.state === 'failed' && <Unreadable what={names[1]} retry={items.retry} />}
      {items.state === 'loading' && (
        <Skeleton what={names[1]}>
          <RowsOutline />
        </Skeleton>
      )}
      {items.state === 'ready' && items.value.length === 0 && <Empty>{empty}</Empty>}
      {items.state === 'ready' && items.value.length > 0 && (
        // The roles are repeated, because on a phone the style of the table removes the roles of its elements.
        <table class="data" role="table" aria-label={names[1]} data-old={isOld}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th key={column} scope="col" role="columnheader">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">{items.value.map(row)}</tbody>
        </table>
      )}
      <Pager what={names[1]} paged={paged} />
    </>
  );
}

/** The text about the latest results. It does not change while the old ones are shown. */
function useAnnounced(text: string, isOld: boolean): string {
  const last = useRef(text);
  if (!isOld) last.current = text;
  return last.current;
}

/** Both buttons stay while there are several pages, so that the focus stays where it is. */
function Pager({ what, paged }: { what: string; paged: Paged<unknown> }) {
  const texts = uiTexts();
  const { showPrevious, showNext, before, isOld } = paged;
  if (showPrevious === undefined && showNext === undefined && !(isOld && before > 0)) return null;
  return (
    <div class="actions pager" role="group" aria-label={texts.pagesOf(what)}>
      <Button isOff={showPrevious === undefined} label={texts.previousItems(what)} onClick={showPrevious}>
        {texts.previous}
      </Button>
      <Button isOff={showNext === undefined} label={texts.nextItems(what)} onClick={showNext}>
        {texts.next}
      </Button>
    </div>
  );
}
