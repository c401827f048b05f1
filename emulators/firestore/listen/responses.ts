import type { StatusError } from '../errors.ts';
import { documentName } from '../model/paths.ts';
import { encodeDocument } from '../wire/document-codec.ts';
import { encodeMicros } from '../wire/value-codec.ts';
import { encodeResumeToken } from './resume-token.ts';
import type { ViewChange } from './target-view.ts';
import type { Target } from './target.ts';

// The messages of a Listen stream:
// https://firebase.google.com/docs/firestore/reference/rpc/google.firestore.v1#google.firestore.v1.ListenResponse

type TargetChangeType = 'NO_CHANGE' | 'ADD' | 'REMOVE' | 'CURRENT' | 'RESET';

export const targetChange = (targetChangeType: TargetChangeType, id: number): object => ({
  targetChange: { targetChangeType, targetIds: [id] },
});

/** All changes of the target up to the time were sent. */
export const targetCurrent = (id: number, time: number): object => ({
  targetChange: { targetChangeType: 'CURRENT', targetIds: [id], ...upTo(time) },
});

/** All targets together show the state at the time: client libraries raise a snapshot. */
export const consistentAt = (time: number): object => ({
  targetChange: { targetChangeType: 'NO_CHANGE', targetIds: [], ...upTo(time) },
});

export const targetRefused = (id: number, { code, message }: StatusError): object => ({
  targetChange: { targetChangeType: 'REMOVE', targetIds: [id], cause: { code, message } },
});

/** The number of documents of a resumed target, so that the client can check its copy. */
export const existenceFilter = (targetId: number, count: number): object => ({ filter: { targetId, count } });

const upTo = (time: number): object => ({
  readTime: encodeMicros(time),
  resumeToken: encodeResumeToken(time),
});

interface MergedChange {
  readonly change: ViewChange;
  readonly mask: Target['mask'];
  readonly targetIds: number[];
  readonly removedTargetIds: number[];
}

/** Sends each document once for all targets, and once more for each target that selects fields. */
export class DocumentChanges {
  readonly #merged = new Map<string, MergedChange>();

  add({ id, mask }: Target, changes: readonly ViewChange[]): void {
    for (const change of changes) {
      const key = mask ? `${id}:${change.path}` : change.path;
      let merged = this.#merged.get(key);
      if (!merged) {
        merged = { change, mask, targetIds: [], removedTargetIds: [] };
        this.#merged.set(key, merged);
      }
      (change.inView ? merged.targetIds : merged.removedTargetIds).push(id);
    }
  }

  get isEmpty(): boolean {
    return this.#merged.size === 0;
  }

  messages(database: string, time: number): readonly object[] {
    return [...this.#merged.values()].map((merged) => message(database, merged, time));
  }
}

/** The new value of a document that left the view is not sent: its reader may not be meant to see it. */
function message(database: string, merged: MergedChange, time: number): object {
  const { change, mask, targetIds, removedTargetIds } = merged;
  if (targetIds.length > 0 && change.document) {
    const document = encodeDocument(database, change.document, mask);
    return { documentChange: { document, targetIds, removedTargetIds } };
  }
  const gone = {
    document: documentName(database, change.path),
    removedTargetIds,
    readTime: encodeMicros(time),
  };
  return change.document ? { documentRemove: gone } : { documentDelete: gone };
}
