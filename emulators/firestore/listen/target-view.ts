import type { DocumentChange, StoredDocument } from '../storage/document.ts';

/** A document that entered a view, changed in it or left it. */
export interface ViewChange {
  readonly path: string;
  /** Undefined if the document no longer exists. */
  readonly document: StoredDocument | undefined;
  readonly inView: boolean;
}

/** The documents that a target covers. */
export interface TargetView {
  /** The documents of the view now. From here on `changesBy` returns the changes. */
  open(): readonly StoredDocument[];
  /** The documents of the view at a time within the retention, in microseconds. */
  at(readTime: number): readonly StoredDocument[];
  /** Documents that the target asks for by name and that do not exist now. */
  missing(): readonly string[];
  /** The changes of the view by a commit that was just made. */
  changesBy(changes: readonly DocumentChange[]): readonly ViewChange[];
}

/** The changes from the view's earlier content to its later one. `current` reads the current document. */
export function difference(
  earlier: Iterable<StoredDocument>,
  later: readonly StoredDocument[],
  current: (path: string) => StoredDocument | undefined,
): readonly ViewChange[] {
  const before = new Map([...earlier].map((document) => [document.path, document]));
  const entered = later.filter((document) => !isSame(before.get(document.path), document));
  for (const { path } of later) before.delete(path);
  return [
    ...[...before.keys()].map((path) => ({ path, document: current(path), inView: false })),
    ...entered.map((document) => ({ path: document.path, document, inView: true })),
  ];
}

/** No two commits happen at the same time. */
const isSame = (left: StoredDocument | undefined, right: StoredDocument): boolean =>
  left?.updateTime === right.updateTime;
