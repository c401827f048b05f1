import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The keys under which the requests of a client are counted. Google's front end adds the IP address from which it has
 * received the request at the end of X-Forwarded-For.
 *
 * | request | `X-Forwarded-For` | `client` | `hop` |
 * | --- | --- | --- | --- |
 * | Ada, by way of a server of Hosting | `Ada, server` | Ada and server | server |
 * | Mallory, with Ada's address as a forged header | `Ada, Mallory` | Ada and Mallory | Mallory |
 * | Mallory, without a header | `Mallory` | Mallory | undefined |
 *
 * - With one address, `client` is this address.
 * - With several addresses, `hop` is the last one. Only this address is certain: it belongs to a proxy, or to a client
 *   that has forged the addresses before it. Its limit is `CLIENTS_OF_A_HOP` times the limit of the route.
 * - Then `client` is the address before it, together with the hop. The limit of a client is that of the route. Without
 *   the hop in `client`, Mallory could send Ada's address, and use up the limit of Ada.
 */
interface ClientKeys {
  client: string;
  hop: string | undefined;
}

export function clientKeysOf(request: Request): ClientKeys {
  const forwarded = (request.get('X-Forwarded-For') ?? '').split(',').map((address) => address.trim());
  const last = forwarded.at(-1) || request.socket.remoteAddress || 'unknown';
  const beforeLast = forwarded.at(-2);
  const lastNetwork = networkOf(last);
  return beforeLast === undefined
    ? { client: lastNetwork, hop: undefined }
    : { client: `${networkOf(beforeLast)}|${lastNetwork}`, hop: lastNetwork };
}

/**
 * An IPv4 address, or the /64 network of an IPv6 address, because one home or office has a whole /64.
 * https://www.rfc-editor.org/rfc/rfc6177
 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
