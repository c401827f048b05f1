import { expect, test } from 'vitest';
import { Refusal } from '../../refusals/refusals.ts';
import { decide, type Candidate } from './candidate.store.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const LATER = new Date('2026-05-02T12:00:00Z');
const EARLIER = new Date('2026-04-30T12:00:00Z');

const REQUEST: Candidate = {
  email: 'ada@example.com',
  role: 'admin',
  isRepeated: false,
  isMember: false,
  pending: undefined,
  pendingMatchesRequest: false,
};

const pending = (role: Candidate['role'], expiresAt = LATER) => ({
  id: 'p',
  teamId: 't',
  teamName: 'Team',
  email: 'ada@example.com',
  role,
  status: 'pending' as const,
  invitedBy: 'u',
  createdAt: EARLIER,
  expiresAt,
  respondedAt: null,
  deleteAt: LATER,
});

const sameRole = { pending: pending('admin'), pendingMatchesRequest: true };
const endedSender = { pending: pending('admin'), pendingMatchesRequest: false };
const forOwner = { pending: pending('owner') };
const expired = { pending: pending('admin', EARLIER), pendingMatchesRequest: true };
const expiredForOwner = { pending: pending('owner', EARLIER) };

test.each<[string, Partial<Candidate>, free: number, decision: string]>([
  ['a new address', {}, 1, 'new'],
  ['a new address without a free seat', {}, 0, 'no_seat'],
  ['a repeated address', { isRepeated: true }, 1, 'duplicate_email'],
  ['a role above that of the sender', { role: 'owner' }, 1, 'forbidden'],
  ['a member', { isMember: true }, 1, 'already_member'],
  ['an open invitation with the same role', sameRole, 0, 'p'],
  ['an open invitation whose sender can no longer invite', endedSender, 0, 'new'],
  ['an open invitation with another role', { pending: pending('member') }, 0, 'new'],
  ['an open invitation with another role, above the limit', { pending: pending('member') }, -1, 'no_seat'],
  ['an open invitation above the role of the sender', forOwner, 1, 'forbidden'],
  ['an expired invitation', expired, 1, 'new'],
  ['an expired invitation without a free seat', expired, 0, 'no_seat'],
  ['an expired invitation above the role of the sender', expiredForOwner, 1, 'new'],
])('an admin who invites %s', (_case, change, free, expected) => {
  const decision = decide({ ...REQUEST, ...change }, 'admin', free, NOW);
  const result = decision instanceof Refusal ? decision.code : decision === 'new' ? 'new' : decision.id;
  expect(result).toBe(expected);
});
