import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The addresses that a request is counted under.
 *
 * Google's front end appends the address that it was called from to X-Forwarded-For: of the client for a direct call, of
 * Hosting's edge for one through Hosting, with the client's before it. Everything further left is the client's own word,
 * and who calls directly can forge the one before the last as well. So the last one, which is always true, is counted
 * with a wide limit, and the one before it with a narrow one.
 */
export interface ClientAddresses {
  client: string;
  /** Undefined where nothing stands between. */
  edge: string | undefined;
}

export function addressesOf(request: Request): ClientAddresses {
  const forwarded = (request.get('X-Forwarded-For') ?? '').split(',').map((address) => address.trim());
  const last = forwarded.at(-1) || request.socket.remoteAddress || 'unknown';
  const beforeLast = forwarded.at(-2);
  return beforeLast === undefined
    ? { client: networkOf(last), edge: undefined }
    : { client: networkOf(beforeLast), edge: networkOf(last) };
}

/** One customer has a whole /64 of IPv6 addresses: they count as one. https://www.rfc-editor.org/rfc/rfc6177 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
