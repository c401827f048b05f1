import { useSession } from '../backend/hearth.ts';

const FEATURES = [
  ['Accounts', 'E-mail and password or Google, with sessions that end when you say so.'],
  ['Teams', 'Invite people by e-mail, with roles, and seats that follow the plan.'],
  ['Billing', 'Subscribe on Stripe’s own pages and manage everything in its portal.'],
  ['Files', 'Upload images and documents, checked by their content, and share the link.'],
] as const;

/** The introduction. Readable at once; the state of the session appears when the backend has answered. */
export function Page() {
  // Without an answer the page is still useful: it offers to sign in.
  const isSignedIn = useSession() !== undefined;
  return (
    <>
      <div class="hero">
        <p class="eyebrow">Hearth</p>
        <h1>The backend your team gathers around</h1>
        <p class="lead">Accounts, subscription billing, teams and file upload on Firebase.</p>
        <p class="actions">
          {isSignedIn ? (
            <a class="button primary" href="/dashboard">
              Go to your dashboard
            </a>
          ) : (
            <a class="button primary" href="/auth/sign-in">
              Sign in
            </a>
          )}
        </p>
      </div>
      <div class="tiles">
        {FEATURES.map(([title, text]) => (
          <section class="card" key={title}>
            <h2>{title}</h2>
            <p class="muted">{text}</p>
          </section>
        ))}
      </div>
    </>
  );
}
