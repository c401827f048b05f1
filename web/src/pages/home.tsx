import { BRAND } from '@hearth/shared/brand';
import { CreditCard, FolderLock, ShieldCheck, Users, type IconNode } from 'lucide';
import { useIsSignedIn } from '../backend/hearth.ts';
import { signInPath } from '../callback.ts';
import { Illustration } from '../home/illustration.tsx';
import { Plans } from '../home/plans.tsx';
import { homeTexts } from '../home/texts.ts';
import { Icon } from '../ui/icon.tsx';

const FEATURES: readonly (readonly [icon: IconNode, name: 'accounts' | 'teams' | 'billing' | 'files'])[] = [
  [ShieldCheck, 'accounts'],
  [Users, 'teams'],
  [CreditCard, 'billing'],
  [FolderLock, 'files'],
];

/** The introduction. Readable immediately; the state of the session appears when the backend has answered. */
export function Page() {
  // Without an answer the page is still useful: it offers to sign in.
  const isSignedIn = useIsSignedIn();
  const texts = homeTexts();
  return (
    <>
      <div class="hero">
        <div class="stack">
          <p class="eyebrow">{BRAND.name}</p>
          <h1>{texts.title}</h1>
          <p class="lead">{texts.lead}</p>
          <p class="actions">
            {isSignedIn ? (
              <a class="button primary" href="/dashboard">
                {texts.dashboard}
              </a>
            ) : (
              <a class="button primary" href="/auth/sign-in">
                {texts.signIn}
              </a>
            )}
            <a class="button" href="#plans">
              {texts.plans}
            </a>
          </p>
        </div>
        <Illustration />
      </div>
      <div class="tiles features">
        {FEATURES.map(([icon, name]) => (
          <section class="card" key={name}>
            <span class="icon-disc">
              <Icon icon={icon} />
            </span>
            <h2>{texts.features[name].title}</h2>
            <p class="muted">{texts.features[name].text}</p>
          </section>
        ))}
      </div>
      <Plans href={isSignedIn ? '/billing' : signInPath(`${location.origin}/billing`)} />
    </>
  );
}
