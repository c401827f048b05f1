import { updatePassword, type User } from 'firebase/auth';
import { NewPasswordField } from '../sign-in/password-forms.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { hasPassword, SignInAgainField, signInAgain, signInWith } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

interface PasswordProps {
  user: User;
  onChanged: () => void;
}

/** A button that changes the password, or sets the first one of a user who signs in with Google. */
export function Password({ user, onChanged }: PasswordProps) {
  const texts = accountTexts().password;
  const isFirst = !hasPassword(user);
  const save = async (data: FormData) => {
    const password = textOf(data, 'password');
    await signInAgain(user, data);
    await updatePassword(user, password);
    // Firebase Auth ends all sessions when the password changes. This one begins again.
    await signInWith(user, password, data);
    onChanged();
    return isFirst ? texts.isSet : texts.isChanged;
  };
  return (
    <Dialog label={isFirst ? texts.set : texts.change} title={isFirst ? texts.set : texts.changeTitle}>
      {() => (
        <Form submit={texts.save} onSubmit={save}>
          <SignInAgainField user={user} />
          <NewPasswordField label={texts.name} />
        </Form>
      )}
    </Dialog>
  );
}
