import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../../../functions/src/backend-clients.ts';
import { HANDLED_EVENTS } from '../../../functions/src/billing/webhook/webhook.service.ts';
import type { Finding, Step, Target } from '../step.ts';
import { newestProblem, readSecret, WEBHOOK_SECRET, writeSecret } from './secrets.ts';
import { ownHosts } from './sign-in.ts';
import { NO_KEY } from './stripe-catalogue.ts';

/** For a finding after which Stripe does not send the events from before. */
const recover = ({ projectId }: Target) =>
  `Stripe does not send the events from before. If there were any, run \`npm run admin -- events recover <since> --project ${projectId}\`.`;

/** The webhook endpoint with its events, its version and its secret. */
export const webhookStep: Step = {
  title: 'Webhook endpoint of Stripe',
  check: async (target) => {
    const { stripe, google, projectId } = target;
    if (stripe === undefined) return [NO_KEY];
    // An endpoint whose secret cannot be stored is not created.
    const secret = await readSecret(google, projectId, WEBHOOK_SECRET);
    const all = await Array.fromAsync(stripe.webhookEndpoints.list({ limit: 100 }));
    return [
      ...findingsOfApp(stripe, target, secret, all),
      ...findingsOfFormerApp(target, secret, all),
      ...(await findingsOfNewest(target)),
    ];
  },
};

/** The secret of the endpoint may be stored, and a newer version not be enabled. */
async function findingsOfNewest(target: Target): Promise<Finding[]> {
  const text = await newestProblem(target, WEBHOOK_SECRET);
  if (text === undefined) return [];
  const advice = `Enable this version, or add the secret of the endpoint again: npx firebase functions:secrets:set ${WEBHOOK_SECRET} --project ${target.projectId}`;
  return [{ text, advice }];
}

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
        text: `Stripe sends nothing to ${webhookUrl(target)}. ${recover(target)}`,
        action: 'create the webhook endpoint',
        apply: () => replaceEndpoints(stripe, target, []),
      },
    ];
  }
  const reason = reasonToReplace(endpoints, endpoint, secret) ?? reasonOfSecret(endpoint, secret, all);
  if (reason === undefined) return [...endpointFindings(stripe, target, endpoint), ...noteOfMark(endpoint)];
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
function findingsOfFormerApp(
  target: Target,
  secret: string | undefined,
  all: readonly Stripe.WebhookEndpoint[],
): Finding[] {
  const former = all.filter(
    ({ url, status, description }) =>
      status === 'enabled' &&
      description === ENDPOINT.description &&
      url !== webhookUrl(target) &&
      url.endsWith(WEBHOOK_PATH),
  );
  const isKnown = all.some((one) => one.url === webhookUrl(target) && hasSecret(one, secret));
  return former.map(({ url }) => {
    const text = `Stripe also sends every event to ${url}.`;
    const advice = isKnown ? DELETE_FORMER : DELETE_FAILING;
    if (ownHosts(target).includes(new URL(url).hostname)) return { text, advice };
    return { text: `${text} If this was an APP_URL of this project: ${advice}`, isNote: true };
  });
}

const DELETE_FORMER =
  'The functions know only the secret of the endpoint for APP_URL, and refuse these. Delete the endpoint in the dashboard of Stripe.';

/** It is not known which endpoint has the stored secret, so a person looks at the deliveries. */
const DELETE_FAILING =
  'The functions know the secret of one endpoint. In the dashboard of Stripe delete the one whose deliveries fail, and run npm run setup again.';

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

/** The name in the metadata of an endpoint that has the fingerprint of its secret. */
const MARK = 'secretFingerprint';

/** The metadata of an endpoint. A fingerprint identifies the secret and does not reveal it. */
export function markOf(secret?: string): Record<string, string> {
  if (secret === undefined) return { [MARK]: 'unknown' };
  return { [MARK]: createHash('sha256').update(secret).digest('hex').slice(0, 16) };
}

const hasSecret = ({ metadata }: Stripe.WebhookEndpoint, secret: string | undefined) =>
  secret !== undefined && metadata[MARK] === markOf(secret)[MARK];

/**
 * The stored secret may be that of another endpoint: of another APP_URL, of Stripe's other mode, or of an endpoint from
 * before an interrupted set-up.
 */
function reasonOfSecret(
  endpoint: Stripe.WebhookEndpoint,
  secret: string | undefined,
  all: readonly Stripe.WebhookEndpoint[],
): string | undefined {
  const owner = all.find((one) => hasSecret(one, secret));
  if (owner?.id === endpoint.id) return undefined;
  const text = `The stored ${WEBHOOK_SECRET} is not that of the webhook endpoint for the app`;
  if (owner !== undefined) return `${text}, but of ${owner.url}.`;
  return isMarked(endpoint) ? `${text}. ${IF_ROLLED}` : undefined;
}

const IF_ROLLED =
  'If its secret was rolled in the dashboard of Stripe, first remove the mark, as docs/operations.md describes under "A leaked key".';

const isMarked = ({ metadata }: Stripe.WebhookEndpoint) => (metadata[MARK] ?? '') !== '';

/** Earlier versions of this step and the dashboard make endpoints without a mark, and most of these work. */
function noteOfMark(endpoint: Stripe.WebhookEndpoint): Finding[] {
  if (isMarked(endpoint)) return [];
  const text = `It cannot be known whether the stored ${WEBHOOK_SECRET} is that of the webhook endpoint.`;
  const advice =
    'If the dashboard of Stripe shows deliveries that were answered with 400, delete the endpoint, and run npm run setup again.';
  return [{ text: `${text} ${advice}`, isNote: true }];
}

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;

/** The endpoint as the service needs it. */
export const ENDPOINT = {
  enabled_events: [...HANDLED_EVENTS] as EnabledEvent[],
  api_version: STRIPE_API_VERSION,
  description: 'Made by npm run setup',
} as const;

/**
 * Creates an endpoint and stores its secret, and then removes the old ones. If the set-up is interrupted before the
 * secret is stored, the mark says that the stored secret is another one.
 */
async function replaceEndpoints(
  stripe: Stripe,
  target: Target,
  old: readonly Stripe.WebhookEndpoint[],
): Promise<void> {
  const { id, secret } = await stripe.webhookEndpoints.create({
    ...ENDPOINT,
    url: webhookUrl(target),
    metadata: markOf(),
  });
  try {
    if (secret === undefined) throw new Error('Stripe answered no signing secret.');
    await stripe.webhookEndpoints.update(id, { metadata: markOf(secret) });
    await writeSecret(target, WEBHOOK_SECRET, secret);
  } catch (error) {
    // Nobody would know its secret.
    await stripe.webhookEndpoints.del(id);
    throw error;
  }
  for (const one of old) await stripe.webhookEndpoints.del(one.id);
}

function endpointFindings(stripe: Stripe, target: Target, endpoint: Stripe.WebhookEndpoint): Finding[] {
  const { id, enabled_events: enabled, status } = endpoint;
  const findings: Finding[] = [];
  const missing = enabled.includes('*') ? [] : HANDLED_EVENTS.filter((type) => !enabled.includes(type));
  if (missing.length > 0) {
    findings.push({
      text: `The webhook endpoint lacks the events ${missing.join(', ')}. ${recover(target)}`,
      action: `add ${missing.length} events to the webhook endpoint`,
      apply: async () => {
        const events = [...enabled, ...missing] as EnabledEvent[];
        await stripe.webhookEndpoints.update(id, { enabled_events: events });
      },
    });
  }
  if (status !== 'enabled') {
    findings.push({
      text: `The webhook endpoint is disabled. ${recover(target)}`,
      action: 'enable the webhook endpoint',
      apply: async () => {
        await stripe.webhookEndpoints.update(id, { disabled: false });
      },
    });
  }
  return findings;
}
