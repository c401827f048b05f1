import { useIsKnown } from '../backend/hearth.ts';

const LINKS = [
  ['/dashboard', 'Dashboard'],
  ['/files', 'Files'],
  ['/billing', 'Billing'],
  ['/account', 'Account'],
] as const;

/** The pages that belong to who is signed in. */
const SIGNED_IN = new Set<string>([...LINKS.map(([path]) => path), '/billing/success']);

/** The name of the app, and for who is signed in the ways to go. */
export function Header({ path }: { path: string }) {
  // Pages of who is signed in send everybody else away; only the start page, open to all, has to ask.
  const isKnown = useIsKnown(path === '/');
  const isSignedIn = SIGNED_IN.has(path) || isKnown;
  return (
    <header class="site-header">
      <div class="container">
        <a class="brand" href="/">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          Hearth
        </a>
        <nav aria-label="Main">
          {isSignedIn && (
            <ul>
              {LINKS.map(([href, label]) => (
                <li key={href}>
                  <a href={href} aria-current={href === path ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </nav>
      </div>
    </header>
  );
}
