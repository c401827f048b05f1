import type { RequestHandler } from 'express';
import type { Backend } from '../backend.ts';
import { hasCode } from '../common/error-code.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';

/** https://firebase.google.com/docs/app-check/web/custom-resource */
const HEADER = 'X-Firebase-AppCheck';

/** After a failed fetch of the public keys, no token is verified for this time. */
const FAILURE_PAUSE_MS = 2_000;

/** @throws Refusal `app_check_failed`; `app_check_unavailable` while the public keys cannot be fetched */
export type VerifyAppCheck = (token: string) => Promise<void>;

/**
 * Verifies tokens with the Admin SDK. If App Check's public keys have expired, the SDK fetches them for each token
 * again, and waits up to 30 seconds. Therefore after a failed fetch only one token at a time is verified, with a pause
 * before it. All others are refused immediately, until a token is accepted.
 *
 * @param clock a monotonic clock in milliseconds
 */
export function appCheckVerifier(
  appCheck: Backend['appCheck'],
  clock = () => performance.now(),
): VerifyAppCheck {
  /** Undefined unless a fetch has failed. */
  let retryAt: number | undefined;
  let isRetrying = false;

  const verify: VerifyAppCheck = async (token) => {
    try {
      await (await appCheck()).verifyToken(token);
      retryAt = undefined;
    } catch (cause) {
      if (!isKeyFetchError(cause)) throw refusal('app_check_failed', {}, { cause });
      retryAt = clock() + FAILURE_PAUSE_MS;
      throw refusal('app_check_unavailable', {}, { cause });
    }
  };

  return async (token) => {
    if (retryAt === undefined) return verify(token);
    if (isRetrying || clock() < retryAt) throw refusal('app_check_unavailable');
    isRetrying = true;
    try {
      await verify(token);
    } finally {
      isRetrying = false;
    }
  };
}

/** Refuses with 403 and not 401, because signing in again does not help. */
export function appCheckGuard(
  { appCheckRequired }: Pick<Config, 'appCheckRequired'>,
  verify: VerifyAppCheck,
): RequestHandler {
  if (!appCheckRequired) {
    return (_request, _response, next) => {
      next();
    };
  }
  return async (request, _response, next) => {
    const token = request.get(HEADER);
    if (token === undefined) throw refusal('app_check_required', { header: HEADER });
    await verify(token);
    next();
  };
}

/** True if the token could not be checked, because the public keys of App Check could not be fetched. */
function isKeyFetchError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return hasCode(cause, 'key-fetch-error');
}
