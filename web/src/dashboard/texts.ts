import { DASHBOARD } from '../texts/en/dashboard.tsx';
import { textsOf } from '../texts/language.ts';

export const dashboardTexts = textsOf('dashboard', DASHBOARD);
