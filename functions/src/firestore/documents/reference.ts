import * as z from 'zod';
import { DocumentPath } from '../convert.ts';

/** The schema of a field with a reference to a document. */
export function reference() {
  return z.instanceof(DocumentPath, { message: 'is not a reference' });
}
