import { sendEmailVerification, type User } from 'firebase/auth';
import { button, h } from '../dom.ts';
import { UserFacingError } from '../errors.ts';
import { messagePlace, outcomeOf, report } from '../form.ts';
import { signOut } from '../session.ts';

/** Holds a person back until their e-mail address is verified. */
export function showVerification(main: HTMLElement, user: User, onVerified: () => void): void {
  const messages = messagePlace();
  const action = (label: string, run: () => Promise<string | undefined>, style: string) =>
    button(
      label,
      async () => {
        report(messages, undefined);
        report(messages, await outcomeOf(run));
      },
      { class: style },
    );
  const proceed = async () => {
    if (!(await isVerifiedNow(user))) {
      throw new UserFacingError('Your address is not verified yet. Open the link in the message first.');
    }
    onVerified();
    return undefined;
  };
  const resend = async () => {
    await sendEmailVerification(user, { url: location.href });
    return 'The message is on its way.';
  };
  const leave = async () => {
    await signOut({ everywhere: false });
    return undefined;
  };
  main.replaceChildren(
    h(
      'div',
      { class: 'card narrow centered' },
      h('h1', { tabindex: -1 }, 'Verify your address'),
      h(
        'p',
        {},
        'An invitation is for the owner of its address. Open the link in the message to ',
        h('strong', { class: 'wrap' }, user.email ?? ''),
        ', then come back here.',
      ),
      action('I have verified, continue', proceed, 'button primary'),
      action('Send the message again', resend, 'button'),
      messages,
      h('div', { class: 'actions' }, action('Use another account', leave, 'link-button')),
    ),
  );
  main.querySelector('h1')?.focus();
}

/** The backend looks the account up at each request, so its session needs no renewal; the SDK's token carries the claim. */
async function isVerifiedNow(user: User): Promise<boolean> {
  await user.reload();
  if (user.emailVerified) await user.getIdToken(true);
  return user.emailVerified;
}
