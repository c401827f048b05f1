import type { User } from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { leave } from '../backend/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { uiTexts } from '../ui/texts.ts';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

/** Deletes an account. The user signs in once more first, because the backend deletes only after a recent sign-in. */
export function DeleteAccount({ user }: { user: User }) {
  const texts = accountTexts().deletion;
  const remove = async (data: FormData) => {
    await signInAgain(user, data);
    await hearth.account.delete();
    await leave();
  };
  return (
    <Card title={texts.title}>
      <p class="muted">{texts.text}</p>
      <div class="actions">
        <Dialog kind="danger" label={texts.open} title={texts.openTitle}>
          {(close) => (
            <>
              <p>{texts.warning}</p>
              <Form kind="danger" submit={texts.confirm} onSubmit={remove}>
                <SignInAgainField user={user} />
              </Form>
              <div class="actions">
                <Button autofocus onClick={close}>
                  {uiTexts().cancel}
                </Button>
              </div>
            </>
          )}
        </Dialog>
      </div>
    </Card>
  );
}
