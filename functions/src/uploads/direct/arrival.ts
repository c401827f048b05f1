import type { Config } from '../../settings/config.ts';
import { rateLimiter } from '../../http/rate-limit.ts';
import { LIMITS } from '../../settings/limits.ts';
import type { Backend } from '../../backend.ts';

/** What receiving objects needs, once for an instance. */
export interface Reception {
  backend: Backend;
  config: Config;
  /**
   * Counts an upload of a user, together with those through the API.
   *
   * @throws Refusal 429
   */
  take: (uid: string) => Promise<void>;
}

/** What Storage tells of an object that has arrived. */
export interface ArrivedObject {
  /** Its path in the bucket. */
  name: string;
  generation: string;
  /** MD5 of the bytes, in base64; '' if Storage did not compute it. */
  md5Hash: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** How its sender says that the bytes are packed; '' where nothing was said. */
  contentEncoding: string;
  metadata: Readonly<Record<string, string>>;
}

export function createReception(backend: Backend): Reception {
  const { config } = backend;
  return { backend, config, take: rateLimiter(backend, LIMITS.uploads(config)) };
}
