import type { User } from 'firebase/auth';
import { hearth } from '../backend/hearth.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { SignInAgainField, signInAgain } from './sign-in-again.tsx';

/** Saves everything that is stored about the user as a file. The backend answers only after a recent sign-in. */
export function ExportData({ user }: { user: User }) {
  const save = async (data: FormData) => {
    await signInAgain(user, data);
    saveAs('my-data.json', JSON.stringify(await hearth.account.export(), null, 2));
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

/** Saves a text in the folder of the browser's downloads. */
function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
