import type { DASHBOARD as English } from '../en/dashboard.tsx';

export const DASHBOARD: typeof English = {};
