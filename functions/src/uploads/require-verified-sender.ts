import { hasVerifiedContact } from '../auth/caller.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';

/** A sender's account. For a direct upload its state is current, for an API upload at most `USER_CACHE_SECONDS` old. */
export interface Account {
  readonly emailVerified: boolean;
  /** Set by the Admin SDK, or after the user has entered a code sent to this number. */
  readonly phoneNumber?: string | undefined;
}

/**
 * Requires a sender with a verified e-mail address or a phone number; an anonymous account has neither. Otherwise
 * somebody could register another person's address and publish files under this address, private files as well, because
 * the URL of a file is enough to read the file.
 *
 * Does nothing if uploads need no account, or if `UPLOAD_VERIFIED_ONLY` is off.
 *
 * @throws Refusal `email_unverified`
 */
export function requireVerifiedSender(
  { uploadRequiresAuth, uploadVerifiedOnly }: Pick<Config, 'uploadRequiresAuth' | 'uploadVerifiedOnly'>,
  account: Account,
): void {
  if (!uploadRequiresAuth || !uploadVerifiedOnly) return;
  if (hasVerifiedContact(account)) return;
  throw refusal('uploader_unverified');
}
