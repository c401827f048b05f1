import type { Mutation } from './mutation.ts';

const TEAMS = 'functions/src/teams';
const INVITATIONS = 'functions/src/invitations';

export const TEAM_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A stranger learns nothing about a team',
    file: `${TEAMS}/authorize.ts`,
    from: 'member === undefined || ',
    to: '',
    tests: ['tests/teams-roles.test.ts'],
  },
  {
    guard: 'A team that is being deleted is gone for its members',
    file: `${TEAMS}/authorize.ts`,
    from: " || (isBeingDeleted(team) && action !== 'team:delete')",
    to: '',
    tests: ['tests/teams-manage.test.ts', 'tests/teams-sweep.test.ts', 'tests/teams-members.test.ts'],
  },
  {
    guard: 'A role allows only its own actions',
    file: `${TEAMS}/authorize.ts`,
    from: "if (!can(member.role, action)) throw forbidden('Your role in the team does not allow this.');",
    to: '',
    tests: ['tests/teams-roles.test.ts'],
  },
  {
    guard: 'An admin does not touch an owner',
    file: `${TEAMS}/roles.ts`,
    from: 'ROLES.indexOf(role) <= ROLES.indexOf(handled)',
    to: 'ROLES.indexOf(role) <= ROLES.indexOf(handled) + 1',
    tests: ['tests/teams-members.test.ts', 'tests/teams-roles.test.ts'],
  },
  {
    guard: 'Nobody gives a role above their own',
    file: `${TEAMS}/member.service.ts`,
    from: '    assertCanHandle(actor.member, role);\n',
    to: '',
    tests: ['tests/teams-members.test.ts', 'tests/teams-roles.test.ts'],
  },
  {
    guard: 'A team keeps an owner when a role changes',
    file: `${TEAMS}/member.service.ts`,
    from: "if (target.role === 'owner') await resign(change);\n    transaction.update",
    to: 'transaction.update',
    tests: ['tests/teams-members.test.ts'],
  },
  {
    guard: 'A user owns no more teams than the limit',
    file: `${TEAMS}/team.service.ts`,
    from: 'if (owned.data().count >= config.teamLimit) {',
    to: 'if (owned.data().count > config.teamLimit) {',
    tests: ['tests/teams.test.ts', 'tests/teams-manage.test.ts'],
  },
  {
    guard: 'Two teams never share a slug',
    file: `${TEAMS}/team.service.ts`,
    from: 'if (!(await isSlugTaken(transaction, firestore, slug))) return slug;',
    to: 'return slug;',
    tests: ['tests/teams.test.ts', 'tests/teams-manage.test.ts'],
  },
  {
    guard: 'A team with a running subscription is not deleted',
    file: `${TEAMS}/delete.service.ts`,
    from: 'if (team.subscribed === true) {',
    to: 'if (team.name === undefined) {',
    tests: ['tests/billing-team.test.ts', 'tests/billing-cancel.test.ts', 'tests/teams-manage.test.ts'],
  },
  {
    guard: 'The owners of a team go last, so that they can ask for the deletion again',
    file: `${TEAMS}/delete.service.ts`,
    from: ".where('role', 'in', ['admin', 'member'])",
    to: '',
    tests: ['tests/teams-manage.test.ts', 'tests/teams-sweep.test.ts', 'tests/teams-members.test.ts'],
  },
  {
    guard: 'An invitation is closed when it is answered',
    file: `${INVITATIONS}/respond.service.ts`,
    from: 'closeInvitation(transaction, firestore, id, status, now);',
    to: '',
    tests: ['tests/invitations.test.ts', 'tests/invitations-answer.test.ts'],
  },
  {
    guard: 'Nobody joins a team that is being deleted',
    file: `${INVITATIONS}/respond.service.ts`,
    from: 'if (team === undefined || isBeingDeleted(team)) {',
    to: 'if (team === undefined) {',
    tests: ['tests/invitations.test.ts', 'tests/teams-manage.test.ts', 'tests/invitations-answer.test.ts'],
  },
  {
    guard: 'Accepting needs a seat',
    file: `${INVITATIONS}/respond.service.ts`,
    from: 'await assertSeatFor(transaction, firestore, caller.uid, invitation, team, now);',
    to: '',
    tests: ['tests/invitations.test.ts', 'tests/teams.test.ts'],
  },
  {
    guard: 'A member who joins is billed',
    file: `${INVITATIONS}/respond.service.ts`,
    from: 'if (joined) await billSeats(services, teamId, joined);',
    to: '',
    tests: ['tests/billing-team.test.ts'],
  },
];
