import type { SessionView } from '../../../functions/src/account/session.view.ts';
import { accountCard } from '../dashboard/account.ts';
import { arrivalMessage } from '../dashboard/message.ts';
import { planCard } from '../dashboard/plan.ts';
import { teamsCard } from '../dashboard/teams.ts';
import { uploadCard } from '../dashboard/upload.ts';
import { verificationNotice } from '../dashboard/verification-notice.ts';
import { h, notice } from '../dom.ts';
import { requireSession } from '../session.ts';

export async function render(main: HTMLElement): Promise<void> {
  const session = await requireSession();
  if (session === undefined) return;
  const { user, teams, plan } = session;
  main.replaceChildren(
    h(
      'div',
      { class: 'stack' },
      h('h1', { class: 'wrap' }, `Hello, ${user.displayName ?? user.email ?? 'there'}`),
      ...notices(session),
      h(
        'div',
        { class: 'columns' },
        h('div', { class: 'stack' }, teamsCard(teams)),
        h('div', { class: 'stack' }, planCard(plan), uploadCard(), accountCard(user)),
      ),
    ),
  );
}

function notices({ user, teams }: SessionView): HTMLElement[] {
  const message = arrivalMessage(new URLSearchParams(location.search), teams);
  // A reload or a bookmark is no arrival.
  if (location.search !== '') history.replaceState(null, '', location.pathname);
  return [
    ...(message === undefined ? [] : [h('div', { role: 'status' }, notice(message, 'good'))]),
    ...(user.emailVerified || user.email === null ? [] : [verificationNotice(user.email)]),
  ];
}
