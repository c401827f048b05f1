import { hasVerifiedContact } from '../auth/caller.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';

/** The account of a sender. */
export interface Account {
  readonly emailVerified: boolean;
  /** Counts as verified. */
  readonly phoneNumber?: string | undefined;
}

/**
 * Requires a sender with a verified e-mail address or a phone number. Otherwise somebody could register another
 * person's address and publish files in the name of that person.
 *
 * Does nothing if uploads need no account, because the sender could upload without one. Also does nothing if
 * `UPLOAD_VERIFIED_ONLY` is off.
 *
 * @throws Refusal `uploader_unverified`
 */
export function requireVerifiedSender(
  { uploadRequiresAuth, uploadVerifiedOnly }: Pick<Config, 'uploadRequiresAuth' | 'uploadVerifiedOnly'>,
  account: Account,
): void {
  if (!uploadRequiresAuth || !uploadVerifiedOnly) return;
  if (hasVerifiedContact(account)) return;
  throw refusal('uploader_unverified');
}
