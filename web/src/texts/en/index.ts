import type { ACCOUNT } from './account.tsx';
import type { ACTIVITY } from './activity.tsx';
import type { ADMIN } from './admin.tsx';
import type { BILLING } from './billing.tsx';
import type { DASHBOARD } from './dashboard.tsx';
import type { ERRORS } from './errors.tsx';
import type { FILES } from './files.tsx';
import type { HOME } from './home.tsx';
import type { LOCAL } from './local.tsx';
import type { SIGN_IN } from './sign-in.tsx';
import type { TEAM } from './team.tsx';
import type { UI } from './ui.tsx';

/** The texts of the pages, by room. The English texts declare them. */
export interface Texts {
  account: typeof ACCOUNT;
  activity: typeof ACTIVITY;
  admin: typeof ADMIN;
  billing: typeof BILLING;
  dashboard: typeof DASHBOARD;
  errors: typeof ERRORS;
  files: typeof FILES;
  home: typeof HOME;
  local: typeof LOCAL;
  signIn: typeof SIGN_IN;
  team: typeof TEAM;
  ui: typeof UI;
}
