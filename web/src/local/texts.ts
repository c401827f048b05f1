import { LOCAL } from '../texts/en/local.tsx';
import { textsOf } from '../texts/language.ts';

export const localTexts = textsOf('local', LOCAL);
