import { readAll, readOne, type ExportParts } from '../personal-data/export-parts.ts';
import { membershipsOfLegacy, teamIdOf, teamRef } from '../teams/legacy.ts';
import { profileRef } from './profile.store.ts';
import { sessionsOf } from './session.store.ts';

export const ACCOUNT_EXPORT: ExportParts = {
  profile: { one: (firestore, { uid }) => readOne(profileRef(firestore, uid)) },
  // Their ids are hashes of cookies.
  sessions: { many: (firestore, { uid }) => readAll(sessionsOf(firestore, uid), (session) => session) },
  memberships: {
    many: (firestore, { uid }) =>
      readAll(membershipsOfLegacy(firestore, uid), async (member, { ref }) => {
        const teamId = teamIdOf(ref);
        const team = (await teamRef(firestore, teamId).get()).data();
        return { teamId, teamName: team?.name ?? null, ...member };
      }),
  },
};
