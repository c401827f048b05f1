import type { ComponentChildren } from 'preact';
import { isPlainClick, navigate } from '../router.ts';

interface LinkProps {
  href: string;
  class?: string;
  current?: boolean;
  children: ComponentChildren;
}

/** A link to another page of the app, which is shown without loading anew. */
export function Link({ href, current = false, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} aria-current={current ? 'page' : undefined} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
