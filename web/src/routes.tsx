import { BRAND } from '@hearth/shared/brand';
import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { loadPart } from './backend/load-part.ts';
import { useRequest } from './backend/source.ts';
import { Failure } from './ui/message.tsx';
import {
  AccountOutline,
  BillingOutline,
  DashboardOutline,
  FilesOutline,
  PageLoading,
  PageOutline,
  TeamOutline,
} from './ui/outlines.tsx';
import { uiTexts } from './ui/texts.ts';

/** A page; it is loaded when it is opened. */
interface PageModule {
  Page: FunctionComponent;
}

interface Route {
  /** The start page has the name of the app alone. */
  title?: keyof ReturnType<typeof uiTexts>['titles'];
  load: () => Promise<PageModule>;
  /** Shown while the page is loading. */
  Outline?: FunctionComponent;
}

/** Each path has a rewrite to index.html in firebase.json, so that an unknown one is a true 404. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { load: () => import('./pages/home.tsx') },
  '/auth/sign-in': { title: 'signIn', load: () => import('./pages/sign-in.tsx') },
  '/auth/action': { title: 'action', load: () => import('./pages/action.tsx') },
  '/dashboard': {
    title: 'dashboard',
    load: () => import('./pages/dashboard.tsx'),
    Outline: DashboardOutline,
  },
  '/team/members': {
    title: 'members',
    load: () => import('./pages/team.tsx').then(({ Members }) => ({ Page: Members })),
    Outline: TeamOutline,
  },
  '/team/invitations': {
    title: 'invitations',
    load: () => import('./pages/team.tsx').then(({ Invitations }) => ({ Page: Invitations })),
    Outline: TeamOutline,
  },
  '/team/activity': {
    title: 'activity',
    load: () => import('./pages/team.tsx').then(({ ActivityPage }) => ({ Page: ActivityPage })),
    Outline: TeamOutline,
  },
  '/team/settings': {
    title: 'teamSettings',
    load: () => import('./pages/team.tsx').then(({ Settings }) => ({ Page: Settings })),
    Outline: TeamOutline,
  },
  '/files': { title: 'files', load: () => import('./pages/files.tsx'), Outline: FilesOutline },
  '/billing': {
    title: 'billing',
    load: () => import('./pages/billing.tsx'),
    Outline: BillingOutline,
  },
  '/billing/success': { title: 'thanks', load: () => import('./pages/billing-success.tsx') },
  '/admin': { title: 'operators', load: () => import('./pages/admin.tsx') },
  '/account': {
    title: 'account',
    load: () => import('./pages/account.tsx'),
    Outline: AccountOutline,
  },
};

const NOT_FOUND: Route = { title: 'notFound', load: () => import('./pages/not-found.tsx') };

/** The component of each route, by its path. */
export const PAGES: readonly (readonly [path: string, Page: FunctionComponent])[] = Object.entries(
  ROUTES,
).map(([path, route]) => [path, pageOf(path, route)]);

export const NotFound = pageOf('not found', NOT_FOUND);

/** False until the first page is shown. */
let hasShown = false;

function pageOf(key: string, route: Route): FunctionComponent {
  const { Outline } = route;
  return function RoutedPage() {
    const loading = Outline && { title: titleOf(route), outline: <Outline /> };
    return (
      <PageOutline.Provider value={loading}>
        <LoadedPage id={key} {...route} />
      </PageOutline.Provider>
    );
  };
}

/** The title of a page in the tab of the browser. */
function titleOf({ title }: Route): string {
  return title === undefined ? BRAND.name : `${uiTexts().titles[title]} · ${BRAND.name}`;
}

function LoadedPage({ id, ...route }: Route & { id: string }) {
  const module = useRequest(`page ${id}`, () => loadPart(route.load));
  const error: unknown = useErrorBoundary()[0];
  const isShown = module.state === 'ready';
  useEffect(() => {
    document.title = titleOf(route);
  }, []);
  useEffect(() => {
    if (!isShown) return;
    // After the first page, a screen reader says that another one is shown.
    if (hasShown) document.querySelector('main')?.focus({ preventScroll: true });
    hasShown = true;
  }, [isShown]);
  if (error !== undefined) return <Failure error={error} />;
  switch (module.state) {
    case 'loading':
      return <PageLoading />;
    case 'failed':
      return <Failure error={module.error} />;
    case 'ready':
      return <module.value.Page />;
  }
}
