import {
  EmailAuthProvider,
  GoogleAuthProvider,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  type User,
} from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { leave } from '../backend/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';

/** Deletes an account. The user signs in once more first, because the backend deletes only after a recent sign-in. */
export function DeleteAccount({ user }: { user: User }) {
  const hasPassword = user.providerData.some(
    ({ providerId }) => providerId === EmailAuthProvider.PROVIDER_ID,
  );
  const remove = async (data: FormData) => {
    if (hasPassword) {
      const credential = EmailAuthProvider.credential(user.email ?? '', textOf(data, 'password'));
      await reauthenticateWithCredential(user, credential);
    } else {
      await reauthenticateWithPopup(user, new GoogleAuthProvider());
    }
    await hearth.account.startSession(await user.getIdToken());
    await hearth.account.delete();
    await leave();
  };
  return (
    <Card title="Delete account">
      <p class="muted">You leave your teams, your subscription ends, and your files are removed.</p>
      <div class="actions">
        <Dialog kind="danger" label="Delete my account" title="Delete your account?">
          {(close) => (
            <>
              <p>This cannot be undone.</p>
              <Form kind="danger" submit="Delete everything" onSubmit={remove}>
                {hasPassword ? (
                  <Field
                    label="Your password"
                    name="password"
                    type="password"
                    autocomplete="current-password"
                    required
                  />
                ) : (
                  <p class="muted">Google asks you to sign in once more.</p>
                )}
              </Form>
              <div class="actions">
                <Button autofocus onClick={close}>
                  Cancel
                </Button>
              </div>
            </>
          )}
        </Dialog>
      </div>
    </Card>
  );
}
