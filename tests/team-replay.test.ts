import { expect, test } from 'vitest';
import { replay } from './support/team-replay.ts';
import type { AuditEntry } from './support/teams.ts';

function entry(actorId: string, action: string, target: string, details = {}): AuditEntry {
  return { teamId: 'acme', actorId, action, target, details };
}

/** An owner invites Ada as an admin. Ada accepts and invites somebody. */
const HISTORY = [
  entry('owner', 'team.created', 'acme'),
  entry('owner', 'invitation.created', 'to-ada', { role: 'admin' }),
  entry('ada', 'invitation.accepted', 'to-ada', { role: 'admin' }),
  entry('ada', 'invitation.created', 'by-ada', { role: 'member' }),
];
const DELETION = entry('owner', 'team.deletion_started', 'acme');
const ADA_LEAVES = entry('ada', 'member.left', 'ada', { role: 'admin' });

const replayOf = (...later: readonly AuditEntry[]) => replay([...HISTORY, ...later].map((one) => [one]));

test('a replay fails if somebody leaves a team and their invitation stays open', () => {
  expect(() => replayOf(ADA_LEAVES)).toThrow(
    expect.objectContaining({ cause: new Error('ada may not send by-ada') }),
  );
});

test('a replay allows an admin to leave a team whose deletion has removed the invitations of the admin', () => {
  const { exists, members } = replayOf(DELETION, ADA_LEAVES, entry('owner', 'team.deleted', 'acme'));
  expect({ exists, members }).toEqual({ exists: false, members: new Map() });
});

test('a replay fails if somebody joins a team that is being deleted', () => {
  const accepted = entry('bob', 'invitation.accepted', 'by-ada', { role: 'member' });
  expect(() => replayOf(DELETION, accepted)).toThrow(
    expect.objectContaining({ cause: new Error('the team is being deleted') }),
  );
});
