import type { KeyedHash } from '../../../personal-data/keyed-hash.ts';

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/** Id of an e-mail address in `trials/`. The address itself is not stored. */
export function trialIdOf(hash: KeyedHash, email: string): string {
  return `address:${hash('trial', trialMailboxOf(email))}`;
}

/**
 * The mailbox that an address reaches, as far as it can be known. Gmail ignores dots and everything after a plus sign.
 * At other providers an address with them may belong to another mailbox.
 */
export function trialMailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (!GMAIL.has(domain)) return address;
  return `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@gmail.com`;
}
