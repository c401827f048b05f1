import { exportAll, type ExportParts } from '../personal-data/export-parts.ts';
import { membershipsOf } from '../teams/members/member.store.ts';

export const ACCOUNT_EXPORT: ExportParts = {
  profile: { one: async (db, { uid }) => (await db.users.get(uid)) ?? null },
  /** Without the ids, which are hashes of cookies. */
  sessions: { many: (db, { uid }) => exportAll(db.sessions(uid), ({ data }) => data) },
  memberships: {
    many: (db, { uid }) =>
      exportAll(membershipsOf(db, uid), async ({ parentId: teamId, data }) => {
        const team = await db.teams.get(teamId);
        return { teamId, teamName: team?.name ?? null, ...data };
      }),
  },
};
