import { parentOf } from '../model/paths.ts';

import type { DocumentChange, StoredDocument } from './document.ts';
import { inScope } from './scope.ts';
import type { Scope } from './scope.ts';
import { SortedList } from './sorted-list.ts';

/** How an index arranges the documents of a scope: in partitions, each in an order that ends with the name. */
export interface IndexDefinition {
  /** Equal for equal arrangements only. */
  readonly id: string;
  readonly scope: Scope;
  /** The partitions with the document; none for a document that is not in the index. */
  readonly partitionsOf: (document: StoredDocument) => readonly string[];
  readonly compare: (left: StoredDocument, right: StoredDocument) => number;
}

/** An index over the current documents. */
export class DocumentIndex {
  readonly #definition: IndexDefinition;
  readonly #partitions = new Map<string, SortedList<StoredDocument>>();

  constructor(definition: IndexDefinition, documents: Iterable<StoredDocument>) {
    this.#definition = definition;
    const gathered = new Map<string, StoredDocument[]>();
    for (const document of documents) {
      for (const partition of definition.partitionsOf(document)) {
        const members = gathered.get(partition);
        if (members) members.push(document);
        else gathered.set(partition, [document]);
      }
    }
    for (const [partition, members] of gathered) {
      this.#partitions.set(
        partition,
        SortedList.fromSorted(definition.compare, members.sort(definition.compare)),
      );
    }
  }

  /** Documents of the partition in order, from the first that is not before the start. */
  *seek(partition: string, isBefore: (document: StoredDocument) => boolean): Generator<StoredDocument> {
    const documents = this.#partitions.get(partition);
    if (documents) yield* documents.seek(isBefore);
  }

  update({ path, before, after }: DocumentChange): void {
    if (!inScope(parentOf(path), this.#definition.scope)) return;
    if (before) this.#remove(before);
    if (after) this.#add(after);
  }

  #add(document: StoredDocument): void {
    for (const partition of this.#definition.partitionsOf(document)) {
      let documents = this.#partitions.get(partition);
      if (!documents) {
        documents = new SortedList(this.#definition.compare);
        this.#partitions.set(partition, documents);
      }
      documents.add(document);
    }
  }

  #remove(document: StoredDocument): void {
    for (const partition of this.#definition.partitionsOf(document)) {
      const documents = this.#partitions.get(partition);
      documents?.delete(document);
      if (documents?.size === 0) this.#partitions.delete(partition);
    }
  }
}

/** Every index costs each commit some time, and memory: the least recently used one gives way. */
const MAX_INDEXES = 64;

/** The indexes of one database. Each is built when a query first wants it and kept up to date by the commits. */
export class IndexSet {
  readonly #scan: (scope: Scope) => Iterable<StoredDocument>;
  readonly #indexes = new Map<string, DocumentIndex>();

  constructor(scan: (scope: Scope) => Iterable<StoredDocument>) {
    this.#scan = scan;
  }

  has(id: string): boolean {
    return this.#indexes.has(id);
  }

  open(definition: IndexDefinition): DocumentIndex {
    const existing = this.#indexes.get(definition.id);
    const index = existing ?? new DocumentIndex(definition, this.#scan(definition.scope));
    this.#indexes.delete(definition.id);
    this.#indexes.set(definition.id, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }

  update(changes: readonly DocumentChange[]): void {
    for (const index of this.#indexes.values()) for (const change of changes) index.update(change);
  }

  clear(): void {
    this.#indexes.clear();
  }
}
