import type { FunctionComponent } from 'preact';

/** A page; it is loaded when it is opened. */
export interface PageModule {
  Page: FunctionComponent;
}

interface Route {
  title: string;
  load: () => Promise<PageModule>;
}

/** Each path has a rewrite to index.html in firebase.json, so that an unknown one is a true 404. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { title: 'Hearth', load: () => import('./pages/home.tsx') },
  '/auth/sign-in': { title: 'Sign in · Hearth', load: () => import('./pages/sign-in.tsx') },
  '/auth/action': { title: 'Your account · Hearth', load: () => import('./pages/action.tsx') },
  '/dashboard': { title: 'Dashboard · Hearth', load: () => import('./pages/dashboard.tsx') },
  '/files': { title: 'Files · Hearth', load: () => import('./pages/files.tsx') },
  '/billing': { title: 'Billing · Hearth', load: () => import('./pages/billing.tsx') },
  '/billing/success': { title: 'Thank you · Hearth', load: () => import('./pages/billing-success.tsx') },
  '/account': { title: 'Account · Hearth', load: () => import('./pages/account.tsx') },
};
