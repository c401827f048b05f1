import { APP_URL } from './config.ts';

/** Asks as a browser tab does that is told not to follow redirects. */
export function visit(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', headers: { Accept: 'text/html', ...headers } });
}

/** Asks as a program does. */
export function call(
  method: string,
  url: string,
  options: { headers?: Record<string, string>; json?: unknown; body?: BodyInit } = {},
): Promise<Response> {
  const { headers = {}, json, body } = options;
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body }),
  });
}

/** Where a redirect leads, as an address of the app. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'about:blank', APP_URL);
}

export async function errorOf(response: Response): Promise<{ status: number; error: string; code?: string }> {
  return { status: response.status, ...((await response.json()) as { error: string; code?: string }) };
}
