import { SIGN_IN } from '../texts/en/sign-in.tsx';
import { textsOf } from '../texts/language.ts';

export const signInTexts = textsOf('signIn', SIGN_IN);
