import type { HOME as English } from '../en/home.tsx';

export const HOME: typeof English = {};
