import { updatePassword, type User } from 'firebase/auth';
import { Dialog } from '../ui/dialog.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { NewPasswordField } from '../sign-in/password-forms.tsx';
import { hasPassword, SignInAgainField, signInAgain, signInWith } from './sign-in-again.tsx';

interface PasswordProps {
  user: User;
  onChanged: () => void;
}

/** A button that changes the password, or sets the first one of a user who signs in with Google. */
export function Password({ user, onChanged }: PasswordProps) {
  const isFirst = !hasPassword(user);
  const save = async (data: FormData) => {
    const password = textOf(data, 'password');
    await signInAgain(user, data);
    await updatePassword(user, password);
    // Firebase Auth ends all sessions when the password changes. This one begins again.
    await signInWith(user, password, data);
    onChanged();
    return isFirst
      ? 'You can sign in with this password from now on.'
      : 'Your password is changed. Other devices are signed out.';
  };
  return (
    <Dialog
      label={isFirst ? 'Set a password' : 'Change password'}
      title={isFirst ? 'Set a password' : 'Change your password'}
    >
      {() => (
        <Form submit="Save password" onSubmit={save}>
          <SignInAgainField user={user} />
          <NewPasswordField label="New password" />
        </Form>
      )}
    </Dialog>
  );
}
