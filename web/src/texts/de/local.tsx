import type { LOCAL as English } from '../en/local.tsx';

export const LOCAL: typeof English = {};
