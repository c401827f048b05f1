import * as z from 'zod';

/** An e-mail address in a request, as it is stored: in lower case. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());

/**
 * The mailbox of an address: without `+tag`, and for Gmail without dots. Otherwise a person could be mailed without
 * limit, or have any number of trials, under endless spellings of one address.
 *
 * Most providers deliver `ada+tag@…` to `ada@…`. At a provider that has another mailbox under this name, the two
 * mailboxes share their limits and their trial.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const [local = ''] = email.slice(0, at).toLowerCase().split('+');
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${local}@${domain}`;
  return `${local.replaceAll('.', '')}@gmail.com`;
}
