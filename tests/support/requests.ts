import { randomInt } from 'node:crypto';
import { APP_URL } from './config.ts';

/** Sends a request as a browser tab does, without following redirects. */
export function visit(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', headers: { Accept: 'text/html', ...headers } });
}

/** Sends a request as a program does. */
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

/** The target of a redirect, as a URL of the app. */
export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'about:blank', APP_URL);
}

export async function errorOf(response: Response): Promise<{ status: number; error: string; code?: string }> {
  return { status: response.status, ...((await response.json()) as { error: string; code?: string }) };
}

/** An IP address that no other test uses. */
export function freshAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
}
