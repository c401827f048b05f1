import { onAuthStateChanged, signOut, type User } from 'firebase/auth';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { auth } from './backend.ts';
import { Paid } from './paid.tsx';
import { Shop } from './shop.tsx';
import { SignIn } from './sign-in.tsx';

function App() {
  // Undefined until the SDK has read who is signed in.
  const [user, setUser] = useState<User | null>();
  useEffect(() => onAuthStateChanged(auth, setUser), []);
  if (user === undefined) return <p>Loading</p>;
  if (user === null) return <SignIn />;
  return (
    <>
      <p>
        {user.email} <button onClick={() => void signOut(auth)}>Sign out</button>
      </p>
      {location.pathname === '/paid' ? <Paid /> : <Shop />}
    </>
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App />);
