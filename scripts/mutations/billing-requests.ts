import type { Mutation } from './mutation.ts';

const ROOM = 'functions/src/billing';

/** Values and links with which a client could pay less, or use up Stripe's rate limit. */
export const BILLING_REQUEST_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'A change of plan is charged from now or from a recent preview',
    file: `${ROOM}/subscriptions/manage/change.service.ts`,
    from: '    requireRecentPreview(backend, prepared.current, change.prorationDate);\n',
    to: '',
    tests: ['tests/stories/proration-date.test.ts'],
  },
  {
    guard: 'An add-on is charged from now or from a recent preview',
    file: `${ROOM}/extras/add-ons.service.ts`,
    from: '    requireRecentPreview(backend, current, change.prorationDate);\n',
    to: '',
    tests: ['tests/stories/proration-date.test.ts'],
  },
  {
    guard: 'The same minutes are not credited by several changes',
    file: `${ROOM}/subscriptions/manage/proration-date.ts`,
    from: '!isRecent || prorationDate < latestAt',
    to: '!isRecent',
    tests: [`${ROOM}/subscriptions/manage/proration-date.test.ts`],
  },
];
