import * as z from 'zod';

/**
 * HTML's definition of an e-mail address, by which the pages check it, with a dot in the domain. Firebase Auth accepts
 * such addresses, too. Letters beyond ASCII in a domain are written in punycode, as browsers send them.
 *
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
const PATTERN =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** An e-mail address that can be mailed. It fits into a header: it has no space, comma, quote or angle bracket. */
export const addressSchema = z.email({ pattern: PATTERN });

/** An e-mail address in a request, as it is stored: in lower case. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(addressSchema);

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

/**
 * The name under which mail to an address is counted, if a stranger can cause the mail. All spellings of a mailbox
 * share one count, except for the spelling of the mailbox itself. Anybody can register any number of other spellings.
 * In a count of all of them they would use up the mail of the owner.
 *
 * @param email lower case
 */
export function countedAs(email: string): string {
  const mailbox = mailboxOf(email);
  return email === mailbox ? mailbox : `other spellings of ${mailbox}`;
}
