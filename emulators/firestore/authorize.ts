import { permissionDenied } from './errors.ts';

/** Who sends a request. */
export type Caller = { readonly kind: 'admin' } | { readonly kind: 'endUser'; readonly token: string };

/**
 * Reads the Authorization header. The Admin SDK sends `Bearer owner` to an emulator; without the header a request is
 * an administrator's too, as only a gRPC client of this machine can reach the port.
 */
export function callerOf(authorization: string | undefined): Caller {
  const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined || token === 'owner' ? { kind: 'admin' } : { kind: 'endUser', token };
}

/**
 * The one gate that every RPC passes. Administrators bypass security rules; end users are denied while no rules engine
 * can judge their requests. Throws PERMISSION_DENIED.
 */
export function authorize(caller: Caller): void {
  if (caller.kind === 'admin') return;
  throw permissionDenied(
    'Security rules are not evaluated by this emulator yet, so requests of end users are denied.',
  );
}
