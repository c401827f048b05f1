import { describe, expect, test } from 'vitest';
import type { Invitation, InvitationStatus } from '../firestore/documents/invitation.ts';
import { Refusal } from '../refusals/refusals.ts';
import {
  hashOfSecret,
  hasSecret,
  requireOpenInvitationTo,
  invitationLinkSchema,
  isExpired,
  isOpen,
  listedStatusOf,
  newInvitationId,
  newSecret,
} from './invitation.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

const invitation = (status: InvitationStatus, expiresAt = after(1)): Invitation => ({
  teamId: 't',
  teamName: 'Team',
  email: 'ada@example.com',
  role: 'member',
  status,
  invitedBy: 'u',
  createdAt: after(-1000),
  expiresAt,
  respondedAt: null,
  deleteAt: after(2000),
});

const recipient = { email: 'ada@example.com', emailVerified: true };

function outcome(
  caller: Parameters<typeof requireOpenInvitationTo>[0]['caller'],
  subject: Invitation | undefined,
): string {
  try {
    requireOpenInvitationTo({ caller }, subject, NOW);
    return 'open';
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.code}`;
    throw error;
  }
}

const STATES: [InvitationStatus, open: string, expired: string][] = [
  ['pending', 'open', '410 invitation_expired'],
  ['accepted', '409 already_accepted', '409 already_accepted'],
  ['rejected', '409 already_rejected', '409 already_rejected'],
  ['cancelled', '410 invitation_cancelled', '410 invitation_cancelled'],
];

describe.each(STATES)('an invitation that is %s', (status, open, expired) => {
  test(`is ${open} for its recipient before its expiry, and ${expired} after it`, () => {
    expect(outcome(recipient, invitation(status))).toBe(open);
    expect(outcome(recipient, invitation(status, after(-1)))).toBe(expired);
  });

  test.each([
    ['another person', { email: 'eve@example.com', emailVerified: true }, '403 not_recipient'],
    ['a person without an address', { email: undefined, emailVerified: true }, '403 not_recipient'],
    ['another person, unverified', { email: 'eve@example.com', emailVerified: false }, '403 not_recipient'],
    ['the recipient, unverified', { ...recipient, emailVerified: false }, '403 email_unverified'],
  ])('does not show its status to %s', (_who, caller, refusal) => {
    expect(outcome(caller, invitation(status))).toBe(refusal);
    expect(outcome(caller, invitation(status, after(-1)))).toBe(refusal);
  });
});

test('compares addresses without their case, but with their spelling', () => {
  expect(outcome({ ...recipient, email: 'ADA@Example.com' }, invitation('pending'))).toBe('open');
  for (const email of ['ada+1@example.com', ' ada@example.com', 'ada@example.com.', 'аda@example.com']) {
    expect(outcome({ ...recipient, email }, invitation('pending'))).toBe('403 not_recipient');
  }
});

test('an unknown invitation is 404', () => {
  expect(outcome(recipient, undefined)).toBe('404 invitation_not_found');
});

test('an invitation expires at the millisecond of its expiry', () => {
  expect(isExpired({ expiresAt: after(1) }, NOW)).toBe(false);
  expect(isExpired({ expiresAt: after(0) }, NOW)).toBe(true);
});

test.each<[InvitationStatus, listed: string, listedLater: string, open: boolean]>([
  ['pending', 'pending', 'expired', true],
  ['accepted', 'accepted', 'accepted', false],
  ['rejected', 'rejected', 'rejected', false],
  ['cancelled', 'cancelled', 'cancelled', false],
])('the stored status %s is listed as %s, after the expiry as %s', (status, listed, listedLater, open) => {
  expect(listedStatusOf(invitation(status), NOW)).toBe(listed);
  expect(listedStatusOf(invitation(status, after(0)), NOW)).toBe(listedLater);
  expect(isOpen(invitation(status), NOW)).toBe(open);
  expect(isOpen(invitation(status, after(0)), NOW)).toBe(false);
});

describe('ids', () => {
  test('are 160 random bits in a valid link', () => {
    const ids = Array.from({ length: 100 }, newInvitationId);
    for (const id of ids) expect(invitationLinkSchema.parse(id)).toEqual({ id, secret: undefined });
    expect(new Set(ids).size).toBe(ids.length);
  });

  const id = 'a'.repeat(40);

  test('precede the secret in mailed links', () => {
    const secret = newSecret();
    expect(invitationLinkSchema.parse(`${id}.${secret}`)).toEqual({ id, secret });
  });

  test.each([
    undefined,
    '',
    id.slice(1),
    `${id}a`,
    id.toUpperCase(),
    `${id}\n`,
    `../${id.slice(3)}`,
    'g'.repeat(40),
    `${id}.`,
    `${id}.${id}.${id}`,
    `${id}.${id.slice(1)}`,
    `${id} ${id}`,
    [id],
    40,
  ])('%j is refused', (value) => {
    expect(invitationLinkSchema.safeParse(value).success).toBe(false);
  });
});

describe('secrets', () => {
  test('are 160 random bits', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  test('are recognized by their hash', () => {
    const secret = newSecret();
    const secretHash = hashOfSecret(secret);
    expect(secretHash).not.toContain(secret);
    expect(hasSecret({ secretHash }, secret)).toBe(true);
    for (const other of [undefined, '', newSecret(), secretHash, secret.toUpperCase()]) {
      expect(hasSecret({ secretHash }, other)).toBe(false);
    }
  });

  test('do not match an invitation without a hash', () => {
    for (const secretHash of [undefined, null, 7, '', 'short'] as string[]) {
      expect(hasSecret({ secretHash }, newSecret())).toBe(false);
    }
  });
});
