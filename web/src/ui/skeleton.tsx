import type { ComponentChildren } from 'preact';

interface SkeletonProps {
  /** The thing that is loading. */
  what: string;
  children: ComponentChildren;
}

/** The outline of content that is loading. It is as high as the content will be, so that the page does not jump. */
export function Skeleton({ what, children }: SkeletonProps) {
  return (
    <div class="outline" role="status" aria-busy="true">
      <span class="visually-hidden">Loading {what}…</span>
      <div class="stack" aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

/** The outline of a table. */
export function TableSkeleton({ what, rows = 5 }: { what: string; rows?: number }) {
  return (
    <Skeleton what={what}>
      <div class="outline-rows">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} class="outline-row">
            <span class="skeleton wide" />
            <span class="skeleton short" />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}
