import type { RequestHandler } from 'express';
import type { Db } from '../firestore/db.ts';

/** Limits how long all calls of a request together wait for Firestore, so that an outage is answered with 503. */
export function limitFirestoreWaits(db: Pick<Db, 'limitWaits'>): RequestHandler {
  return (_request, _response, next) => {
    db.limitWaits('request', next);
  };
}
