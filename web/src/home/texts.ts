import { HOME } from '../texts/en/home.tsx';
import { textsOf } from '../texts/language.ts';

export const homeTexts = textsOf('home', HOME);
