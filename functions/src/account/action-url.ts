import { withQuery } from '../common/url.ts';
import type { Config } from '../settings/config.ts';

/**
 * Makes the URL of the app's own page for a link of Firebase Auth. The link itself leads to a page of Google.
 *
 * https://firebase.google.com/docs/auth/custom-email-handler
 */
export function ownActionUrl(
  { appUrl, actionPath }: Pick<Config, 'appUrl' | 'actionPath'>,
  link: string,
  continueTo: string | undefined,
): string {
  const { searchParams } = new URL(link);
  const [mode, oobCode] = [searchParams.get('mode'), searchParams.get('oobCode')];
  if (mode === null || oobCode === null) throw new Error('The link of Firebase Auth has no mode or no code.');
  const next = continueTo === undefined ? {} : { continueUrl: appUrl + continueTo };
  return appUrl + withQuery(actionPath, { mode, oobCode, ...next });
}
