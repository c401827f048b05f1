import type { ADMIN as English } from '../en/admin.tsx';

export const ADMIN: typeof English = {};
