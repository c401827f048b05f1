import { createUserWithEmailAndPassword, signInWithEmailAndPassword } from 'firebase/auth';
import { useState, type SubmitEvent } from 'react';
import { auth } from './backend.ts';

export function SignIn() {
  const [failure, setFailure] = useState<string>();

  async function submit(form: FormData) {
    setFailure(undefined);
    const [email, password] = [form.get('email') as string, form.get('password') as string];
    const enter = form.get('new') === null ? signInWithEmailAndPassword : createUserWithEmailAndPassword;
    try {
      await enter(auth, email, password);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Please try again.');
    }
  }

  // React empties a form with an `action` after each submission, also after a wrong password.
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={onSubmit}>
      <h1>Sign in</h1>
      <label>
        E-mail <input name="email" type="email" autoComplete="email" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <label>
        <input name="new" type="checkbox" /> I am new here
      </label>
      {failure !== undefined && <p role="alert">{failure}</p>}
      <button>Continue</button>
    </form>
  );
}
