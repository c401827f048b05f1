import type { FirebaseApp } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';
import { errorTexts, UserFacingError } from '../errors.ts';

/** The SDK waits forever for a script of Google's that was blocked. */
const TIMEOUT_MS = 20_000;

/**
 * Starts App Check with reCAPTCHA Enterprise. From now on the requests of the SDK carry its token.
 *
 * @returns a function that gets the token for requests to the backend; it throws a UserFacingError if there is none
 */
export function attest(app: FirebaseApp, siteKey: string): () => Promise<string> {
  const provider = new ReCaptchaEnterpriseProvider(siteKey);
  const appCheck = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
  return async () => {
    try {
      const { token } = await Promise.race([getToken(appCheck), failing(TIMEOUT_MS)]);
      return token;
    } catch (error) {
      throw new UserFacingError(errorTexts().appCheck, { cause: error });
    }
  };
}

function failing(afterMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => {
      reject(new Error('App Check does not answer.'));
    }, afterMs);
  });
}
