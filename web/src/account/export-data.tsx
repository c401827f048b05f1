import type { User } from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { saveAs } from '../save-as.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';

/** Saves everything that is stored about the user as a file. The backend answers only after a recent sign-in. */
export function ExportData({ user }: { user: User }) {
  const save = async (data: FormData) => {
    await signInAgain(user, data);
    saveAs('my-data.json', await hearth.account.export());
    return 'Your data is saved in my-data.json.';
  };
  return (
    <Card title="Your data">
      <p class="muted">A file with everything that is stored about you.</p>
      <div class="actions">
        <Dialog label="Download my data" title="Download your data">
          {() => (
            <Form submit="Download" onSubmit={save}>
              <SignInAgainField user={user} />
            </Form>
          )}
        </Dialog>
      </div>
    </Card>
  );
}
