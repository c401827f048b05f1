import type { Extras, Plan } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { useRequest, valueOf, type Live } from '../backend/source.ts';

/** Everything that is sold besides the plans. Undefined until it is known, and if it cannot be read. */
export function useExtras(): Extras | undefined {
  return valueOf(useRequest('extras', (signal) => hearth.billing.extras({ signal })));
}

/** The plans, from least to most. */
export function usePlans(): Live<Plan[]> {
  return useRequest('plans', (signal) => hearth.billing.plans({ signal }));
}
