import { ADMIN } from '../texts/en/admin.tsx';
import { textsOf } from '../texts/language.ts';

export const adminTexts = textsOf('admin', ADMIN);
