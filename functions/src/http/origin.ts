import type { Request } from 'express';
import { forbidden } from './errors.ts';

/**
 * Refuses a request that another site's page may have sent. Browsers set Origin on every POST, PUT, PATCH and DELETE, and
 * pages cannot forge it (https://fetch.spec.whatwg.org/#origin-header).
 */
export function requireOwnOrigin(request: Request, ownOrigin: string): void {
  if (request.get('Origin') !== ownOrigin) {
    throw forbidden('This request must come from our own site.', 'foreign_origin');
  }
}
