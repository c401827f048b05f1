import type { TEAM as English } from '../en/team.tsx';

export const TEAM: typeof English = {};
