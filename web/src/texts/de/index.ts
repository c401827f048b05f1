import type { Texts } from '../en/index.ts';
import { ACCOUNT } from './account.tsx';
import { ACTIVITY } from './activity.tsx';
import { ADMIN } from './admin.tsx';
import { BILLING } from './billing.tsx';
import { DASHBOARD } from './dashboard.tsx';
import { ERRORS } from './errors.tsx';
import { FILES } from './files.tsx';
import { HOME } from './home.tsx';
import { LOCAL } from './local.tsx';
import { SIGN_IN } from './sign-in.tsx';
import { TEAM } from './team.tsx';
import { UI } from './ui.tsx';

/** German. */
export const TEXTS: Texts = {
  account: ACCOUNT,
  activity: ACTIVITY,
  admin: ADMIN,
  billing: BILLING,
  dashboard: DASHBOARD,
  errors: ERRORS,
  files: FILES,
  home: HOME,
  local: LOCAL,
  signIn: SIGN_IN,
  team: TEAM,
  ui: UI,
};
