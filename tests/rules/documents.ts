import { ADMINS, EVERYBODY, NOBODY, SIGNED_IN, TEAM, uidOf, type Actor } from './actors.ts';

const at = new Date('2026-01-01T00:00:00Z');

function member(actor: Actor, role: string) {
  return { uid: uidOf(actor), role, email: `${uidOf(actor)}@example.com`, displayName: null, joinedAt: at };
}

/** The documents before each test, by path. */
export const DOCUMENTS: Record<string, object> = {
  'users/member': { email: 'member@example.com', displayName: 'Member', photoURL: null, createdAt: at },
  'teams/acme': {
    name: 'Acme',
    ownerId: 'owner',
    seatLimit: 10,
    plan: 'business',
    entitlements: ['sso'],
    createdAt: at,
    transfer: { from: 'owner', to: 'member', coOwner: false, offeredAt: at, expiresAt: at },
  },
  'teams/acme/members/owner': member('owner', 'owner'),
  'teams/acme/members/admin': member('admin', 'admin'),
  'teams/acme/members/member': member('member', 'member'),
  'teams/other': { name: 'Other', ownerId: 'otherowner', seatLimit: 10, plan: 'free', createdAt: at },
  'teams/other/members/otherowner': member('other owner', 'owner'),
  'invitations/one': {
    teamId: 'acme',
    email: 'invitee@example.com',
    role: 'member',
    status: 'pending',
    invitedBy: 'owner',
    secretHash: 'a hash that gives nothing away',
  },
  'auditLog/ofOperator': { teamId: '', actorId: 'owner', action: 'admin.user_changed', target: 'member', at },
  'auditLog/one': { teamId: 'acme', actorId: 'owner', action: 'team.created', at },
  'products/pro': { name: 'Pro', active: true },
  'products/pro/prices/monthly': { unit_amount: 1200, currency: 'usd' },
  'content/free/items/one': { title: 'For everybody with an account' },
  'content/pro/items/one': { title: 'For subscribers' },
  'content/business/items/one': { title: 'For subscribers of more' },
  'content/gone/items/one': { title: 'For a plan that there is not' },
  'content/free/teams/other/items/one': { title: 'For all teams' },
  'content/pro/teams/other/items/one': { title: 'For teams that pay' },
  'content/pro/teams/acme/items/one': { title: 'For teams with the plan pro' },
  'content/business/teams/acme/items/one': { title: 'For teams with the plan business' },
  'entitled/export/items/one': { title: 'For users with the entitlement export' },
  'entitled/sso/items/one': { title: 'For users with the entitlement sso' },
  'entitled/sso/teams/acme/items/one': { title: 'For teams with the entitlement sso' },
  'entitled/sso/teams/other/items/one': { title: 'For another team with the entitlement sso' },
  'entitled/export/teams/acme/items/one': { title: 'For teams with the entitlement export' },
  'customers/member': { email: 'member@example.com', stripeId: 'cus_1' },
  'customers/member/subscriptions/one': { status: 'active', role: 'pro' },
  'customers/member/checkout_sessions/one': { price: 'price_1', url: 'https://checkout.stripe.com/1' },
  'customers/member/payments/one': { status: 'succeeded' },
  'customers/acme': { email: 'owner@example.com', stripeId: 'cus_2' },
  'customers/acme/subscriptions/one': { status: 'active', role: 'business' },
  'customers/acme/payments/one': { status: 'succeeded' },
  'customers/member/purchases/one': { status: 'paid', item: 'pro' },
  'customers/acme/purchases/one': { status: 'paid', item: 'hundred' },
  'credits/member': { balance: 5 },
  'credits/member/entries/one': { amount: 5 },
  'credits/acme': { balance: 5 },
  'credits/acme/entries/one': { amount: 5 },
  'stripeEvents/one': { type: 'invoice.paid' },
  'uploads/one': { ownerId: 'member', name: 'photo.png', status: 'stored' },
  'uploads/ofTeam': { ownerId: 'acme', name: 'photo.png', status: 'stored' },
  'usage/member': { bytes: 1 },
  'usage/acme': { bytes: 1 },
  // Its text has the secret of an invitation.
  'mail/one': { to: ['invitee@example.com'], message: { text: 'https://app.example.com/?invitationId=1.2' } },
  'mailRecipients/one': { token: '0', optedOutAt: null },
  'teamSlugs/acme': { teamId: 'acme' },
  'trials/member': { customerId: 'member', reservedAt: at },
  'keys/hashes': { key: 'secret', createdAt: at },
  'somethingNew/one': { any: 'thing' },
};

/** The readers of each document. Nobody may create, replace or delete any. */
export const READERS: Record<keyof typeof DOCUMENTS, readonly Actor[]> = {
  'users/member': ['member'],
  'teams/acme': TEAM,
  'teams/acme/members/owner': TEAM,
  'teams/acme/members/admin': TEAM,
  'teams/acme/members/member': TEAM,
  'teams/other': ['other owner'],
  'teams/other/members/otherowner': ['other owner'],
  'invitations/one': [...ADMINS, 'invitee'],
  'auditLog/one': ADMINS,
  'products/pro': EVERYBODY,
  'products/pro/prices/monthly': EVERYBODY,
  'content/free/items/one': SIGNED_IN,
  'content/pro/items/one': ['subscriber'],
  'content/business/items/one': NOBODY,
  'content/gone/items/one': NOBODY,
  'content/free/teams/other/items/one': ['other owner'],
  'content/pro/teams/other/items/one': NOBODY,
  'content/pro/teams/acme/items/one': TEAM,
  'content/business/teams/acme/items/one': TEAM,
  'entitled/export/items/one': ['subscriber'],
  'entitled/sso/items/one': NOBODY,
  'entitled/sso/teams/acme/items/one': TEAM,
  'entitled/sso/teams/other/items/one': NOBODY,
  'entitled/export/teams/acme/items/one': NOBODY,
  'customers/member': ['member'],
  'customers/member/subscriptions/one': ['member'],
  'customers/member/checkout_sessions/one': ['member'],
  'customers/member/payments/one': ['member'],
  'customers/acme': ADMINS,
  'customers/acme/payments/one': ADMINS,
  'customers/acme/subscriptions/one': ADMINS,
  'customers/member/purchases/one': ['member'],
  'customers/acme/purchases/one': ADMINS,
  'credits/member': ['member'],
  'credits/member/entries/one': ['member'],
  'credits/acme': TEAM,
  'credits/acme/entries/one': ADMINS,
  'stripeEvents/one': NOBODY,
  'uploads/one': ['member'],
  'uploads/ofTeam': TEAM,
  'usage/member': ['member'],
  'usage/acme': TEAM,
  'mail/one': NOBODY,
  'mailRecipients/one': NOBODY,
  'teamSlugs/acme': NOBODY,
  'trials/member': NOBODY,
  'keys/hashes': NOBODY,
  'somethingNew/one': NOBODY,
};

export interface QueryCase {
  name: string;
  collection: string;
  group?: boolean;
  /** Field and value; `uid` and `email` stand for the actor's own. */
  where?: readonly [field: string, value: string];
  allowed: readonly Actor[];
}

const VERIFIED = SIGNED_IN.filter((actor) => actor !== 'unverified');

/** A query is allowed if the rules allow every document that it could find, whatever exists. */
export const QUERIES: readonly QueryCase[] = [
  { name: 'all users', collection: 'users', allowed: NOBODY },
  { name: 'all teams', collection: 'teams', allowed: NOBODY },
  { name: 'the members of a team', collection: 'teams/acme/members', allowed: TEAM },
  { name: 'own memberships', collection: 'members', group: true, where: ['uid', 'uid'], allowed: SIGNED_IN },
  {
    name: "somebody's memberships",
    collection: 'members',
    group: true,
    where: ['uid', 'owner'],
    allowed: ['owner'],
  },
  { name: 'all memberships', collection: 'members', group: true, allowed: NOBODY },
  { name: 'own invitations', collection: 'invitations', where: ['email', 'email'], allowed: VERIFIED },
  {
    name: "somebody's invitations",
    collection: 'invitations',
    where: ['email', 'invitee@example.com'],
    allowed: ['invitee'],
  },
  { name: "a team's invitations", collection: 'invitations', where: ['teamId', 'acme'], allowed: ADMINS },
  { name: 'pending invitations', collection: 'invitations', where: ['status', 'pending'], allowed: NOBODY },
  { name: 'all invitations', collection: 'invitations', allowed: NOBODY },
  { name: "a team's audit log", collection: 'auditLog', where: ['teamId', 'acme'], allowed: ADMINS },
  { name: 'the whole audit log', collection: 'auditLog', allowed: NOBODY },
  { name: 'the products', collection: 'products', allowed: EVERYBODY },
  { name: "a product's prices", collection: 'products/pro/prices', allowed: EVERYBODY },
  { name: 'all customers', collection: 'customers', allowed: NOBODY },
  { name: "a user's subscriptions", collection: 'customers/member/subscriptions', allowed: ['member'] },
  { name: "a team's subscriptions", collection: 'customers/acme/subscriptions', allowed: ADMINS },
  { name: "a user's payments", collection: 'customers/member/payments', allowed: ['member'] },
  { name: "a team's payments", collection: 'customers/acme/payments', allowed: ADMINS },
  { name: 'own uploads', collection: 'uploads', where: ['ownerId', 'uid'], allowed: SIGNED_IN },
  { name: "a team's uploads", collection: 'uploads', where: ['ownerId', 'acme'], allowed: TEAM },
  { name: 'all uploads', collection: 'uploads', allowed: NOBODY },
  { name: 'the mail', collection: 'mail', allowed: NOBODY },
  { name: 'the mailboxes', collection: 'mailRecipients', allowed: NOBODY },
];
