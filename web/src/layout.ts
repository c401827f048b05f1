import { h } from './dom.ts';

const LINKS = [
  ['/dashboard', 'Dashboard'],
  ['/billing', 'Billing'],
] as const;

/** Fills the header's navigation for a person who is signed in. */
export function showNavigation(): void {
  const items = LINKS.map(([path, label]) => {
    const current = location.pathname === path ? { 'aria-current': 'page' } : {};
    return h('li', {}, h('a', { href: path, ...current }, label));
  });
  document.querySelector('#nav')?.replaceChildren(h('ul', {}, ...items));
}

/** A titled box. */
export function card(title: string, ...children: (Node | string)[]): HTMLElement {
  return h('section', { class: 'card' }, h('h2', {}, title), ...children);
}
