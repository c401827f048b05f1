import { button, h } from '../dom.ts';
import { UserFacingError } from '../errors.ts';
import { messagePlace, outcomeOf, report } from '../form.ts';

/** Tells of an unverified address, and sends the verification message once more. */
export function verificationNotice(email: string): HTMLElement {
  const messages = messagePlace();
  const send = button('Send verification e-mail', async () => {
    report(messages, await outcomeOf(sendVerification));
  });
  return h(
    'div',
    { class: 'notice stack-small' },
    h(
      'p',
      {},
      'Your address ',
      h('strong', { class: 'wrap' }, email),
      ' is not verified. You need that to accept invitations.',
    ),
    h('div', { class: 'actions' }, send),
    messages,
  );
}

async function sendVerification(): Promise<string> {
  const [{ sendEmailVerification }, { startAuth }] = await Promise.all([
    import('firebase/auth'),
    import('../firebase.ts'),
  ]);
  const { currentUser } = await startAuth();
  if (currentUser === null) throw new UserFacingError('Sign out and in again, then try once more.');
  await sendEmailVerification(currentUser, { url: location.href });
  return 'The message is on its way.';
}
