import type Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../../functions/src/backend.ts';
import { HANDLED_EVENTS } from '../../../functions/src/billing/webhook/webhook.service.ts';
import { wantedProducts } from '../catalogue.ts';
import type { Finding, Step, Target } from '../step.ts';
import { readSecret, WEBHOOK_SECRET, writeSecret } from './settings.ts';
import { findPrices, NO_KEY } from './stripe-catalogue.ts';

/** The portal may switch between this many products. */
const MOST_PRODUCTS = 10;

/** The default configuration of the customer portal, which the service uses. */
export const portalStep: Step = {
  title: 'Customer portal of Stripe',
  check: async ({ stripe, offered }) => {
    if (stripe === undefined) return [NO_KEY];
    const { data } = await stripe.billingPortal.configurations.list({
      is_default: true,
      active: true,
      limit: 1,
    });
    const [configuration] = data;
    if (configuration === undefined) {
      return [
        {
          text: 'The customer portal is not active, and only the dashboard can activate it.',
          advice: 'Press "Activate" at https://dashboard.stripe.com/settings/billing/portal',
        },
      ];
    }
    const products = await switchable(stripe, offered);
    if (allows(configuration.features, products)) return [];
    return [
      {
        text: 'The customer portal does not offer the plans, or allows a change of quantity.',
        action: 'let customers switch plans, cancel, and change their payment method in the portal',
        apply: async () => {
          await stripe.billingPortal.configurations.update(configuration.id, {
            features: featuresOf(products),
          });
        },
      },
    ];
  },
};

interface Switchable {
  product: string;
  prices: string[];
}

/** The products of the plans with their recurring prices, without seats and usage beside them. */
async function switchable(stripe: Stripe, offered: Target['offered']): Promise<Switchable[]> {
  const slugs = new Set(offered.plans.map(({ slug }) => slug));
  const prices = wantedProducts(offered)
    .filter(({ slug }) => slugs.has(slug))
    .flatMap((product) => product.prices.filter(({ interval }) => interval !== undefined));
  const found = await findPrices(
    stripe,
    prices.map(({ lookupKey }) => lookupKey),
  );
  const byProduct = Map.groupBy(found.values(), ({ product }) =>
    typeof product === 'string' ? product : product.id,
  );
  return [...byProduct]
    .map(([product, ofProduct]) => ({ product, prices: ofProduct.map(({ id }) => id) }))
    .slice(0, MOST_PRODUCTS);
}

type Features = Stripe.BillingPortal.Configuration['features'];

/** Whether the portal offers exactly what the service expects. Stripe may leave the products out of its answer. */
function allows(features: Features, wanted: Switchable[]): boolean {
  const {
    subscription_update: update,
    subscription_cancel: cancel,
    payment_method_update: method,
  } = features;
  const { products } = update;
  const offered = new Set((products ?? []).flatMap(({ prices }) => prices));
  const prices = wanted.flatMap((product) => product.prices);
  return (
    cancel.enabled &&
    method.enabled &&
    update.enabled === prices.length > 0 &&
    update.default_allowed_updates.join() === (prices.length > 0 ? 'price' : '') &&
    (products === undefined ||
      (offered.size === prices.length && prices.every((price) => offered.has(price))))
  );
}

function featuresOf(products: Switchable[]): Stripe.BillingPortal.ConfigurationUpdateParams.Features {
  return {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update:
      products.length > 0
        ? { enabled: true, default_allowed_updates: ['price'], products }
        : { enabled: false, default_allowed_updates: '' },
  };
}

/** The webhook endpoint with its events, its version and its secret. */
export const webhookStep: Step = {
  title: 'Webhook endpoint of Stripe',
  check: async (target) => {
    const { stripe, google, projectId } = target;
    if (stripe === undefined) return [NO_KEY];
    const url = webhookUrl(target);
    let endpoint: Stripe.WebhookEndpoint | undefined;
    for await (const one of stripe.webhookEndpoints.list({ limit: 100 })) {
      if (one.url === url) endpoint = one;
    }
    const create = () => createEndpoint(stripe, target);
    if (endpoint === undefined) {
      return [
        { text: `Stripe sends nothing to ${url}.`, action: 'create the webhook endpoint', apply: create },
      ];
    }
    const { id } = endpoint;
    if ((await readSecret(google, projectId, WEBHOOK_SECRET)) === undefined) {
      return [
        {
          text: `Secret Manager has no ${WEBHOOK_SECRET}, and Stripe shows it only once.`,
          action: 'replace the webhook endpoint, and store the secret of the new one',
          apply: async () => {
            await stripe.webhookEndpoints.del(id);
            await create();
          },
        },
      ];
    }
    return endpointFindings(stripe, endpoint);
  },
};

const webhookUrl = ({ appUrl }: Target) => `${appUrl}/api/webhooks/stripe`;

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;

async function createEndpoint(stripe: Stripe, target: Target): Promise<void> {
  const { secret } = await stripe.webhookEndpoints.create({
    url: webhookUrl(target),
    enabled_events: [...HANDLED_EVENTS] as EnabledEvent[],
    api_version: STRIPE_API_VERSION,
    description: 'Made by npm run setup',
  });
  if (secret === undefined) throw new Error('Stripe answered no signing secret.');
  await writeSecret(target, WEBHOOK_SECRET, secret);
}

function endpointFindings(stripe: Stripe, endpoint: Stripe.WebhookEndpoint): Finding[] {
  const { id, enabled_events: enabled, status, api_version: version } = endpoint;
  const findings: Finding[] = [];
  const missing = enabled.includes('*') ? [] : HANDLED_EVENTS.filter((type) => !enabled.includes(type));
  if (missing.length > 0) {
    findings.push({
      text: `The webhook endpoint lacks the events ${missing.join(', ')}.`,
      action: `add ${missing.length} events to the webhook endpoint`,
      apply: async () => {
        const events = [...enabled, ...missing] as EnabledEvent[];
        await stripe.webhookEndpoints.update(id, { enabled_events: events });
      },
    });
  }
  if (status !== 'enabled') {
    findings.push({
      text: 'The webhook endpoint is disabled.',
      action: 'enable the webhook endpoint',
      apply: async () => {
        await stripe.webhookEndpoints.update(id, { disabled: false });
      },
    });
  }
  if (version !== STRIPE_API_VERSION) {
    findings.push({
      text: `The webhook endpoint has the API version ${version ?? 'of the account'}, not ${STRIPE_API_VERSION}.`,
      advice: 'Delete it in the dashboard of Stripe, run npm run setup again, and deploy.',
    });
  }
  return findings;
}
