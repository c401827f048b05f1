import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The keys under which the requests of an IP address are counted.
 *
 * Google's front end appends the address of its caller to X-Forwarded-For. Only this last hop is certain. In a direct
 * call it is the client. In a call through Hosting it is an edge of Hosting, and the client is the hop before it. A
 * direct caller can forge all other hops, and nothing proves that a last hop belongs to Hosting.
 *
 * There are two counts. The pair of client and last hop has the limit of the route: an attacker who forges the address
 * of a customer has another last hop, and does not use up the limit of that customer. The last hop alone has a limit
 * many times as high (`CLIENTS_OF_A_HOP`), which bounds the number of forged addresses.
 */
export interface ClientIps {
  /** The client and the last hop; the client alone for a direct call. */
  client: string;
  /** The last hop; undefined for a direct call. */
  hop: string | undefined;
}

export function clientIpsOf(request: Request): ClientIps {
  const forwarded = (request.get('X-Forwarded-For') ?? '').split(',').map((address) => address.trim());
  const last = forwarded.at(-1) || request.socket.remoteAddress || 'unknown';
  const beforeLast = forwarded.at(-2);
  const hop = networkOf(last);
  return beforeLast === undefined
    ? { client: hop, hop: undefined }
    : { client: `${networkOf(beforeLast)}|${hop}`, hop };
}

/**
 * A /64 of IPv6 addresses counts as one, because one customer has all of them. https://www.rfc-editor.org/rfc/rfc6177
 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
