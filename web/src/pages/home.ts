import { fetchSession } from '../api.ts';
import { h } from '../dom.ts';
import { showNavigation } from '../layout.ts';

const FEATURES = [
  ['Accounts', 'E-mail and password or Google, with sessions that end when you say so.'],
  ['Teams', 'Invite people by e-mail, with roles, and seats that follow the plan.'],
  ['Billing', 'Subscribe on Stripe’s own pages and manage everything in its portal.'],
  ['Files', 'Upload images and documents, checked by their content, and share the link.'],
] as const;

/** What this is. Readable at once; who is signed in shows when the backend has answered. */
export async function render(main: HTMLElement): Promise<void> {
  const actions = h(
    'p',
    { class: 'actions' },
    h('a', { class: 'button primary', href: '/auth/sign-in' }, 'Sign in'),
  );
  const tiles = FEATURES.map(([title, text]) =>
    h('section', { class: 'card' }, h('h2', {}, title), h('p', { class: 'muted' }, text)),
  );
  main.replaceChildren(
    h(
      'div',
      { class: 'hero' },
      h('p', { class: 'eyebrow' }, 'Hearth'),
      h('h1', {}, 'The backend your team gathers around'),
      h('p', { class: 'lead' }, 'Accounts, subscription billing, teams and file upload on Firebase.'),
      actions,
    ),
    h('div', { class: 'tiles' }, ...tiles),
  );
  // Without an answer the page is still right: it offers to sign in.
  const session = await fetchSession().catch(() => undefined);
  if (session === undefined) return;
  showNavigation();
  actions.replaceChildren(h('a', { class: 'button primary', href: '/dashboard' }, 'Go to your dashboard'));
}
