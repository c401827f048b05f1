import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The keys that a request is counted under.
 *
 * Google's front end appends the address of its caller to X-Forwarded-For. That last hop is always true: the client for a
 * direct call, an edge of Hosting for a call through Hosting, which puts the client before it. A direct caller can forge
 * every other hop, and nothing in a request proves that its last hop is Hosting's. So a client is counted together with
 * the last hop, with a narrow limit: a forged address never counts against the same address behind Hosting. The last hop
 * alone is counted with a wide limit, which bounds forged addresses.
 */
export interface ClientAddresses {
  /** The client and the last hop; the client alone for a direct call. */
  client: string;
  /** The last hop; undefined for a direct call. */
  hop: string | undefined;
}

export function addressesOf(request: Request): ClientAddresses {
  const forwarded = (request.get('X-Forwarded-For') ?? '').split(',').map((address) => address.trim());
  const last = forwarded.at(-1) || request.socket.remoteAddress || 'unknown';
  const beforeLast = forwarded.at(-2);
  const hop = networkOf(last);
  return beforeLast === undefined
    ? { client: hop, hop: undefined }
    : { client: `${networkOf(beforeLast)}|${hop}`, hop };
}

/** One customer has a whole /64 of IPv6 addresses: they count as one. https://www.rfc-editor.org/rfc/rfc6177 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
