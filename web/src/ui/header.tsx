import { BRAND } from '@hearth/shared/brand';
import { useIsSignedIn } from '../backend/hearth.ts';
import { loadPart } from '../backend/load-part.ts';
import { useRequest, valueOf } from '../backend/source.ts';
import { uiTexts } from './texts.ts';

const LINKS = [
  ['/dashboard', 'dashboard'],
  ['/team/members', 'team'],
  ['/files', 'files'],
  ['/billing', 'billing'],
  ['/account', 'account'],
] as const;

/** The pages for a signed-in user. */
const SIGNED_IN = /^\/(dashboard|team|files|billing|account|admin)(\/|$)/;

/** The name of the app, and for a signed-in user the links to the pages. */
export function Header({ path }: { path: string }) {
  const hasSession = useIsSignedIn();
  // The pages for signed-in users redirect other visitors. The start page is open to all.
  const isSignedIn = SIGNED_IN.test(path) || (path === '/' && hasSession);
  return (
    <header class="site-header">
      <div class="container">
        <a class="brand" href="/">
          <BrandMark />
        </a>
        <nav aria-label={uiTexts().pages}>
          {isSignedIn && (
            <ul>
              {LINKS.map(([href, page]) => (
                <li key={href}>
                  <a href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
                    {uiTexts()[page]}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </nav>
        {SIGNED_IN.test(path) && <LoadedMenu />}
      </div>
    </header>
  );
}

/** The logo of the app, otherwise its icon and its name. */
export function BrandMark() {
  const { name, logoUrl } = BRAND;
  if (logoUrl !== null) return <img src={logoUrl} alt={name} height="28" />;
  return (
    <>
      <img src="/favicon.svg" alt="" width="28" height="28" />
      {name}
    </>
  );
}

/** True for the page of a link, and for the other tabs of the team. */
const isWithin = (path: string, href: string) =>
  path === href || (href === '/team/members' && path.startsWith('/team/'));

/** It needs the Firebase SDK, which the start page does not load. */
function LoadedMenu() {
  const module = valueOf(useRequest('account menu', () => loadPart(() => import('./account-menu.tsx'))));
  return module === undefined ? null : <module.AccountMenu />;
}
