import { connection } from 'next/server';
import { SignInForm } from './sign-in-form.tsx';

/** The settings of Firebase are read from the environment of the server, so that one build serves every project. */
export default async function Page() {
  await connection();
  const { FIREBASE_CONFIG = '{}', AUTH_EMULATOR } = process.env;
  return (
    <>
      <h1>Sign in</h1>
      <SignInForm config={FIREBASE_CONFIG} emulator={AUTH_EMULATOR} />
    </>
  );
}
