import { UI } from '../texts/en/ui.tsx';
import { textsOf } from '../texts/language.ts';

export const uiTexts = textsOf('ui', UI);
