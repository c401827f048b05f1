import { GoogleAuth } from 'google-auth-library';

/**
 * Access tokens of the application default credentials, to call Google's management APIs.
 *
 * @returns a function that throws an Error with the way to sign in, if there are no credentials
 */
export function googleTokens(): () => Promise<string> {
  const auth = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/cloud-platform'] });
  return async () => {
    try {
      return (await auth.getAccessToken()) ?? '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const advice = 'Sign in by: gcloud auth application-default login';
      throw new Error(`Google gives no access token. ${reason}\n${advice}`, { cause: error });
    }
  };
}
