import type { Backend } from '../../backend.ts';
import { createLimiters } from '../../http/rate-limit/rate-limit.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import type { FinalizedObject } from './event.ts';
import { finalizeObject } from './finalize.service.ts';

/** Makes the handler of finalize events. Its rate limiters serve all events of an instance. */
export function createFinalizeHandler(backend: Backend): (object: FinalizedObject) => Promise<void> {
  const limiters = createLimiters(backend);
  const countAgainstRateLimit = limiters.shared(RATE_LIMITS.uploads(backend.config));
  const { consume: countRefusal } = limiters.perInstance(RATE_LIMITS.refusedUploads(backend.config));
  return (object) => finalizeObject({ backend, countAgainstRateLimit, countRefusal }, object);
}
