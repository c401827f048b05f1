import type { User } from '@hearth/client';
import type { User as FirebaseUser } from 'firebase/auth';
import { DeleteAccount } from '../account/delete-account.tsx';
import { ExportData } from '../account/export-data.tsx';
import { PictureField } from '../account/picture-field.tsx';
import { useProfile } from '../account/profile.ts';
import { SecondFactor } from '../account/second-factor.tsx';
import { Sessions } from '../account/sessions.tsx';
import { SignInMethods } from '../account/sign-in-methods.tsx';
import { accountTexts } from '../account/texts.ts';
import { hearth } from '../backend/hearth.ts';
import { forgetSignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { Card } from '../ui/card.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => (
  <SignedIn>{({ session, user }) => <Account user={session.user} signedIn={user} />}</SignedIn>
);

function Account({ user, signedIn }: { user: User; signedIn: FirebaseUser }) {
  return (
    <div class="stack">
      <h1>{accountTexts().title}</h1>
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
  const texts = accountTexts().profile;
  const save = async (data: FormData) => {
    const displayName = textOf(data, 'name').trim();
    await hearth.account.change({ displayName: displayName === '' ? null : displayName });
    forgetSignedIn();
    return texts.saved;
  };
  return (
    <Card title={texts.title}>
      <PictureField
        url={profile === undefined ? user.photoURL : profile.photoURL}
        name={profile?.displayName ?? user.displayName ?? user.email ?? texts.you}
      />
      <dl class="facts">
        <dt>{texts.email}</dt>
        <dd class="wrap">{user.email ?? texts.noEmail}</dd>
        <dt>{texts.verified}</dt>
        <dd>{texts.isVerified(user.emailVerified)}</dd>
      </dl>
      <Form submit={texts.save} onSubmit={save}>
        <Field
          label={texts.name}
          name="name"
          autocomplete="name"
          maxLength={100}
          defaultValue={profile?.displayName ?? user.displayName ?? ''}
        />
      </Form>
    </Card>
  );
}
