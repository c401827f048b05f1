import { readIntactOrLogged } from '../firestore/damage.ts';
import type { Db } from '../firestore/db.ts';
import type { ExportedUser, ExportList, ExportParts } from '../personal-data/export-parts.ts';

interface Export {
  readonly db: Db;
  readonly head: object;
  readonly parts: ExportParts;
  readonly subject: ExportedUser;
  /** The most items of one list. Further items are left out. */
  readonly maxItems: number;
}

/** Yields the text of a JSON object: the fields of `head`, every part, and the names of the incomplete parts. */
export async function* exportText(source: Export): AsyncGenerator<string> {
  const { db, head, parts, subject, maxItems } = source;
  const incomplete: string[] = [];
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, part] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}:`;
    const isComplete =
      'one' in part
        ? yield* objectText(() => part.one(db, subject))
        : yield* listText(part.many(db, subject), maxItems);
    if (!isComplete) incomplete.push(name);
  }
  yield `,\n"incomplete":${JSON.stringify(incomplete)}}\n`;
}

/** @returns false if a damaged document was left out */
async function* objectText(read: () => Promise<object | null>): AsyncGenerator<string, boolean> {
  const object = await readIntactOrLogged(read());
  yield JSON.stringify(object ?? null);
  return object !== undefined;
}

/** @returns false if items were left out */
async function* listText(items: ExportList, maxItems: number): AsyncGenerator<string, boolean> {
  let count = 0;
  let isComplete = true;
  yield '[';
  for await (const item of items) {
    if (item === undefined || count === maxItems) isComplete = false;
    if (count === maxItems) break;
    if (item !== undefined) yield (count++ === 0 ? '\n' : ',\n') + JSON.stringify(item);
  }
  yield ']';
  return isComplete;
}
