import { permissionDenied } from './errors.ts';

/** Who sends a request; the token is undefined when nobody is signed in. */
export type Caller =
  { readonly kind: 'admin' } | { readonly kind: 'endUser'; readonly token: string | undefined };

export const ADMIN: Caller = { kind: 'admin' };

/**
 * Reads the Authorization header. The Admin SDK sends `Bearer owner` to an emulator. A request without the header is an
 * end user's: any page that a browser of this machine shows could send it.
 */
export function callerOf(authorization: string | undefined): Caller {
  const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  return token === 'owner' ? ADMIN : { kind: 'endUser', token };
}

/**
 * The one gate that every RPC passes, whatever its transport, each target of a Listen stream and each commit of a Write
 * stream included. Administrators bypass security rules; end users are denied while no rules engine
 * can judge their requests. Throws PERMISSION_DENIED.
 */
export function authorize(caller: Caller): void {
  if (caller.kind === 'admin') return;
  throw permissionDenied(
    'Security rules are not evaluated by this emulator yet, so requests of end users are denied.',
  );
}
