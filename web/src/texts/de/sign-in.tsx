import type { SIGN_IN as English } from '../en/sign-in.tsx';

export const SIGN_IN: typeof English = {};
