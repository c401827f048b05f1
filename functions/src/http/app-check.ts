import type { RequestHandler } from 'express';
import type { Backend } from '../backend.ts';
import { hasCode } from '../common/error-code.ts';
import { refusal } from '../refusals/refusals.ts';

/** https://firebase.google.com/docs/app-check/web/custom-resource */
const HEADER = 'X-Firebase-AppCheck';

/** Refuses with 403 and not 401, because signing in again does not help. */
export function appCheckGuard({
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
    if (token === undefined) throw refusal('app_check_required', { header: HEADER });
    try {
      await (await appCheck()).verifyToken(token);
    } catch (error) {
      if (isKeyFetchError(error)) {
        throw refusal('app_check_unavailable', {}, { cause: error });
      }
      throw refusal('app_check_failed', {}, { cause: error });
    }
    next();
  };
}

/** True if the token could not be checked, because the public keys of App Check could not be fetched. */
function isKeyFetchError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return hasCode(cause, 'key-fetch-error');
}
