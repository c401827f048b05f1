import * as z from 'zod';
import {
  ACCOUNT_MAIL_KINDS,
  type AccountMailKind,
} from '../../../functions/src/account/account-mail.service.ts';
import { listMailTo, sendAccountMail } from '../../../functions/src/admin/mail/mail.service.ts';
import { changeAccount } from '../../../functions/src/admin/users/change-account.service.ts';
import {
  impersonationRequestSchema,
  startImpersonation,
} from '../../../functions/src/admin/users/impersonate.service.ts';
import {
  deleteUserAsOperator,
  describeUser,
  endSessionsOf,
  exportUserAsOperator,
  setOperator,
} from '../../../functions/src/admin/users/users.service.ts';
import { runningSubscriptions } from '../../../functions/src/billing/subscriptions/subscription.store.ts';
import { emailSchema } from '../../../functions/src/common/email.ts';
import { teamsOf } from '../../../functions/src/teams/teams-of-user.store.ts';
import { required, validOptions, type Call, type Command } from '../command.ts';
import { findUser, oneUser } from '../subjects.ts';
import { endPlan, grantPlan } from './plans.ts';
import { search } from './search.ts';

const describe = async ({ backend, id }: Call) => ({ user: await oneUser(backend, id) });

const change = (does: string, fields: Parameters<typeof changeAccount>[3]): Command => ({
  usage: '<user>',
  does,
  find: findUser,
  plan: async (call) => ({ ...(await describe(call)), change: fields }),
  run: ({ backend, operator, id }) => changeAccount(backend, operator, id, fields),
});

const claim = (does: string, isOperator: boolean): Command => ({
  usage: '<user>',
  does,
  find: findUser,
  plan: async (call) => ({ ...(await describe(call)), change: { isOperator } }),
  run: ({ backend, operator, id }) => setOperator(backend, operator, id, isOperator),
});

export const USER_COMMANDS: Readonly<Record<string, Command>> = {
  'users find': search,
  'users show': {
    usage: '<user>',
    does: 'shows everything about a user',
    find: findUser,
    run: ({ backend, id }) => describeUser(backend, id),
  },
  'users disable': change('disables an account, and ends its sessions', { disabled: true }),
  'users enable': change('enables an account', { disabled: false }),
  'users verify': {
    usage: '<user> --email <address>',
    does: 'verifies the address of an account, which loses its password, sign-in methods and sessions',
    find: findUser,
    plan: async (call) => ({ ...(await describe(call)), change: verificationOf(call) }),
    run: (call) => changeAccount(call.backend, call.operator, call.id, verificationOf(call)),
  },
  'users end-sessions': {
    usage: '<user>',
    does: 'ends all sessions of a user',
    find: findUser,
    plan: async (call) => ({
      ...(await describe(call)),
      sessions: await call.backend.db.sessions(call.id).count(),
    }),
    run: ({ backend, operator, id }) => endSessionsOf(backend, operator, id),
  },
  'users mail': {
    usage: '<user>',
    does: 'lists the latest mail to a user with the state of its delivery',
    find: findUser,
    run: ({ backend, id }) => listMailTo(backend, id),
  },
  'users send-mail': {
    usage: `<user> --kind <${ACCOUNT_MAIL_KINDS.join('|')}>`,
    does: 'mails a new link or the welcome to a user',
    find: findUser,
    plan: async (call) => ({ ...(await describe(call)), kind: mailKindOf(call) }),
    run: (call) => sendAccountMail(call.backend, call.operator, call.id, mailKindOf(call)),
  },
  'users grant-plan': grantPlan('user'),
  'users end-plan': endPlan('user'),
  'users grant-admin': claim('makes a user an operator', true),
  'users revoke-admin': claim('takes the rights of an operator', false),
  'users impersonate': {
    usage: '<user> --as <operator> --reason <text> [--minutes <1 to 60>]',
    does: 'makes a custom token by which an operator sees the service as a user',
    find: findUser,
    plan: async (call) => {
      const [subject, as] = await Promise.all([describe(call), requireOperator(call)]);
      return { ...subject, as, ...impersonationOf(call) };
    },
    run: async (call) => {
      const request = impersonationOf(call);
      const { uid } = await requireOperator(call);
      const { backend, id, operator } = call;
      return startImpersonation(backend, { id: uid }, { ...request, uid: id, startedBy: operator.id });
    },
  },
  'users export': {
    usage: '<user>',
    does: 'writes the personal data of a user as JSON',
    printsJson: true,
    find: findUser,
    plan: describe,
    run: async ({ backend, operator, id }) =>
      JSON.parse(
        (await Array.fromAsync(await exportUserAsOperator(backend, operator, id, Infinity))).join(''),
      ) as unknown,
  },
  'users delete': {
    usage: '<user> --yes',
    does: 'deletes a user with all data',
    find: findUser,
    needsStripe: true,
    final: true,
    plan: async (call) => {
      const { backend, id } = call;
      const { db } = backend;
      const [subject, teams, subscriptions, uploads, sessions] = await Promise.all([
        describe(call),
        teamsOf(db, id),
        runningSubscriptions(db, id).count(),
        db.uploads.where('ownerId', '==', id).count(),
        db.sessions(id).count(),
      ]);
      const leaves = teams.map(({ team: { name }, role }) => ({ name, role }));
      return { ...subject, leaves, deletes: { uploads, sessions }, cancels: { subscriptions } };
    },
    run: ({ backend, operator, id }) => deleteUserAsOperator(backend, operator, id),
  },
};

/** The operator names the address, because the account may have another one by now. */
function verificationOf({ options }: Call) {
  const { email } = validOptions(z.object({ email: emailSchema }), {
    email: required('--email', options.email),
  });
  return { verifiedEmail: email };
}

/** The user in whose name another one is impersonated. @throws Error unless they are an operator */
async function requireOperator({ backend, options }: Call) {
  const operator = await oneUser(backend, required('--as', options.as));
  if (!operator.isOperator) throw new Error(`${options.as ?? ''} is no operator`);
  return operator;
}

function impersonationOf({ options: { reason, minutes } }: Call) {
  return validOptions(impersonationRequestSchema, {
    reason: required('--reason', reason),
    minutes: minutes === undefined ? undefined : Number(minutes),
  });
}

function mailKindOf({ options }: Call): AccountMailKind {
  const text = required('--kind', options.kind);
  const kind = ACCOUNT_MAIL_KINDS.find((one) => one === text);
  if (kind === undefined) throw new Error(`--kind is one of ${ACCOUNT_MAIL_KINDS.join(', ')}`);
  return kind;
}
