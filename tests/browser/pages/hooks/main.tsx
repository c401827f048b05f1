/** @jsxImportSource react */
import { createHearthClient } from '@hearth/client';
import {
  HearthProvider,
  useAction,
  usePlans,
  useSession,
  useTeam,
  useTeams,
  useUpload,
  useUploads,
} from '@hearth/client/react';
import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  getAuth,
  onIdTokenChanged,
  signInWithEmailAndPassword,
  signOut,
} from 'firebase/auth';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** The test defines these values. */
declare const HEARTH_URL: string;
declare const PROJECT_ID: string;
declare const AUTH_EMULATOR: string;

const auth = getAuth(initializeApp({ apiKey: 'demo', projectId: PROJECT_ID }));
connectAuthEmulator(auth, AUTH_EMULATOR, { disableWarnings: true });

/** On the backend's own origin the session cookie identifies the user, elsewhere ID tokens. */
const isOwnPage = location.origin === HEARTH_URL;
const hearth = isOwnPage
  ? createHearthClient()
  : createHearthClient({
      baseUrl: HEARTH_URL,
      idToken: async () => auth.currentUser?.getIdToken(),
      retries: 0,
    });
const watchUser = (changed: (user: { uid: string } | null) => void) => onIdTokenChanged(auth, changed);

/** Shows every hook for the user of the Firebase SDK. */
function Page() {
  const session = useSession();
  const again = useSession();
  return (
    <>
      <p>
        Session: {session.status} {session.data?.user.email ?? 'nobody'}
      </p>
      <p>Shared: {String(again.data === session.data)}</p>
      {session.status === 'failed' && <p role="alert">{session.error.message}</p>}
      <button onClick={() => void session.reload()}>Reload the session</button>
      <Plans />
      {session.data === null ? <SignIn /> : session.data !== undefined && <SignedIn />}
    </>
  );
}

function SignIn() {
  const { startSession } = useSession();
  const entering = useAction(async (form: FormData) => {
    const [email, password] = [form.get('email') as string, form.get('password') as string];
    const { user } = await signInWithEmailAndPassword(auth, email, password);
    if (isOwnPage) await startSession(await user.getIdToken());
  });
  return (
    <form action={entering.run}>
      <input name="email" aria-label="E-mail" />
      <input name="password" aria-label="Password" />
      <button>Sign in</button>
    </form>
  );
}

function Plans() {
  const plans = usePlans();
  return (
    <p>
      Plans: {plans.data?.map(({ slug }) => slug).join(' ')} {plans.error?.message}{' '}
      <button onClick={() => void plans.reload()}>Reload the plans</button>
    </p>
  );
}

function SignedIn() {
  const teams = useTeams();
  const creating = useAction(teams.create);
  const { endSession } = useSession();
  return (
    <>
      <form action={(form) => creating.run({ name: form.get('name') as string })}>
        <input name="name" aria-label="New team" />
        <button>Create</button>
      </form>
      {creating.error !== undefined && <p role="alert">{creating.error.message}</p>}
      {teams.data?.map(({ id }) => (
        <Team key={id} id={id} />
      ))}
      <Files />
      <button onClick={() => void (isOwnPage ? endSession() : signOut(auth))}>Sign out</button>
    </>
  );
}

function Team({ id }: { id: string }) {
  const { data } = useTeam(id);
  return data === undefined ? null : (
    <p>
      Team: {data.name} {data.plan}
    </p>
  );
}

function Files() {
  const uploads = useUploads();
  const upload = useUpload();
  return (
    <>
      <input
        type="file"
        aria-label="File"
        onChange={({ target }) => target.files?.[0] && void upload.send(target.files[0])}
      />
      <p>Upload: {upload.status}</p>
      {upload.status === 'failed' && <p role="alert">{upload.error.message}</p>}
      <button onClick={upload.cancel}>Cancel</button>
      {uploads.data?.map(({ id, name }) => (
        <p key={id}>
          File: {name} <button onClick={() => void uploads.remove(id)}>Delete</button>
        </p>
      ))}
    </>
  );
}

const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <HearthProvider client={hearth} watchUser={isOwnPage ? undefined : watchUser}>
        <Page />
      </HearthProvider>
    </StrictMode>,
  );
}
