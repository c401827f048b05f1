import type { RequestHandler } from 'express';
import { hasCode } from '../common/error-code.ts';
import type { Backend } from '../backend.ts';
import { refuse } from '../refusals.ts';

/** Where Firebase's client SDKs put the token. https://firebase.google.com/docs/app-check/web/custom-resource */
const HEADER = 'X-Firebase-AppCheck';

/**
 * Where it is required, lets only genuine copies of the app through, as Firebase App Check attests them. Not for links
 * that a browser navigates to, which carry no header.
 *
 * Refuses with 403 and not 401, for signing in again would not help.
 */
export function requireAppCheck({
  appCheck,
  config: { appCheckRequired },
}: Pick<Backend, 'appCheck' | 'config'>): RequestHandler {
  if (!appCheckRequired) {
    return (_request, _response, next) => {
      next();
    };
  }
  return async (request, _response, next) => {
    const token = request.get(HEADER);
    if (token === undefined) throw refuse('app_check_required', { header: HEADER });
    try {
      await (await appCheck()).verifyToken(token);
    } catch (error) {
      if (isKeyFetchError(error)) {
        throw refuse('app_check_unavailable', {}, { cause: error });
      }
      throw refuse('app_check_failed', {}, { cause: error });
    }
    next();
  };
}

/** Says that the public keys could not be fetched, which is no fault of the token. */
function isKeyFetchError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return hasCode(cause, 'key-fetch-error');
}
