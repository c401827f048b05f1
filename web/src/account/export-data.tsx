import type { User } from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { saveAs } from '../save-as.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';
import { accountTexts } from './texts.ts';

const FILE = 'my-data.json';

/** Saves everything that is stored about the user as a file. The backend answers only after a recent sign-in. */
export function ExportData({ user }: { user: User }) {
  const texts = accountTexts().export;
  const save = async (data: FormData) => {
    await signInAgain(user, data);
    saveAs(FILE, await hearth.account.export());
    return texts.saved(FILE);
  };
  return (
    <Card title={texts.title}>
      <p class="muted">{texts.text}</p>
      <div class="actions">
        <Dialog label={texts.open} title={texts.openTitle}>
          {() => (
            <Form submit={texts.download} onSubmit={save}>
              <SignInAgainField user={user} />
            </Form>
          )}
        </Dialog>
      </div>
    </Card>
  );
}
