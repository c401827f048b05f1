import type { ComponentChildren } from 'preact';
import { uiTexts } from './texts.ts';

interface SkeletonProps {
  /** The thing that is loading. */
  what: string;
  children: ComponentChildren;
}

/** The outline of content that is loading. It is as high as the content will be, so that the page does not jump. */
export function Skeleton({ what, children }: SkeletonProps) {
  return (
    <>
      {/* Screen readers wait with everything inside of a busy region. */}
      <p class="visually-hidden" role="status">
        {uiTexts().loading(what)}
      </p>
      <div class="outline" aria-busy="true">
        <div class="stack" aria-hidden="true">
          {children}
        </div>
      </div>
    </>
  );
}

/** The outline of the rows of a table or a list. */
export function RowsOutline({ rows = 5 }: { rows?: number }) {
  return (
    <div class="outline-rows">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="outline-row">
          <span class="skeleton wide" />
          <span class="skeleton short" />
        </div>
      ))}
    </div>
  );
}

/** The outline of a titled box. */
export function CardOutline({ children }: { children?: ComponentChildren }) {
  return (
    <div class="card">
      <span class="skeleton heading" />
      {children}
    </div>
  );
}

/** The outline of a value with its meter. */
export function MeterOutline() {
  return (
    <div class="outline-meter" aria-hidden="true">
      <span class="skeleton short" />
      <span class="skeleton" />
      <span class="skeleton full" />
    </div>
  );
}

/** The outline of a field with its label. */
export function FieldOutline() {
  return (
    <div class="outline-field">
      <span class="skeleton short" />
      <span class="skeleton control" />
    </div>
  );
}
