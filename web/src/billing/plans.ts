import plansJson from '../../../functions/plans.json' with { type: 'json' };
import type { Plan } from '../../../functions/src/plans.ts';

export type { Plan };
export const loadPlans = (): Promise<Plan[]> => Promise.resolve(plansJson as Plan[]);
