import type { ERRORS as English } from '../en/errors.tsx';

export const ERRORS: typeof English = {};
