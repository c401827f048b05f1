import type { SessionView } from '../../../functions/src/account/session.view.ts';
import { button, h } from '../dom.ts';
import { messagePlace, outcomeOf, report } from '../form.ts';
import { card } from '../layout.ts';
import { signOut } from '../session.ts';

export function accountCard(user: SessionView['user']): HTMLElement {
  const messages = messagePlace();
  const leave = (everywhere: boolean) => async () => {
    const outcome = await outcomeOf(async () => {
      await signOut({ everywhere });
      return undefined;
    });
    report(messages, outcome);
  };
  return card(
    'Account',
    h('p', { class: 'muted wrap' }, user.email ?? 'No e-mail address'),
    h(
      'div',
      { class: 'actions' },
      button('Sign out', leave(false)),
      button('Sign out everywhere', leave(true), { class: 'link-button' }),
    ),
    messages,
  );
}
