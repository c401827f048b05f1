import { readFileSync } from 'node:fs';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
  type TokenOptions,
} from '@firebase/rules-unit-testing';
import { doc, getDoc, setDoc, type Firestore } from 'firebase/firestore';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { hasEntitlement } from '../../functions/src/billing/subscriptions/access/entitlements.ts';
import { limitsOf } from '../../functions/src/billing/subscriptions/access/limits.ts';
import { extrasSchema, type AddOnQuantities } from '../../functions/src/settings/extras.ts';
import { planListSchema, isPlanAtLeast } from '../../functions/src/settings/plans.ts';
import { RULES_FILE, withPlanTables } from '../../scripts/plan-tables.ts';

const limits = { seats: 3, storageMegabytes: 1, fileMegabytes: 1 };
const plan = (slug: string, rest: object) => ({ slug, name: slug, description: slug, ...rest });
const price = (lookupKey: string) => ({ month: { lookupKey, unitAmount: 1, currency: 'usd' } });
/** Plans with former slugs, entitlements and limits of the app, which plans.json does not have. */
const plans = planListSchema.parse([
  plan('start', { limits: { ...limits, projects: 1, theme: 'plain' }, entitlements: ['share'] }),
  plan('team-plus', {
    formerly: ['plus', 'Gold'],
    limits: { ...limits, projects: 5, theme: "it's" },
    entitlements: ['share', 'export'],
    prices: price('plus'),
  }),
]);

const addOn = (slug: string, rest: object) => ({
  slug,
  name: slug,
  description: slug,
  plans: ['team-plus'],
  prices: price(slug),
  ...rest,
});
const extras = extrasSchema.parse({
  addOns: [
    addOn('more-projects', { limits: { projects: 2 }, maxQuantity: 5 }),
    addOn('more-of-all', { limits: { projects: 1, seats: 1 }, entitlements: ['sso'] }),
    addOn('single-sign-on', { entitlements: ['sso', 'scim'] }),
  ],
});
const offered = { plans, extras };

/** Rules in which the app uses the limits of its plans. */
const RULES = withPlanTables(readFileSync(RULES_FILE, 'utf8'), offered).replace(
  'match /users/{uid} {',
  `match /projects/{id} {
      allow create: if isSignedIn()
        && request.resource.data.number <= limitOf('projects')
        && request.resource.data.theme == limitOf('theme');
    }

    match /teams/{teamId}/projects/{id} {
      allow create: if isMember(teamId) && request.resource.data.number <= teamLimitOf(teamId, 'projects');
    }

    match /users/{uid} {`,
);

/** The units of add-ons of users and teams. */
const HELD: readonly AddOnQuantities[] = [
  { 'more-projects': 1 },
  { 'more-projects': 3, 'more-of-all': 1 },
  { 'single-sign-on': 1, 'more-projects': 0 },
  { retired: 4 },
];

const SLUGS = ['start', 'team-plus', 'plus', 'Gold', 'gone'];
const CLAIMS: [claim: string, claims: TokenOptions, slug: string | undefined][] = [
  ['no plan', {}, undefined],
  ...SLUGS.map((slug): [string, TokenOptions, string] => [`the plan ${slug}`, { plan: slug }, slug]),
];

let environment: RulesTestEnvironment;
beforeAll(async () => {
  environment = await initializeTestEnvironment({
    projectId: 'demo-hearth-plan-tables',
    firestore: { host: '127.0.0.1', port: inject('stack').ports.firestore, rules: RULES },
  });
  await environment.withSecurityRulesDisabled(async (context) => {
    const firestore = context.firestore() as unknown as Firestore;
    for (const slug of SLUGS) {
      await setDoc(doc(firestore, `teams/${slug}`), { plan: slug });
      await setDoc(doc(firestore, `teams/${slug}/members/ada`), { uid: 'ada', role: 'member' });
    }
    for (const [index, addOns] of HELD.entries()) {
      await setDoc(doc(firestore, `teams/held-${index}`), { plan: 'start', addOns });
      await setDoc(doc(firestore, `teams/held-${index}/members/ada`), { uid: 'ada', role: 'member' });
    }
  });
});
afterAll(() => environment.cleanup());

const clientWith = (claims: TokenOptions) =>
  environment.authenticatedContext('ada', claims).firestore() as unknown as Firestore;

async function expectAllowed(isAllowed: boolean, attempt: Promise<unknown>): Promise<void> {
  await (isAllowed ? assertSucceeds(attempt) : assertFails(attempt));
}

const limitsWith = (plan: string | undefined, addOns: AddOnQuantities = {}) =>
  limitsOf(offered, { plan, addOns }) as object as { projects: number; theme: string };

describe.each(CLAIMS)('the rules and the functions agree about a user with %s', (_claim, claims, slug) => {
  test.each(['start', 'team-plus', 'plus'])('reading the content of %s', async (least) => {
    const isAllowed = isPlanAtLeast(plans, slug ?? 'start', least);
    await expectAllowed(isAllowed, getDoc(doc(clientWith(claims), `content/${least}/items/one`)));
  });

  test.each(['share', 'export', 'sso'])('reading an item that needs the entitlement %s', async (name) => {
    const isAllowed = hasEntitlement(offered, { plan: slug }, name);
    await expectAllowed(isAllowed, getDoc(doc(clientWith(claims), `entitled/${name}/items/one`)));
  });

  test.each([1, 2, 5, 6])('reading item %d of the items that the limit of projects opens', async (number) => {
    const isAllowed = number <= limitsWith(slug).projects;
    await expectAllowed(isAllowed, getDoc(doc(clientWith(claims), `limited/projects/items/${number}`)));
  });

  test.each([1, 2, 5, 6])('creating project number %d', async (number) => {
    const { projects, theme } = limitsWith(slug);
    const create = (wanted: string) =>
      setDoc(doc(clientWith(claims), `projects/${crypto.randomUUID()}`), { number, theme: wanted });
    await expectAllowed(number <= projects, create(theme));
    await expectAllowed(false, create('other'));
  });
});

describe.each(SLUGS)(
  'the rules and the functions agree about a member of a team with the plan %s',
  (slug) => {
    test.each(['share', 'export', 'sso'])('reading an item that needs the entitlement %s', async (name) => {
      const isAllowed = hasEntitlement(offered, { plan: slug }, name);
      await expectAllowed(isAllowed, getDoc(doc(clientWith({}), `entitled/${name}/teams/${slug}/items/one`)));
      await expectAllowed(false, getDoc(doc(clientWith({}), `entitled/${name}/teams/none/items/one`)));
    });

    test.each([1, 2, 5, 6])(
      'reading item %d of the items that the limit of projects opens',
      async (number) => {
        const item = doc(clientWith({}), `limited/projects/teams/${slug}/items/${number}`);
        await expectAllowed(number <= limitsWith(slug).projects, getDoc(item));
      },
    );

    test.each([1, 2, 5, 6])('creating project number %d', async (number) => {
      const project = doc(clientWith({}), `teams/${slug}/projects/${crypto.randomUUID()}`);
      await expectAllowed(number <= limitsWith(slug).projects, setDoc(project, { number }));
    });
  },
);

describe.each(HELD.map((addOns, index) => ({ addOns, index })))(
  'the rules and the functions agree about the add-ons $addOns',
  ({ addOns, index }) => {
    const holder = { plan: 'start', addOns };

    test.each(['share', 'sso', 'scim', 'export'])(
      'reading an item that needs the entitlement %s',
      async (name) => {
        const isAllowed = hasEntitlement(offered, holder, name);
        await expectAllowed(isAllowed, getDoc(doc(clientWith(holder), `entitled/${name}/items/one`)));
        const ofTeam = doc(clientWith({}), `entitled/${name}/teams/held-${index}/items/one`);
        await expectAllowed(isAllowed, getDoc(ofTeam));
      },
    );

    test.each([1, 2, 3, 4, 8, 9])('creating project number %d', async (number) => {
      const { projects, theme } = limitsWith('start', addOns);
      const own = doc(clientWith(holder), `projects/${crypto.randomUUID()}`);
      await expectAllowed(number <= projects, setDoc(own, { number, theme }));
      const ofTeam = doc(clientWith({}), `teams/held-${index}/projects/${crypto.randomUUID()}`);
      await expectAllowed(number <= projects, setDoc(ofTeam, { number }));
    });
  },
);
