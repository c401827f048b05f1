import type { AuditEntry } from '@hearth/shared/documents/audit-entry';
import type { Invitation } from '@hearth/shared/documents/invitation';
import type { Member } from '@hearth/shared/documents/member';
import type { Team } from '@hearth/shared/documents/team';
import type { Upload } from '@hearth/shared/documents/upload';
import type { Profile } from '@hearth/shared/documents/user';
import { creditSamples } from '@hearth/shared/testing/credit-samples';
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { profileSchema } from '../account/profile.ts';
import { balanceSchema, purchaseSchema } from '../billing/purchases.ts';
import { subscriptionSchema } from '../billing/subscription.ts';
import { fileSchema } from '../files/queries.ts';
import {
  auditSchema,
  invitationSchema,
  isMembership,
  memberSchema,
  membershipSchema,
  teamSchema,
} from '../team/documents.ts';
import { fieldsOf } from './stored.ts';

/** Whole documents, as the backend writes them. */

const AT = new Date('2030-02-01T00:00:00Z');

const member: Member = { uid: 'u', role: 'admin', email: 'ada@example.com', displayName: null, joinedAt: AT };

const team: Team = {
  name: 'Acme',
  slug: 'acme',
  ownerId: 'u',
  seatLimit: 3,
  plan: 'free',
  createdAt: AT,
  transfer: { from: 'u', to: 'v', coOwner: true, offeredAt: AT, expiresAt: AT },
};

const invitation: Invitation = {
  teamId: 't',
  teamName: 'Acme',
  email: 'bob@example.com',
  role: 'member',
  status: 'pending',
  invitedBy: 'u',
  createdAt: AT,
  expiresAt: AT,
  respondedAt: null,
  deleteAt: AT,
};

const entry: AuditEntry = {
  teamId: 't',
  actorId: 'u',
  action: 'team.created',
  target: 't',
  at: AT,
  details: { name: 'Acme', from: null },
};

const upload: Upload = {
  ownerId: 'u',
  createdBy: null,
  name: 'a.png',
  contentType: 'image/png',
  size: 1,
  path: 'uploads/u/a.png',
  generation: null,
  md5Hash: null,
  source: 'api',
  visibility: 'public',
  status: 'stored',
  reason: null,
  url: 'https://example.com/a.png',
  dimensions: null,
  variants: [],
  possibleVariants: [],
  createdAt: AT,
  deleteAt: null,
};

const profile: Profile = {
  email: null,
  displayName: 'Ada',
  photoURL: null,
  createdAt: AT,
  activeTeamId: 't',
};

/** As the Stripe extension writes it. */
const subscription = {
  status: 'active',
  role: 'pro',
  cancel_at_period_end: false,
  current_period_end: AT,
};

/** Firestore gives Timestamps. */
function stored(value: unknown): unknown {
  if (value instanceof Date) return { toDate: () => value };
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stored(inner)]));
}

const read = (schema: z.ZodMiniType, document: object) =>
  schema.safeParse({ ...fieldsOf(stored(document) as object), id: 'i', parentId: 'p' });

it('reads the balance and a purchase', () => {
  const { credits, purchases } = creditSamples(AT);
  expect(balanceSchema.parse(credits.document)).toBe(5);
  expect(purchaseSchema.parse(purchases.document)).toMatchObject({
    item: 'pack',
    isPaid: true,
    isPlan: false,
  });
});

it.each<[string, z.ZodMiniType, object, object]>([
  ['team', teamSchema, team, { id: 'i', transfer: { coOwner: true, expiresAt: AT } }],
  ['member', memberSchema, member, { uid: 'u', displayName: null, joinedAt: AT }],
  ['membership', membershipSchema, member, { teamId: 'p', role: 'admin' }],
  ['invitation', invitationSchema, invitation, { id: 'i', expiresAt: AT }],
  ['audit log entry', auditSchema, entry, { id: 'i', at: AT, details: { name: 'Acme', from: null } }],
  ['upload', fileSchema, upload, { id: 'i', createdBy: null, createdAt: AT }],
  ['profile', profileSchema, profile, { activeTeamId: 't' }],
  ['subscription', subscriptionSchema, subscription, { id: 'i', isEnding: false, end: AT }],
])('reads a document of the backend: %s', (_name, schema, document, expected) => {
  const result = read(schema, document);
  expect(result.error).toBeUndefined();
  expect(result.data).toMatchObject(expected);
});

it.each<[string, z.ZodMiniType, object]>([
  ['a team without a name', teamSchema, { ...team, name: undefined }],
  ['a member with an unknown role', memberSchema, { ...member, role: 'king' }],
  ['a time that is text', memberSchema, { ...member, joinedAt: 'yesterday' }],
  ['an entry without an actor', auditSchema, { ...entry, actorId: undefined }],
  ['a file whose size is text', fileSchema, { ...upload, size: '1' }],
])('refuses %s', (_name, schema, document) => {
  expect(read(schema, document).success).toBe(false);
});

it('finds memberships in teams alone, because an app may have another collection with this name', () => {
  expect(isMembership('teams/t/members/u')).toBe(true);
  for (const path of ['projects/t/members/u', 'a/b/teams/t/members/u', 'teams/t/a/b/members/u']) {
    expect(isMembership(path), path).toBe(false);
  }
});

it('reads documents that an older version wrote', () => {
  const { transfer, ...older } = team;
  expect(transfer).toBeDefined();
  expect(teamSchema.parse({ ...older, id: 't' }).transfer).toBeUndefined();
  expect(teamSchema.parse({ ...team, subscribed: true, id: 't' }).hasRunningSubscription).toBe(true);
  expect(subscriptionSchema.parse({ id: 's', status: 'active' })).toMatchObject({ role: null });
});

it('reads a document with a reference, which leads to the whole SDK', () => {
  class Reference {
    readonly firestore = { self: this };
  }
  const document = fieldsOf({
    ...(stored(subscription) as object),
    price: new Reference(),
    prices: [new Reference()],
  });
  expect(subscriptionSchema.safeParse({ ...document, id: 's' }).error).toBeUndefined();
});
