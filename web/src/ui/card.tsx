import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useFocusHeir } from './focus.ts';

/** A titled box. */
export function Card({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  useFocusHeir(element);
  return (
    <section ref={element} class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Shown instead of an empty list, with the next step. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
