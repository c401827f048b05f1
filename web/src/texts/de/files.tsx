import type { FILES as English } from '../en/files.tsx';

export const FILES: typeof English = {};
