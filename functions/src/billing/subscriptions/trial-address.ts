import type { KeyedHash } from '../../common/keyed-hash.ts';

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/** Id of an address in `trials/`. The address itself is not stored. */
export function trialIdOf(hash: KeyedHash, email: string): string {
  return `address:${hash('trial', mailboxOf(email))}`;
}

/**
 * The mailbox of an address, as far as it is known. Gmail ignores dots and what follows a plus; at other providers these
 * may name another person's mailbox.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (!GMAIL.has(domain)) return address;
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@gmail.com`;
}
