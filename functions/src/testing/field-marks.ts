import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The mark of a field in the table "Editing by hand" of docs/data-model.md. */
export interface FieldMark {
  /** Name of the collection in Firestore. */
  collection: string;
  field: string;
  mark: string;
  note: string;
}

const PAGE = join(import.meta.dirname, '../../../docs/data-model.md');

/** The marks of all fields, in the order of the table. */
export function readFieldMarks(): FieldMark[] {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split('\n## Editing by hand\n');
  const table = section.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.+?) +\| (.+?) +\|$/gm)];
  return rows.flatMap(([, collection = '', mark = '', fields = '', note = '']) =>
    [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => ({ collection, field, mark, note })),
  );
}
