import { ACCOUNT } from '../texts/en/account.tsx';
import { textsOf } from '../texts/language.ts';

export const accountTexts = textsOf('account', ACCOUNT);
