import type { ACCOUNT as English } from '../en/account.tsx';

export const ACCOUNT: typeof English = {};
