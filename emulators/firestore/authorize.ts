import { Guard } from './rules/guard.ts';
import type { GuardDependencies } from './rules/guard.ts';

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
 * What judges the caller's requests, whatever transport they come by: each RPC, each target of a Listen stream and each
 * commit of a Write stream. Undefined for administrators, who bypass security rules.
 */
export const guardOf = (dependencies: GuardDependencies, caller: Caller): Guard | undefined =>
  caller.kind === 'admin' ? undefined : new Guard(dependencies, caller.token);
