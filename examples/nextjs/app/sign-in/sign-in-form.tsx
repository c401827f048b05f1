'use client';

import { createHearthClient } from '@hearth/client';
import { getApps, initializeApp, type FirebaseOptions } from 'firebase/app';
import { connectAuthEmulator, getAuth, inMemoryPersistence, signInWithEmailAndPassword } from 'firebase/auth';
import { useState, type SubmitEvent } from 'react';

interface SignInFormProps {
  /** JSON from the Firebase console. */
  config: string;
  /** Address of the Auth emulator. */
  emulator: string | undefined;
}

/** Signs in at Firebase Auth, and exchanges the ID token for the session cookie. */
export function SignInForm({ config, emulator }: SignInFormProps) {
  const [problem, setProblem] = useState('');
  const signIn = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const auth = authOf(config, emulator);
    await auth.setPersistence(inMemoryPersistence);
    const { user } = await signInWithEmailAndPassword(auth, textOf(data, 'email'), textOf(data, 'password'));
    await createHearthClient().account.startSession(await user.getIdToken());
    location.assign('/');
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn(event.currentTarget).catch(() => {
      setProblem('Please check what you entered, and try again.');
    });
  };
  return (
    <form onSubmit={onSubmit}>
      <p>
        <label>
          E-mail <input name="email" type="email" autoComplete="email" required />
        </label>
      </p>
      <p>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </p>
      <button type="submit">Sign in</button>
      <p role="status">{problem}</p>
    </form>
  );
}

/** Firebase Auth. From the sign-in on, the session cookie identifies the user, so the SDK keeps nobody signed in. */
function authOf(config: string, emulator: string | undefined) {
  const [existing] = getApps();
  if (existing !== undefined) return getAuth(existing);
  const auth = getAuth(initializeApp(JSON.parse(config) as FirebaseOptions));
  if (emulator !== undefined) connectAuthEmulator(auth, emulator, { disableWarnings: true });
  return auth;
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
