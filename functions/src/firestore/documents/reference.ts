import * as z from 'zod';
import { DocumentPath } from '../convert.ts';

export function reference() {
  return z.instanceof(DocumentPath, { error: 'is not a reference' });
}
