import type { Mutation } from './mutation.ts';

const BILLING = 'functions/src/billing';
const IMPERSONATION = ['tests/impersonation.test.ts'];
const COMPS = ['tests/stories/comped-plans.test.ts'];

/** The actions of operators, and their limits. */
export const ADMIN_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'An operator verifies no other address than the named one',
    file: 'functions/src/admin/users/change-account.service.ts',
    from: 'account.email?.toLowerCase() !== verifiedEmail)',
    to: 'verifiedEmail.length === 0)',
    tests: ['tests/admin-actions.test.ts'],
  },
  {
    guard: 'An operator who verifies an address ends the sessions of a stranger who registered it',
    file: 'functions/src/admin/users/change-account.service.ts',
    from: '    await endSessions(backend, left);\n',
    to: '',
    tests: ['tests/hijacking.test.ts'],
  },
  {
    guard: 'An operator who verifies an address removes the sign-in methods of a stranger who registered it',
    file: 'functions/src/admin/users/change-account.service.ts',
    from: "methods.filter((method) => method !== 'password' && method !== 'phone')",
    to: "methods.filter((method) => method === '')",
    tests: ['tests/hijacking.test.ts'],
  },
  {
    guard: 'Enabling an account brings no session back',
    file: 'functions/src/admin/users/change-account.service.ts',
    from: '{ disabled: true });\n  await endSessions(backend, account);',
    to: '{ disabled: true });',
    tests: ['tests/admin-actions.test.ts'],
  },
  {
    guard: 'A comped plan counts when a subscription is synced',
    file: `${BILLING}/subscriptions/subscription.store.ts`,
    from: '[...RUNNING, GRANTED]',
    to: '[...RUNNING]',
    tests: COMPS,
  },
  {
    guard: 'A comped plan ends at its date',
    file: `${BILLING}/subscriptions/status.ts`,
    from: "status === 'past_due' || status === GRANTED)",
    to: "status === 'past_due' && status !== COMPED)",
    tests: COMPS,
  },
  {
    guard: 'A granted plan ends although the customer has no document',
    file: `${BILLING}/grants/grant.service.ts`,
    from: '(await customerWithoutDocument(backend, tx, customerId))',
    to: 'undefined',
    tests: COMPS,
  },
  {
    guard: 'Ending a plan makes nobody a customer who has no plan',
    file: `${BILLING}/grants/grant.service.ts`,
    from: '  if (stored === undefined && !hasGrant && isFree) return false;\n',
    to: '',
    tests: COMPS,
  },
  {
    guard: 'A plan ends although its comped plan has no document',
    file: `${BILLING}/grants/grant.service.ts`,
    from: 'return hasGrant || hasNewPlan;',
    to: 'return hasGrant;',
    tests: COMPS,
  },
  {
    guard: 'The reconciliation ends a comped plan only when it is due',
    file: `${BILLING}/grants/comp.service.ts`,
    from: 'until !== null && until <= now;',
    to: 'until === null;',
    tests: COMPS,
  },
  {
    guard: 'Routes of operators are closed to others',
    file: 'functions/src/auth/recent-sign-in.ts',
    from: "if (!isOperator) throw refusal('not_found');",
    to: '',
    tests: ['tests/admin-access.test.ts'],
  },
  {
    guard: 'An operator changes something only after a recent sign-in',
    file: 'functions/src/auth/recent-sign-in.ts',
    from: 'changes ? RECENT_SIGN_IN_MS : OPERATOR_READS_MS',
    to: 'OPERATOR_READS_MS',
    tests: ['tests/admin-access.test.ts'],
  },
  {
    guard: 'An impersonating operator changes only what a route allows',
    file: 'functions/src/http/caller-guards.ts',
    from: "if (declaration.impersonation !== 'allowed') throw",
    to: 'if (declaration.operatorsOnly === true) throw',
    tests: IMPERSONATION,
  },
  {
    guard: 'An impersonation ends at its time',
    file: 'functions/src/auth/identify.ts',
    from: '(impersonates.endsAt <= now || !isOperator(state))',
    to: '!isOperator(state)',
    tests: IMPERSONATION,
  },
  {
    guard: 'An impersonation needs an operator',
    file: 'functions/src/auth/identify.ts',
    from: '(impersonates.endsAt <= now || !isOperator(state))',
    to: 'impersonates.endsAt <= now',
    tests: IMPERSONATION,
  },
  {
    guard: 'An impersonating operator does not end the sessions of the user',
    file: 'functions/src/http/authenticate.ts',
    from: "if (caller.impersonatedBy !== undefined) throw refusal('impersonation_not_allowed');",
    to: '',
    tests: IMPERSONATION,
  },
  {
    guard: 'A restored document does not start a function, sign somebody in or bill usage again',
    file: 'scripts/restore/copy-missing.ts',
    from: "const isCopied = !NOT_COPIED.has(placesIn(collection.path).at(-1) ?? '');",
    to: 'const isCopied = true;',
    tests: ['tests/restore-documents.test.ts'],
  },
];
