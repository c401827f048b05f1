import { findSubjects } from '../../functions/src/admin/find.service.ts';
import {
  deleteUpload,
  describeInvitation,
  describeSubscription,
  describeUpload,
  resendFor,
  syncFor,
} from '../../functions/src/admin/items/items.service.ts';
import { listMailTo, resendMail, sendAccountMail } from '../../functions/src/admin/mail/mail.service.ts';
import {
  changeOwner,
  deleteTeam,
  describeTeam,
  givePlan,
  takePlan,
} from '../../functions/src/admin/teams/teams.service.ts';
import { startImpersonation } from '../../functions/src/admin/users/impersonate.service.ts';
import {
  changeAccount,
  deleteUser,
  describeUser,
  endSessionsOf,
  exportFor,
  setAdmin,
} from '../../functions/src/admin/users/users.service.ts';
import { ACCOUNT_MAILS } from '../../functions/src/account/account-mail.service.ts';
import { required, type Command } from './command.ts';
import { findTeam, findUser } from './subjects.ts';

const giveTo = (find: NonNullable<Command['find']>): Command => ({
  usage: '<who> --plan <slug> --until <date>',
  does: 'gives a plan without payment until a date',
  find,
  run: ({ backend, operator, id, options }) => {
    const comp = { plan: required('plan', options.plan), until: dateOf(required('until', options.until)) };
    return givePlan(backend, operator, id, comp);
  },
});

const takeFrom = (find: NonNullable<Command['find']>): Command => ({
  usage: '<who>',
  does: 'ends a plan that was given',
  find,
  run: ({ backend, operator, id }) => takePlan(backend, operator, id),
});

const change = (does: string, fields: Parameters<typeof changeAccount>[3]): Command => ({
  usage: '<user>',
  does,
  find: findUser,
  run: ({ backend, operator, id }) => changeAccount(backend, operator, id, fields),
});

const claim = (does: string, isAdmin: boolean): Command => ({
  usage: '<user>',
  does,
  find: findUser,
  run: ({ backend, operator, id }) => setAdmin(backend, operator, id, isAdmin),
});

const search: Command = {
  usage: '<text>',
  does: 'finds users and teams by an address, an id, a slug, or an id of Stripe',
  reads: true,
  run: ({ backend, id }) => findSubjects(backend, id),
};

/** Every command by its words. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'users find': search,
  'users show': {
    usage: '<user>',
    does: 'shows everything about a user',
    find: findUser,
    reads: true,
    run: ({ backend, id }) => describeUser(backend, id),
  },
  'users disable': change('disables an account', { disabled: true }),
  'users enable': change('enables an account', { disabled: false }),
  'users verify': change('marks the address of an account as verified', { emailVerified: true }),
  'users end-sessions': {
    usage: '<user>',
    does: 'ends all sessions of a user',
    find: findUser,
    run: ({ backend, operator, id }) => endSessionsOf(backend, operator, id),
  },
  'users mail': {
    usage: '<user>',
    does: 'lists the latest mail to a user with the state of its delivery',
    find: findUser,
    reads: true,
    run: ({ backend, id }) => listMailTo(backend, id),
  },
  'users send-mail': {
    usage: `<user> --kind <${ACCOUNT_MAILS.join('|')}>`,
    does: 'mails a new link or the welcome to a user',
    find: findUser,
    run: ({ backend, operator, id, options }) =>
      sendAccountMail(backend, operator, id, mailKindOf(required('kind', options.kind))),
  },
  'users grant-plan': giveTo(findUser),
  'users end-plan': takeFrom(findUser),
  'users grant-admin': claim('makes a user an operator', true),
  'users revoke-admin': claim('takes the rights of an operator', false),
  'users impersonate': {
    usage: '<user> --as <operator> --reason <text> [--minutes <1 to 60>]',
    does: 'makes a custom token by which an operator sees the service as a user',
    find: findUser,
    run: async ({ backend, id, options }) => {
      const operator = { id: await findUser(backend, required('as', options.as)) };
      const reason = required('reason', options.reason);
      const minutes = Number(options.minutes ?? '30');
      return startImpersonation(backend, operator, { uid: id, reason, minutes });
    },
  },
  'users export': {
    usage: '<user>',
    does: 'writes the personal data of a user as JSON',
    find: findUser,
    run: async ({ backend, operator, id }) =>
      JSON.parse((await Array.fromAsync(await exportFor(backend, operator, id))).join('')) as unknown,
  },
  'users delete': {
    usage: '<user> --yes',
    does: 'deletes a user with all data',
    find: findUser,
    final: true,
    run: ({ backend, operator, id }) => deleteUser(backend, operator, id),
  },
  'teams find': search,
  'teams show': {
    usage: '<team>',
    does: 'shows everything about a team',
    find: findTeam,
    reads: true,
    run: ({ backend, id }) => describeTeam(backend, id),
  },
  'teams set-owner': {
    usage: '<team> <user>',
    does: 'makes a member the responsible owner',
    find: findTeam,
    run: async ({ backend, operator, id, rest }) =>
      changeOwner(backend, operator, id, await findUser(backend, required('user', rest[0]))),
  },
  'teams grant-plan': giveTo(findTeam),
  'teams end-plan': takeFrom(findTeam),
  'teams delete': {
    usage: '<team> --yes [--end-subscription]',
    does: 'deletes a team with all data',
    find: findTeam,
    final: true,
    run: async ({ backend, operator, id, options }) => {
      const endSubscription = options['end-subscription'] === true;
      while (!(await deleteTeam(backend, operator, id, { endSubscription })));
    },
  },
  'invitations show': {
    usage: '<invitation>',
    does: 'shows an invitation',
    reads: true,
    run: ({ backend, id }) => describeInvitation(backend, id),
  },
  'invitations resend': {
    usage: '<invitation>',
    does: 'mails a pending invitation again',
    run: ({ backend, operator, id }) => resendFor(backend, operator, id),
  },
  'mail resend': {
    usage: '<mail>',
    does: 'delivers a stored mail once more, to the address that it has',
    run: ({ backend, operator, id }) => resendMail(backend, operator, id),
  },
  'subscriptions find': search,
  'subscriptions show': {
    usage: '<subscription>',
    does: 'shows a subscription as Stripe and we have it',
    reads: true,
    run: ({ backend, id }) => describeSubscription(backend, id),
  },
  'subscriptions sync': {
    usage: '<subscription>',
    does: 'copies a subscription from Stripe now',
    run: ({ backend, operator, id }) => syncFor(backend, operator, id),
  },
  'uploads show': {
    usage: '<upload>',
    does: 'shows an upload record',
    reads: true,
    run: ({ backend, id }) => describeUpload(backend, id),
  },
  'uploads delete': {
    usage: '<upload> --yes',
    does: 'removes a file',
    final: true,
    run: ({ backend, operator, id }) => deleteUpload(backend, operator, id),
  },
};

function mailKindOf(text: string): (typeof ACCOUNT_MAILS)[number] {
  const kind = ACCOUNT_MAILS.find((one) => one === text);
  if (kind === undefined) throw new Error(`--kind is one of ${ACCOUNT_MAILS.join(', ')}`);
  return kind;
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`${text} is not a date`);
  return date;
}
