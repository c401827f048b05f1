import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../functions/src/backend-clients.ts';
import { wantedProducts } from './catalogue.ts';
import { runSteps } from './run.ts';
import type { Target } from './step.ts';
import { catalogueStep, findPrices } from './steps/stripe-catalogue.ts';
import { allows, featuresOf, PORTAL_PRODUCTS, switchable } from './steps/stripe-portal.ts';
import { ENDPOINT, markOf } from './steps/stripe-webhook.ts';

type Account = Pick<Target, 'offered'> & { stripe: Stripe };

/** Stripe accepts any public address, and nothing is sent before the endpoint is deleted again. */
const ADDRESS = 'https://example.com/hearth-test-mode';

/**
 * Tries in an account of the test mode what a set-up and the service ask of Stripe. Products and prices stay;
 * everything else is removed again.
 *
 * @returns what Stripe did not accept
 */
export async function tryTestMode(account: Account, print: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const attempts = [
    { title: 'Products and prices', attempt: tryCatalogue },
    { title: 'Customer portal', attempt: tryPortal },
    { title: 'Webhook endpoint', attempt: tryEndpoint },
    { title: 'Checkout session', attempt: tryCheckout },
  ];
  for (const { title, attempt } of attempts) {
    const found = await attempt(account).catch((error: unknown) => [String(error)]);
    print(`${found.length === 0 ? 'ok  ' : '    '} ${title}`);
    problems.push(...found.map((problem) => `${title}: ${problem}`));
  }
  return problems;
}

/** The second set-up must find nothing to do. */
async function tryCatalogue(account: Account): Promise<string[]> {
  const lines: string[] = [];
  const options = { mode: 'apply', print: (line: string) => lines.push(line) } as const;
  const first = await runSteps([catalogueStep], account, options);
  const second = await runSteps([catalogueStep], account, options);
  const repeated = second.changes === 0 ? [] : [`The second set-up changed something: ${lines.join(' ')}`];
  return [...first.failures, ...first.todo, ...repeated];
}

/** A configuration cannot be deleted, so it is made inactive. */
async function tryPortal({ stripe, offered }: Account): Promise<string[]> {
  const products = await switchable(stripe, offered);
  const { id } = await stripe.billingPortal.configurations.create({ features: featuresOf(products) });
  try {
    const { features } = await stripe.billingPortal.configurations.retrieve(id, {
      expand: [PORTAL_PRODUCTS],
    });
    return allows(features, products) ? [] : ['The configuration differs from what was sent.'];
  } finally {
    await stripe.billingPortal.configurations.update(id, { active: false });
  }
}

async function tryEndpoint({ stripe }: Account): Promise<string[]> {
  const endpoint = await stripe.webhookEndpoints.create({ ...ENDPOINT, url: ADDRESS, metadata: markOf() });
  const { metadata } = await stripe.webhookEndpoints.update(endpoint.id, { metadata: markOf('secret') });
  await stripe.webhookEndpoints.del(endpoint.id);
  const { api_version: version, enabled_events: events, secret } = endpoint;
  return [
    ...(version === STRIPE_API_VERSION ? [] : [`The version is ${version ?? 'that of the account'}.`]),
    ...(events.length === ENDPOINT.enabled_events.length ? [] : ['Some events are missing.']),
    ...(secret === undefined ? ['There is no signing secret.'] : []),
    ...(isDeepStrictEqual(metadata, markOf('secret')) ? [] : ['The mark of the secret is another one.']),
  ];
}

/** Opens a checkout for the first price that is not by usage, and ends it. */
async function tryCheckout({ stripe, offered }: Account): Promise<string[]> {
  const wanted = wantedProducts(offered)
    .flatMap(({ prices }) => prices)
    .find(({ eventName }) => eventName === undefined);
  if (wanted === undefined) return [];
  const price = (await findPrices(stripe, [wanted.lookupKey])).get(wanted.lookupKey);
  if (price === undefined) return [`There is no price ${wanted.lookupKey}.`];
  const { id } = await stripe.checkout.sessions.create({
    mode: wanted.interval === undefined ? 'payment' : 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: ADDRESS,
  });
  const { status } = await stripe.checkout.sessions.expire(id);
  return status === 'expired' ? [] : [`The session is ${status ?? 'unknown'}.`];
}
