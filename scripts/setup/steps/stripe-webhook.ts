import type Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../../functions/src/backend-clients.ts';
import { HANDLED_EVENTS } from '../../../functions/src/billing/webhook/webhook.service.ts';
import type { Finding, Step, Target } from '../step.ts';
import { readSecret, WEBHOOK_SECRET, writeSecret } from './secrets.ts';
import { ownHosts } from './sign-in.ts';
import { NO_KEY } from './stripe-catalogue.ts';

/** For a finding after which Stripe does not send the events from before. */
const RECOVER =
  'Stripe does not send the events from before. If there were any, run `npm run admin -- events recover <since>`.';

/** The webhook endpoint with its events, its version and its secret. */
export const webhookStep: Step = {
  title: 'Webhook endpoint of Stripe',
  check: async (target) => {
    const { stripe, google, projectId } = target;
    if (stripe === undefined) return [NO_KEY];
    // An endpoint whose secret cannot be stored is not created.
    const secret = await readSecret(google, projectId, WEBHOOK_SECRET);
    const all = await Array.fromAsync(stripe.webhookEndpoints.list({ limit: 100 }));
    return [...findingsOfApp(stripe, target, secret, all), ...findingsOfFormerApp(target, all)];
  },
};

/** The differences of the endpoint for APP_URL. */
function findingsOfApp(
  stripe: Stripe,
  target: Target,
  secret: string | undefined,
  all: readonly Stripe.WebhookEndpoint[],
): Finding[] {
  const endpoints = all.filter(({ url }) => url === webhookUrl(target));
  const [endpoint] = endpoints;
  if (endpoint === undefined) {
    return [
      {
        text: `Stripe sends nothing to ${webhookUrl(target)}. ${RECOVER}`,
        action: 'create the webhook endpoint',
        apply: () => replaceEndpoints(stripe, target, []),
      },
    ];
  }
  const reason = reasonToReplace(endpoints, endpoint, secret);
  if (reason === undefined) return endpointFindings(stripe, endpoint);
  return [
    {
      text: reason,
      action: 'replace the webhook endpoint, and store the secret of the new one',
      apply: () => replaceEndpoints(stripe, target, endpoints),
    },
  ];
}

/**
 * Endpoints that this step may have made for a former APP_URL. Another project with the same account of Stripe may have
 * made them as well, so that only a person deletes one, and one of a foreign host is only a note.
 */
function findingsOfFormerApp(target: Target, all: readonly Stripe.WebhookEndpoint[]): Finding[] {
  const former = all.filter(
    ({ url, status, description }) =>
      status === 'enabled' &&
      description === ENDPOINT.description &&
      url !== webhookUrl(target) &&
      url.endsWith(WEBHOOK_PATH),
  );
  return former.map(({ url }) => {
    const text = `Stripe also sends every event to ${url}.`;
    const advice =
      'The functions know only the secret of the endpoint for APP_URL, and refuse these. Delete the endpoint in the dashboard of Stripe.';
    if (ownHosts(target).includes(new URL(url).hostname)) return { text, advice };
    return { text: `${text} If this was an APP_URL of this project: ${advice}`, isNote: true };
  });
}

const WEBHOOK_PATH = '/api/webhooks/stripe';

const webhookUrl = ({ appUrl }: Target) => `${appUrl}${WEBHOOK_PATH}`;

/** The secret and the version of an endpoint are fixed when it is created. */
function reasonToReplace(
  { length }: readonly Stripe.WebhookEndpoint[],
  { api_version: version }: Stripe.WebhookEndpoint,
  secret: string | undefined,
): string | undefined {
  if (length > 1) return `Stripe has ${length} webhook endpoints for the app, and one secret is stored.`;
  if (secret === undefined) return `Secret Manager has no ${WEBHOOK_SECRET}, and Stripe shows it only once.`;
  if (version === STRIPE_API_VERSION) return undefined;
  return `The webhook endpoint has the API version ${version ?? 'of the account'}, not ${STRIPE_API_VERSION}.`;
}

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;

/** The endpoint as the service needs it. */
export const ENDPOINT = {
  enabled_events: [...HANDLED_EVENTS] as EnabledEvent[],
  api_version: STRIPE_API_VERSION,
  description: 'Made by npm run setup',
} as const;

/** Creates an endpoint and stores its secret, and then removes the old ones. */
async function replaceEndpoints(
  stripe: Stripe,
  target: Target,
  old: readonly Stripe.WebhookEndpoint[],
): Promise<void> {
  const { id, secret } = await stripe.webhookEndpoints.create({ ...ENDPOINT, url: webhookUrl(target) });
  try {
    if (secret === undefined) throw new Error('Stripe answered no signing secret.');
    await writeSecret(target, WEBHOOK_SECRET, secret);
  } catch (error) {
    // Nobody would know its secret.
    await stripe.webhookEndpoints.del(id);
    throw error;
  }
  for (const one of old) await stripe.webhookEndpoints.del(one.id);
}

function endpointFindings(stripe: Stripe, endpoint: Stripe.WebhookEndpoint): Finding[] {
  const { id, enabled_events: enabled, status } = endpoint;
  const findings: Finding[] = [];
  const missing = enabled.includes('*') ? [] : HANDLED_EVENTS.filter((type) => !enabled.includes(type));
  if (missing.length > 0) {
    findings.push({
      text: `The webhook endpoint lacks the events ${missing.join(', ')}. ${RECOVER}`,
      action: `add ${missing.length} events to the webhook endpoint`,
      apply: async () => {
        const events = [...enabled, ...missing] as EnabledEvent[];
        await stripe.webhookEndpoints.update(id, { enabled_events: events });
      },
    });
  }
  if (status !== 'enabled') {
    findings.push({
      text: `The webhook endpoint is disabled. ${RECOVER}`,
      action: 'enable the webhook endpoint',
      apply: async () => {
        await stripe.webhookEndpoints.update(id, { disabled: false });
      },
    });
  }
  return findings;
}
