import { BRAND } from '@hearth/shared/brand';
import { CreditCard, FolderLock, ShieldCheck, Users, type IconNode } from 'lucide';
import { useIsSignedIn } from '../backend/hearth.ts';
import { signInPath } from '../callback.ts';
import { Illustration } from '../home/illustration.tsx';
import { Plans } from '../home/plans.tsx';
import { Icon } from '../ui/icon.tsx';

const FEATURES: readonly (readonly [icon: IconNode, title: string, text: string])[] = [
  [
    ShieldCheck,
    'Accounts',
    'E-mail and password or Google. Sessions end at once, on every device that you choose.',
  ],
  [Users, 'Teams', 'Invite people by e-mail, give them roles, and hand a team over when it is time.'],
  [CreditCard, 'Billing', 'Monthly or yearly plans, invoices, and changes with a preview of the price.'],
  [FolderLock, 'Files', 'Images and documents, checked by their content. Links that you can replace.'],
];

/** The introduction. Readable at once; the state of the session appears when the backend has answered. */
export function Page() {
  // Without an answer the page is still useful: it offers to sign in.
  const isSignedIn = useIsSignedIn();
  return (
    <>
      <div class="hero">
        <div class="stack">
          <p class="eyebrow">{BRAND.name}</p>
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
            <a class="button" href="#plans">
              See the plans
            </a>
          </p>
        </div>
        <Illustration />
      </div>
      <div class="tiles features">
        {FEATURES.map(([icon, title, text]) => (
          <section class="card" key={title}>
            <span class="icon-disc">
              <Icon icon={icon} />
            </span>
            <h2>{title}</h2>
            <p class="muted">{text}</p>
          </section>
        ))}
      </div>
      <Plans href={isSignedIn ? '/billing' : signInPath(`${location.origin}/billing`)} />
    </>
  );
}
