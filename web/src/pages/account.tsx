import type { Session, User } from '@hearth/client';
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
import { Notice } from '../ui/message.tsx';
import { SignedIn } from '../ui/signed-in.tsx';

export const Page = () => (
  <SignedIn>{({ session, user }) => <Account session={session} signedIn={user} />}</SignedIn>
);

function Account({ session, signedIn }: { session: Session; signedIn: FirebaseUser }) {
  const isOwn = session.impersonation === undefined;
  return (
    <div class="stack">
      <h1>{accountTexts().title}</h1>
      <div class="columns">
        <div class="stack">
          <Profile user={session.user} />
          {isOwn && <SignInMethods user={signedIn} />}
          {isOwn && <SecondFactor user={signedIn} />}
        </div>
        <div class="stack">
          <Sessions />
          {isOwn && <ExportData user={signedIn} />}
          {isOwn && <DeleteAccount user={signedIn} />}
          {/* An operator who sees the service as the user is signed in to their own account. */}
          {!isOwn && <Notice>{accountTexts().onlyOwn}</Notice>}
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
