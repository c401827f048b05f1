import { TEAM } from '../texts/en/team.tsx';
import { textsOf } from '../texts/language.ts';

export const teamTexts = textsOf('team', TEAM);
