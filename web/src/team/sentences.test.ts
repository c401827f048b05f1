import { expect, it } from 'vitest';
import { formatDate } from '../format.ts';
import { ACTIVITY as GERMAN } from '../texts/de/activity.tsx';
import { sentenceOf } from './sentences.ts';

const UNTIL = '2026-12-24T12:00:00.000Z';

const MEMBERS = [
  { uid: 'ann', displayName: 'Ann', email: 'ann@example.com' },
  { uid: 'bob', displayName: null, email: 'bob@example.com' },
];
const invited = { email: 'new@example.com', role: 'member' };

it.each([
  ['team.created', 'ann', 't', {}, 'You created the team'],
  ['team.updated', 'bob', 't', { name: 'Acme' }, 'bob@example.com renamed the team to Acme'],
  ['team.updated', 'bob', 't', { slug: 'acme' }, 'bob@example.com changed the team’s short name to acme'],
  ['team.transferred', 'bob', 'ann', {}, 'bob@example.com handed the team over to you'],
  ['team.transferred', 'bob', 'bob', { offeredBy: 'ann' }, 'bob@example.com took over the team'],
  ['team.transfer_offered', 'bob', 'ann', {}, 'bob@example.com offered the team to you'],
  [
    'team.transfer_offered',
    'ann',
    'bob',
    { coOwner: 'true' },
    'You offered bob@example.com to become an owner',
  ],
  ['team.transfer_declined', 'ann', 'ann', {}, 'You declined the offer of the team'],
  ['team.transfer_withdrawn', 'ann', 'bob', {}, 'You withdrew the offer of the team to bob@example.com'],
  [
    'team.transfer_withdrawn',
    'ann',
    'bob',
    { reason: 'party_lost_rights' },
    'The offer of the team to bob@example.com ended',
  ],
  ['member.role_changed', 'bob', 'bob', { to: 'owner', offeredBy: 'ann' }, 'bob@example.com became owner'],
  [
    'invitation.cancelled',
    'bob',
    'i',
    invited,
    'bob@example.com withdrew the invitation for new@example.com',
  ],
  [
    'invitation.cancelled',
    'bob',
    'i',
    { ...invited, reason: 'sender_lost_rights' },
    'The invitation for new@example.com ended with the rights of its sender',
  ],
  ['member.role_changed', 'ann', 'bob', { to: 'admin' }, 'You made bob@example.com admin'],
  ['member.removed', 'gone', 'x', { email: 'x@example.com' }, 'Somebody who has left removed x@example.com'],
  ['member.left', 'gone', 'gone', { email: 'x@example.com' }, 'x@example.com left'],
  ['invitation.created', 'ann', 'i', invited, 'You invited new@example.com as member'],
  ['invitation.accepted', 'bob', 'i', invited, 'bob@example.com joined as member'],
  ['invitation.rejected', 'gone', 'i', invited, 'new@example.com declined the invitation'],
  ['billing.checkout_begun', 'ann', 't', { plan: 'pro' }, 'You began to buy the plan pro'],
  ['billing.portal_opened', 'bob', 't', {}, 'bob@example.com opened the billing portal'],
  [
    'billing.change_requested',
    'bob',
    't',
    { plan: 'business', interval: 'year', when: 'now' },
    'bob@example.com changed the plan to business',
  ],
  [
    'billing.change_requested',
    'bob',
    't',
    { plan: 'pro', interval: 'year', when: 'period_end' },
    'bob@example.com planned to change the plan to pro',
  ],
  [
    'billing.add_on_requested',
    'bob',
    't',
    { addOn: 'storage', quantity: '2' },
    'bob@example.com set the add-on storage to 2',
  ],
  [
    'billing.add_on_requested',
    'bob',
    't',
    { addOn: 'storage', quantity: '0' },
    'bob@example.com removed the add-on storage',
  ],
  ['billing.cancel_requested', 'bob', 't', { reason: null }, 'bob@example.com cancelled the subscription'],
  ['billing.resume_requested', 'bob', 't', {}, 'bob@example.com resumed the subscription'],
  ['billing.plan_changed', 'system', 't', { from: 'free', to: 'pro' }, 'The plan changed from free to pro'],
  [
    'billing.duplicate_ended',
    'system',
    't',
    { subscription: 'sub_2', kept: 'sub_1' },
    'A second subscription to the same plan was ended',
  ],
  ['upload.removed', 'bob', 'u', {}, 'bob@example.com removed a file'],
  ['upload.url_revoked', 'ann', 'u', {}, 'You replaced the link of a file'],
  [
    'admin.plan_given',
    'cli:ops',
    't',
    { plan: 'pro', until: UNTIL },
    `Support gave the team the plan pro until ${formatDate(new Date(UNTIL))}`,
  ],
  ['admin.plan_given', 'cli:ops', 't', { plan: 'pro' }, 'Support gave the team the plan pro until '],
  [
    'invitation.rejected',
    'deleted:x',
    'i',
    { email: 'deleted:x' },
    'somebody whose account was deleted declined the invitation',
  ],
] as const)('describes %s by %s', (action, actorId, target, details, expected) => {
  expect(sentenceOf({ action, actorId, target, details: { ...details } }, 'ann', MEMBERS)).toBe(expected);
});

it('describes an action that only a newer page knows in general words', () => {
  const entry = { action: 'team.painted' as 'team.created', actorId: 'ann', target: 't', details: {} };
  expect(sentenceOf(entry, 'bob', MEMBERS)).toBe('Ann changed something');
});

it.each([
  ['team.created', 'ann', 't', {}, 'Sie haben das Team angelegt'],
  ['team.created', 'bob', 't', {}, 'bob@example.com hat das Team angelegt'],
  ['team.created', 'gone', 't', {}, 'Ein ehemaliges Mitglied hat das Team angelegt'],
  [
    'team.updated',
    'bob',
    't',
    { slug: 'acme' },
    'bob@example.com hat den Kurznamen des Teams zu acme geändert',
  ],
  ['team.transferred', 'bob', 'ann', {}, 'bob@example.com hat das Team an Sie übergeben'],
  ['team.transferred', 'ann', 'gone', {}, 'Sie haben das Team an ein ehemaliges Mitglied übergeben'],
  ['member.role_changed', 'ann', 'bob', { to: 'member' }, 'Sie haben bob@example.com zum Mitglied gemacht'],
  ['member.role_changed', 'ann', 'ann', { to: 'owner', offeredBy: 'bob' }, 'Sie sind jetzt Owner'],
  ['member.removed', 'ann', 'x', {}, 'Sie haben jemanden entfernt'],
  ['member.left', 'gone', 'gone', {}, 'Jemand hat das Team verlassen'],
  ['invitation.created', 'bob', 'i', invited, 'bob@example.com hat new@example.com als Mitglied eingeladen'],
  ['invitation.accepted', 'bob', 'i', { role: 'admin' }, 'bob@example.com ist als Admin beigetreten'],
  [
    'invitation.rejected',
    'deleted:x',
    'i',
    { email: 'deleted:x' },
    'Jemand mit gelöschtem Konto hat die Einladung abgelehnt',
  ],
  ['billing.change_requested', 'ann', 't', { plan: 'pro' }, 'Sie haben zum Plan pro gewechselt'],
  ['admin.owner_changed', 'cli:ops', 'ann', {}, 'Der Support hat Sie zum Owner gemacht'],
  ['team.painted', 'ann', 't', {}, 'Sie haben etwas geändert'],
] as const)('describes %s by %s in German', (action, actorId, target, details, expected) => {
  const entry = { action, actorId, target, details: { ...details } };
  expect(sentenceOf(entry, 'ann', MEMBERS, GERMAN)).toBe(expected);
});
