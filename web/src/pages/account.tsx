import type { User } from '@hearth/client';
import type { User as FirebaseUser } from 'firebase/auth';
import { DeleteAccount } from '../account/delete-account.tsx';
import { ExportData } from '../account/export-data.tsx';
import { PictureField } from '../account/picture-field.tsx';
import { useProfile } from '../account/profile.ts';
import { SecondFactor } from '../account/second-factor.tsx';
import { Sessions } from '../account/sessions.tsx';
import { SignInMethods } from '../account/sign-in-methods.tsx';
import { hearth } from '../backend/hearth.ts';
import { valueOf } from '../backend/source.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => (
  <SignedIn>{({ session, user }) => <Account user={session.user} signedIn={user} />}</SignedIn>
);

function Account({ user, signedIn }: { user: User; signedIn: FirebaseUser }) {
  return (
    <div class="stack">
      <h1>Account</h1>
      <div class="columns">
        <div class="stack">
          <Profile user={user} />
          <SignInMethods user={signedIn} />
          <SecondFactor user={signedIn} />
        </div>
        <div class="stack">
          <Sessions />
          <ExportData user={signedIn} />
          <DeleteAccount user={signedIn} />
        </div>
      </div>
    </div>
  );
}

function Profile({ user }: { user: User }) {
  const profile = valueOf(useProfile(user.uid));
  const save = async (data: FormData) => {
    const displayName = textOf(data, 'name').trim();
    await hearth.account.change({ displayName: displayName === '' ? null : displayName });
    forgetSignedIn();
    return 'Saved.';
  };
  return (
    <Card title="Profile">
      <PictureField
        url={profile === undefined ? user.photoURL : profile.photoURL}
        name={profile?.displayName ?? user.displayName ?? user.email ?? 'You'}
      />
      <dl class="facts">
        <dt>E-mail</dt>
        <dd class="wrap">{user.email ?? 'none'}</dd>
        <dt>Address verified</dt>
        <dd>{user.emailVerified ? 'yes' : 'no'}</dd>
      </dl>
      <Form submit="Save" onSubmit={save}>
        <Field
          label="Your name"
          name="name"
          autocomplete="name"
          maxLength={100}
          defaultValue={profile?.displayName ?? user.displayName ?? ''}
        />
      </Form>
    </Card>
  );
}
