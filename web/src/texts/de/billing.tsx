import type { BILLING as English } from '../en/billing.tsx';

export const BILLING: typeof English = {};
