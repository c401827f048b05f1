import type { PlanList } from '../plans.ts';
import type { Caller } from '../http/caller.ts';
import type { Services } from '../services.ts';
import { createTeam } from './team.store.ts';

export interface TeamView {
  id: string;
  name: string;
  role: 'owner';
}

/** Makes a team with the caller as its owner and first member. */
export async function startTeam(
  services: Services,
  plans: PlanList,
  caller: Caller,
  name: string,
): Promise<TeamView> {
  const [free] = plans;
  const now = services.now();
  const id = await createTeam(
    await services.firestore(),
    { name, ownerId: caller.uid, seatLimit: free.limits.seats, plan: free.slug, createdAt: now },
    {
      uid: caller.uid,
      role: 'owner',
      email: caller.email ?? null,
      displayName: caller.displayName ?? null,
      joinedAt: now,
    },
  );
  return { id, name, role: 'owner' };
}
