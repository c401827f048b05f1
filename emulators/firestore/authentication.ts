/** The sender of a request. The token is undefined when nobody is signed in. */
export type Caller =
  { readonly kind: 'admin' } | { readonly kind: 'endUser'; readonly token: string | undefined };

export const ADMIN: Caller = { kind: 'admin' };

/**
 * Reads the Authorization header. The Admin SDK sends `Bearer owner` to an emulator. A request without the header comes
 * from an end user, because any page that a browser of this machine shows could send it.
 */
export function callerOf(authorization: string | undefined): Caller {
  const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  return token === 'owner' ? ADMIN : { kind: 'endUser', token };
}
