import { HearthProvider, useSession } from '@hearth/client/react';
import { signOut } from 'firebase/auth';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { auth, hearth, watchUser } from './backend.ts';
import { Paid } from './paid.tsx';
import { Shop } from './shop.tsx';
import { SignIn } from './sign-in.tsx';

function App() {
  const session = useSession();
  if (session.status === 'loading') return <p>Loading</p>;
  if (session.data === undefined) return <p role="alert">{session.error.message}</p>;
  if (session.data === null) return <SignIn />;
  return (
    <>
      <p>
        {session.data.user.email} <button onClick={() => void signOut(auth)}>Sign out</button>
      </p>
      {location.pathname === '/paid' ? <Paid session={session.data} /> : <Shop />}
    </>
  );
}

const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <HearthProvider client={hearth} watchUser={watchUser}>
        <App />
      </HearthProvider>
    </StrictMode>,
  );
}
