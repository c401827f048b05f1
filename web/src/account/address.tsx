import { verifyBeforeUpdateEmail, type User } from 'firebase/auth';
import { Dialog } from '../ui/dialog.tsx';
import { EmailField } from '../ui/email-field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

/**
 * A button that changes the address of an account. It changes when the owner of the new address opens the link in a
 * message.
 */
export function Address({ user }: { user: User }) {
  const texts = accountTexts().address;
  const send = async (data: FormData) => {
    const address = textOf(data, 'email').trim();
    await signInAgain(user, data);
    await verifyBeforeUpdateEmail(user, address, { url: `${location.origin}/account` });
    return texts.sent(address);
  };
  return (
    <Dialog label={texts.change} title={texts.title}>
      {() => (
        <Form submit={texts.send} onSubmit={send}>
          <SignInAgainField user={user} />
          <EmailField label={texts.name} autocomplete="email" />
        </Form>
      )}
    </Dialog>
  );
}
