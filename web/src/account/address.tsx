import { verifyBeforeUpdateEmail, type User } from 'firebase/auth';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';

/** A button that changes the address of an account. It changes when the owner of the new address opens the link in a message. */
export function Address({ user }: { user: User }) {
  const send = async (data: FormData) => {
    const address = textOf(data, 'email').trim();
    await signInAgain(user, data);
    await verifyBeforeUpdateEmail(user, address, { url: `${location.origin}/account` });
    return `We sent a message to ${address}. Your address changes when you open its link.`;
  };
  return (
    <Dialog label="Change address" title="Change your e-mail address">
      {() => (
        <Form submit="Send the message" onSubmit={send}>
          <SignInAgainField user={user} />
          <Field
            label="New address"
            name="email"
            type="email"
            autocomplete="email"
            required
            maxLength={254}
          />
        </Form>
      )}
    </Dialog>
  );
}
