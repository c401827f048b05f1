import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
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

/** A page; it is loaded when it is opened. */
interface PageModule {
  Page: FunctionComponent;
}

interface Route {
  title: string;
  load: () => Promise<PageModule>;
  /** Shown while the page is loading. */
  Outline?: FunctionComponent;
}

/** Each path has a rewrite to index.html in firebase.json, so that an unknown one is a true 404. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { title: 'Hearth', load: () => import('./pages/home.tsx') },
  '/auth/sign-in': { title: 'Sign in · Hearth', load: () => import('./pages/sign-in.tsx') },
  '/auth/action': { title: 'Your account · Hearth', load: () => import('./pages/action.tsx') },
  '/dashboard': {
    title: 'Dashboard · Hearth',
    load: () => import('./pages/dashboard.tsx'),
    Outline: DashboardOutline,
  },
  '/team/members': {
    title: 'Members · Hearth',
    load: () => import('./pages/team.tsx').then(({ Members }) => ({ Page: Members })),
    Outline: TeamOutline,
  },
  '/team/invitations': {
    title: 'Invitations · Hearth',
    load: () => import('./pages/team.tsx').then(({ Invitations }) => ({ Page: Invitations })),
    Outline: TeamOutline,
  },
  '/team/activity': {
    title: 'Activity · Hearth',
    load: () => import('./pages/team.tsx').then(({ ActivityPage }) => ({ Page: ActivityPage })),
    Outline: TeamOutline,
  },
  '/team/settings': {
    title: 'Team settings · Hearth',
    load: () => import('./pages/team.tsx').then(({ Settings }) => ({ Page: Settings })),
    Outline: TeamOutline,
  },
  '/files': { title: 'Files · Hearth', load: () => import('./pages/files.tsx'), Outline: FilesOutline },
  '/billing': {
    title: 'Billing · Hearth',
    load: () => import('./pages/billing.tsx'),
    Outline: BillingOutline,
  },
  '/billing/success': { title: 'Thank you · Hearth', load: () => import('./pages/billing-success.tsx') },
  '/admin': { title: 'Operators · Hearth', load: () => import('./pages/admin.tsx') },
  '/account': {
    title: 'Account · Hearth',
    load: () => import('./pages/account.tsx'),
    Outline: AccountOutline,
  },
};

const NOT_FOUND: Route = { title: 'Page not found · Hearth', load: () => import('./pages/not-found.tsx') };

/** The component of each route, by its path. */
export const PAGES: readonly (readonly [path: string, Page: FunctionComponent])[] = Object.entries(
  ROUTES,
).map(([path, route]) => [path, pageOf(path, route)]);

export const NotFound = pageOf('not found', NOT_FOUND);

/** False until the first page is shown. */
let hasShown = false;

function pageOf(key: string, route: Route): FunctionComponent {
  const { title, Outline } = route;
  const loading = Outline && { title, outline: <Outline /> };
  return function RoutedPage() {
    return (
      <PageOutline.Provider value={loading}>
        <LoadedPage id={key} {...route} />
      </PageOutline.Provider>
    );
  };
}

function LoadedPage({ id, title, load }: Route & { id: string }) {
  const module = useRequest(`page ${id}`, load);
  const error: unknown = useErrorBoundary()[0];
  const isShown = module.state === 'ready';
  useEffect(() => {
    document.title = title;
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
