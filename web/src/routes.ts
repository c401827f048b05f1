/** A page fills `main`; it is loaded when it is opened. */
export interface Page {
  render: (main: HTMLElement) => Promise<void> | void;
}

interface Route {
  title: string;
  load: () => Promise<Page>;
}

/** Each path has a rewrite to index.html in firebase.json, so that an unknown one is a true 404. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { title: 'Hearth', load: () => import('./pages/home.ts') },
  '/auth/sign-in': { title: 'Sign in · Hearth', load: () => import('./pages/sign-in.ts') },
  '/dashboard': { title: 'Dashboard · Hearth', load: () => import('./pages/dashboard.ts') },
  '/billing': { title: 'Billing · Hearth', load: () => import('./pages/billing.ts') },
  '/billing/success': { title: 'Thank you · Hearth', load: () => import('./pages/billing-success.ts') },
};
