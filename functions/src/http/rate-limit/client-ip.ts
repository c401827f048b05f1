import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The keys under which the requests of an IP address are counted.
 *
 * Google's front end appends the address that has called it to X-Forwarded-For. This address, the last hop, is certain:
 * - In a direct call, the last hop is the client. The client can forge all other hops.
 * - In a call through Hosting, the last hop is an edge of Hosting, and the client is the hop before it. Nothing proves
 *   that a last hop belongs to Hosting.
 *
 * Therefore two keys are counted:
 * - The pair of client and last hop has the limit of the route. If Mallory forges Ada's address, Mallory's last hop
 *   still differs from Ada's. Therefore the pair differs, and Mallory does not use up Ada's limit.
 * - The last hop alone has a limit many times as high (`CLIENTS_OF_A_HOP`). It bounds the number of forged addresses.
 */
export interface ClientIps {
  /** Both addresses, as `<client>|<last hop>`. */
  clientAndHop: string;
  /** The last hop. Undefined for a request with one address. Then `clientAndHop` is this address. */
  hop: string | undefined;
}

export function clientIpsOf(request: Request): ClientIps {
  const forwarded = (request.get('X-Forwarded-For') ?? '').split(',').map((address) => address.trim());
  const last = forwarded.at(-1) || request.socket.remoteAddress || 'unknown';
  const beforeLast = forwarded.at(-2);
  const hop = networkOf(last);
  return beforeLast === undefined
    ? { clientAndHop: hop, hop: undefined }
    : { clientAndHop: `${networkOf(beforeLast)}|${hop}`, hop };
}

/**
 * Counts a /64 of IPv6 addresses as one address, because one home or office has all of them.
 * https://www.rfc-editor.org/rfc/rfc6177
 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
