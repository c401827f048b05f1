import { createHearthClient, type HearthClient } from '@hearth/client';
import { cookies } from 'next/headers';

/** The name of the session cookie. Hosting passes no other cookie on. */
const COOKIE = '__session';

/**
 * The client for the user of this request, on the server. Its answers are for one user, so nothing may cache them.
 *
 * A page that is rendered with it is never static, because it reads the cookies of the request.
 */
export async function hearthOf(): Promise<HearthClient> {
  const session = (await cookies()).get(COOKIE)?.value;
  return createHearthClient({
    baseUrl: process.env['HEARTH_URL'] ?? '',
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      if (session !== undefined) headers.set('Cookie', `${COOKIE}=${session}`);
      return fetch(url, { ...init, headers, cache: 'no-store' });
    },
  });
}
