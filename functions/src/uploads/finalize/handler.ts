import type { Backend } from '../../backend.ts';
import { sharedCounter } from '../../http/rate-limit/rate-limit.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import type { FinalizedObject } from './event.ts';
import { finalizeObject } from './finalize.service.ts';

/** Makes the handler of finalize events. One rate limiter serves all events of an instance. */
export function createFinalizeHandler(backend: Backend): (object: FinalizedObject) => Promise<void> {
  const countAgainstRateLimit = sharedCounter(backend, RATE_LIMITS.uploads(backend.config));
  return (object) => finalizeObject({ backend, countAgainstRateLimit }, object);
}
