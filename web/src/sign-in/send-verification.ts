import { hearth } from '../backend/hearth.ts';
import { pathToReopen } from '../callback.ts';
import { signInTexts } from './texts.ts';

/** Mails the signed-in user a link that verifies their address and leads back to the page that is shown. */
export async function sendVerification(): Promise<string> {
  await hearth.account.sendVerification({ continueTo: pathToReopen(location) });
  return signInTexts().verification.sent;
}
