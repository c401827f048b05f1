import type { User } from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { leave } from '../backend/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';

/** Deletes an account. The user signs in once more first, because the backend deletes only after a recent sign-in. */
export function DeleteAccount({ user }: { user: User }) {
  const remove = async (data: FormData) => {
    await signInAgain(user, data);
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
                <SignInAgainField user={user} />
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
