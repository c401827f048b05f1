import { FILES } from '../texts/en/files.tsx';
import { textsOf } from '../texts/language.ts';

export const filesTexts = textsOf('files', FILES);
