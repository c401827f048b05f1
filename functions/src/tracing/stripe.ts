import type Stripe from 'stripe';
import { traced, type SpanDescription } from '../common/span.ts';

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Records each request to Stripe as a span: also those that the client repeats, and those that get no answer. Changes
 * `client`.
 */
export function traceStripe(client: HttpClient): HttpClient {
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, ...others) =>
    traced(
      () => describe(host, path, method),
      async (span) => {
        const response = await send(host, port, path, method, ...others);
        const status = response.getStatusCode();
        span?.set({ 'http.response.status_code': status });
        if (status >= 400) span?.fail(String(status));
        return response;
      },
    );
  return client;
}

/** The query is left out, because it may have addresses. */
function describe(host: string, path: string, method: string): SpanDescription {
  const template = templateOf(path);
  return {
    name: `${method} ${template}`,
    kind: 'client',
    attributes: { 'server.address': host, 'http.request.method': method, 'url.template': template },
  };
}

/** The path with `{id}` for each id. Ids of Stripe have digits or capital letters, and names of resources do not. */
function templateOf(path: string): string {
  const [address = ''] = path.split('?');
  const [root, version, ...resources] = address.split('/');
  return [root, version, ...resources.map((part) => (/[^a-z_]/.test(part) ? '{id}' : part))].join('/');
}
