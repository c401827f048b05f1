import { recoverEventsAsOperator } from '../../../functions/src/admin/events/events.service.ts';
import {
  describeInvitation,
  findInvitations,
  resendInvitationAsOperator,
} from '../../../functions/src/admin/invitations/invitations.service.ts';
import { describeMail, findMail, resendMail } from '../../../functions/src/admin/mail/mail.service.ts';
import {
  describeSubscription,
  syncSubscriptionAsOperator,
} from '../../../functions/src/admin/subscriptions/subscriptions.service.ts';
import {
  deleteUploadAsOperator,
  describeUpload,
} from '../../../functions/src/admin/uploads/uploads.service.ts';
import { closeUsageAsOperator } from '../../../functions/src/admin/usage/usage.service.ts';
import type { Backend } from '../../../functions/src/backend.ts';
import { countEventsToRecover } from '../../../functions/src/billing/reconcile/lost-events.service.ts';
import { countOpenUsage } from '../../../functions/src/billing/usage/close.service.ts';
import { dateOf, type Command } from '../command.ts';
import { findAddress } from '../subjects.ts';
import { search } from './search.ts';

/** Commands about things that are named by their id or a time, or found by an address that may have no account. */
export const ITEM_COMMANDS: Readonly<Record<string, Command>> = {
  'invitations find': {
    usage: '<address>',
    does: 'finds invitations to an address, with or without an account',
    find: findAddress,
    run: ({ backend, id }) => findInvitations(backend, id),
  },
  'invitations show': {
    usage: '<invitation>',
    does: 'shows an invitation',
    run: ({ backend, id }) => describeInvitation(backend, id),
  },
  'invitations resend': {
    usage: '<invitation>',
    does: 'mails a pending invitation again',
    plan: async ({ backend, id }) => {
      const { email, role, status, teamId, teamName } = await describeInvitation(backend, id);
      return { to: email, role, status, team: { id: teamId, name: teamName } };
    },
    run: ({ backend, operator, id }) => resendInvitationAsOperator(backend, operator, id),
  },
  'mail find': {
    usage: '<address>',
    does: 'finds the latest mail to an address, with or without an account, and whether it wants invitations',
    find: findAddress,
    run: ({ backend, id }) => findMail(backend, id),
  },
  'mail resend': {
    usage: '<mail>',
    does: 'delivers a stored mail once more, to the address that it has',
    plan: ({ backend, id }) => describeMail(backend, id),
    run: ({ backend, operator, id }) => resendMail(backend, operator, id),
  },
  'subscriptions find': search,
  'subscriptions show': {
    usage: '<subscription>',
    does: 'shows a subscription as Stripe and we have it',
    needsStripe: true,
    run: ({ backend, id }) => describeSubscription(backend, id),
  },
  'subscriptions sync': {
    usage: '<subscription>',
    does: 'copies a subscription from Stripe now',
    needsStripe: true,
    plan: async ({ backend, id }) => {
      const { customerId, status, copy } = await describeSubscription(backend, id);
      return { customerId, status, statusOfCopy: copy?.['status'] ?? null };
    },
    run: ({ backend, operator, id }) => syncSubscriptionAsOperator(backend, operator, id),
  },
  'uploads show': {
    usage: '<upload>',
    does: 'shows an upload record',
    run: ({ backend, id }) => describeUpload(backend, id),
  },
  'uploads delete': {
    usage: '<upload> --yes',
    does: 'removes a file',
    final: true,
    plan: async ({ backend, id }) => {
      const { name, size, ownerId } = await describeUpload(backend, id);
      return { name, size, ownerId };
    },
    run: ({ backend, operator, id }) => deleteUploadAsOperator(backend, operator, id),
  },
  'events recover': {
    usage: '<since>',
    does: "handles Stripe's events since a time, after the webhook endpoint was disabled or missing",
    needsStripe: true,
    plan: async ({ backend, id }) => ({ events: await countEventsToRecover(backend, dateOf(id)) }),
    run: ({ backend, operator, id }) => recoverEventsAsOperator(backend, operator, dateOf(id)),
  },
  'usage close': {
    usage: '<time> --yes',
    does: 'closes the usage from before a time that was not sent, after a backup was restored',
    final: true,
    plan: ({ backend, id }) => countOpenUsage(backend, pastTimeOf(backend, id)),
    run: ({ backend, operator, id }) => closeUsageAsOperator(backend, operator, pastTimeOf(backend, id)),
  },
};

/** @throws Error for a time in the future, which would also close usage from after the restore */
function pastTimeOf({ now }: Backend, text: string): Date {
  const time = dateOf(text);
  if (time > now()) throw new Error(`${text} is in the future`);
  return time;
}
