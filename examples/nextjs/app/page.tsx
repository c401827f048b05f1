import { redirect } from 'next/navigation';
import { hearthOf } from './hearth.ts';
import { SignOut } from './sign-out.tsx';

/** Rendered on the server, for the user of the session cookie. */
export default async function Page() {
  const session = await (await hearthOf()).account.session();
  if (session === undefined) redirect('/sign-in');
  const { user, teams, plan } = session;
  return (
    <>
      <h1>Hello, {user.displayName ?? user.email}</h1>
      <p>Your plan: {plan}</p>
      <ul>
        {teams.map(({ id, name, role }) => (
          <li key={id}>
            {name}, as {role}
          </li>
        ))}
      </ul>
      <SignOut />
    </>
  );
}
