import type Stripe from 'stripe';

type Endpoint = Pick<Stripe.WebhookEndpoint, 'id' | 'url' | 'status' | 'enabled_events'>;

/** The path of our webhook. */
const OUR_PATH = '/api/webhooks/stripe';

/** Advice about the webhook endpoints of the Stripe account, one sentence each. */
export function endpointAdvice(endpoints: readonly Endpoint[], handledEvents: readonly string[]): string[] {
  const enabled = endpoints.filter(({ status }) => status === 'enabled');
  const ofExtension = enabled.filter(({ url }) => isOfExtension(url));
  const ours = enabled.filter(({ url }) => URL.parse(url)?.pathname === OUR_PATH);
  return [
    ...ofExtension.map(({ id, url }) => `Switch off the webhook endpoint ${id} of the extension: ${url}`),
    ...(ours.length === 0 ? [`Create a webhook endpoint at https://<your app>${OUR_PATH}.`] : []),
    ...ours.flatMap((endpoint) => missingEvents(endpoint, handledEvents)),
  ];
}

/** `ext-<instance>-handleWebhookEvents`, as a host of Cloud Run or a path of Cloud Functions. */
function isOfExtension(url: string): boolean {
  return /ext-[a-z0-9-]+-handlewebhookevents/i.test(url);
}

function missingEvents({ id, enabled_events: enabled }: Endpoint, handled: readonly string[]): string[] {
  if (enabled.includes('*')) return [];
  const missing = handled.filter((type) => !enabled.some((one) => one === type));
  return missing.length === 0
    ? []
    : [`Add these events to the webhook endpoint ${id}: ${missing.join(', ')}`];
}
