import { projectFields } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { documentName } from '../model/paths.ts';
import type { StoredDocument } from '../storage/document.ts';
import type { WireDocument } from './messages.ts';
import { encodeFields, encodeMicros } from './value-codec.ts';

/** The Document message, cut down to the mask's fields if there is one. */
export function encodeDocument(
  database: string,
  document: StoredDocument,
  mask?: readonly FieldPath[],
): WireDocument {
  return {
    name: documentName(database, document.path),
    fields: encodeFields(mask ? projectFields(document.fields, mask) : document.fields),
    createTime: encodeMicros(document.createTime),
    updateTime: encodeMicros(document.updateTime),
  };
}
