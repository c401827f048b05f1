import type { Mutation } from './mutation.ts';

const SOURCE = 'functions/src';
const LIMITS = ['tests/invitations-limits.test.ts'];
const UNSUBSCRIBE = ['tests/unsubscribe.test.ts'];
const ANONYMOUS = ['tests/anonymous.test.ts'];
const NAMES = ['tests/names.test.ts'];
const LOST_COMMITS = ['tests/lost-commits-of-events.test.ts'];

/** Names, mail that others ask for, and anonymous accounts. */
export const MAIL_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A mail with a link to an account leads to no route of the API',
    file: `${SOURCE}/account/account-mail.routes.ts`,
    from: ".refine(isPagePath, 'must not be a path of the API')",
    to: '',
    tests: ['tests/password-reset.test.ts'],
  },
  {
    guard: 'A mailbox gets few verification mails, also by several accounts',
    file: `${SOURCE}/account/account-mail.routes.ts`,
    from: 'if (caller.email !== undefined) {',
    to: 'if (caller.email === caller.uid) {',
    tests: ['tests/account-mail.test.ts'],
  },
  {
    guard: 'A name from a client SDK is cleaned',
    file: `${SOURCE}/auth/users/new-profile.ts`,
    from: '...nameAndPictureOf(account)',
    to: 'displayName: account.displayName, photoURL: account.photoURL',
    tests: NAMES,
  },
  {
    guard: 'A name contains no web address',
    file: `${SOURCE}/common/name.ts`,
    from: ".refine((name) => !hasWebAddress(name), 'must not contain a web address')",
    to: '',
    tests: NAMES,
  },
  {
    guard: 'A mail program makes no link of a name',
    file: `${SOURCE}/common/name.ts`,
    from: String.raw`return name.replace(/\.(?=[\p{L}\p{N}])/gu, '\u2024');`,
    to: 'return name;',
    tests: ['functions/src/mail/templates/invitation.test.ts'],
  },
  {
    guard: 'Inviting again also waits for the pause',
    file: `${SOURCE}/invitations/invite/invite.service.ts`,
    from: 'if (refusal !== undefined) return refusal;',
    to: '',
    tests: LIMITS,
  },
  {
    guard: 'Resending waits for the pause',
    file: `${SOURCE}/invitations/resend-or-cancel.service.ts`,
    from: 'if (limitReached !== undefined) throw limitReached;',
    to: '',
    tests: LIMITS,
  },
  {
    guard: 'One request counts all its mails to a mailbox',
    file: `${SOURCE}/mail/recipient.store.ts`,
    from: 'this.#recipients.set(id, recipient);',
    to: '',
    tests: LIMITS,
  },
  {
    guard: 'Mail that stays does not count as mail that the clean-up of an account has removed',
    file: `${SOURCE}/mail/forget.service.ts`,
    from: 'if (data?.outlivesAccount === true) continue;',
    to: 'if (data?.outlivesAccount === true) {\n        if (++forgotten === limit) break;\n        continue;\n      }',
    tests: ['tests/account-sweep.test.ts'],
  },
  {
    guard: 'A deleted account is confirmed by one mail',
    file: `${SOURCE}/account/account-mail.service.ts`,
    from: 'if (!config.mailAccountDeleted || (await tx.mail.exists(id))) return;',
    to: 'if (!config.mailAccountDeleted) return;',
    tests: ['tests/account-delete.test.ts'],
  },
  {
    guard: 'A deleted account is confirmed after its data is removed',
    file: `${SOURCE}/account/delete.service.ts`,
    from: '  await deleteAuthUser(backend, uid);\n',
    to: '  await deleteAuthUser(backend, uid);\n  await finishDeletion(backend, user);\n',
    tests: ['tests/account-delete.test.ts'],
  },
  {
    guard: 'A deleted account without an event is not confirmed to an unverified address',
    file: `${SOURCE}/account/delete.service.ts`,
    from: 'known.emailVerified ?? profile?.emailVerified ?? false;',
    to: 'known.emailVerified ?? true;',
    tests: ['tests/account-sweep.test.ts'],
  },
  {
    guard: 'A mail is sent although the answer to the commit of its lease is lost',
    file: `${SOURCE}/mail/deliver.service.ts`,
    from: 'if (delivery?.leaseKey === leaseKey) return',
    to: 'if (delivery?.leaseKey === id) return',
    tests: LOST_COMMITS,
  },
  {
    guard: 'A mail that is given up is logged although the answer to the commit is lost',
    file: `${SOURCE}/mail/deliver.service.ts`,
    from: "if (delivery?.state === 'ERROR' && ",
    to: "if (delivery?.state === 'SUCCESS' && ",
    tests: LOST_COMMITS,
  },
  {
    guard: 'A mailbox that wants no mail gets none',
    file: `${SOURCE}/mail/recipient.store.ts`,
    from: 'if (recipient.optedOutAt !== null) return undefined;',
    to: '',
    tests: UNSUBSCRIBE,
  },
  {
    guard: 'A mailbox that wants no mail is counted like any other',
    file: `${SOURCE}/mail/recipient.store.ts`,
    from: 'this.#recipients.set(id, recipient);',
    to: 'if (recipient.optedOutAt !== null) return;\n    this.#recipients.set(id, recipient);',
    tests: UNSUBSCRIBE,
  },
  {
    guard: 'Opening the link to stop mail changes nothing',
    file: `${SOURCE}/mail/unsubscribe.routes.ts`,
    from: 'const isReceiving =',
    to: 'await saveMailChoice(backend, token, false);\n    const isReceiving =',
    tests: UNSUBSCRIBE,
  },
  {
    guard: 'A token names one mailbox',
    file: `${SOURCE}/mail/recipient.ts`,
    from: "randomBytes(24).toString('hex')",
    to: "'a'.repeat(randomBytes(24).toString('hex').length)",
    tests: UNSUBSCRIBE,
  },
  {
    guard: 'An anonymous account makes no team',
    file: `${SOURCE}/teams/team.service.ts`,
    from: 'if (!config.anonymousTeams) requireNotAnonymous(caller);',
    to: '',
    tests: ANONYMOUS,
  },
  {
    guard: 'An anonymous account buys nothing',
    file: `${SOURCE}/billing/authorize-subject.service.ts`,
    from: '  requireNotAnonymous(caller);\n',
    to: '',
    tests: ANONYMOUS,
  },
  {
    guard: 'The end of a trial without a payment method is not announced as a charge',
    file: `${SOURCE}/billing/notices/trial-without-card.service.ts`,
    from: 'return !hasPaymentMethod(current) && !hasDefault(current.customer);',
    to: 'return !endsWithoutPaymentMethod(current) && !hasDefault(current.customer);',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
  {
    guard: 'A failed payment of an older invoice that was paid since is not mailed',
    file: `${SOURCE}/billing/notices/notice.service.ts`,
    from: "return invoice?.status === 'open';",
    to: 'return invoice !== undefined;',
    tests: ['tests/lost-events.test.ts'],
  },
  {
    guard: 'The end of a plan is not mailed to a customer who has a plan again',
    file: `${SOURCE}/billing/notices/notice.service.ts`,
    from: 'if (customer?.plan !== to) return;',
    to: '',
    tests: ['tests/stories/plan-notices.test.ts'],
  },
];
