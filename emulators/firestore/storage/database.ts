import { ADMIN } from '../authentication.ts';
import type { Caller } from '../authentication.ts';
import type { Clock } from '../clock.ts';
import { comparePaths } from '../model/compare.ts';
import { parentOf } from '../model/paths.ts';
import type { DocumentChange, StoredDocument } from './document.ts';
import { IndexSet } from './index-set.ts';
import { inScope } from './scope.ts';
import type { Scope } from './scope.ts';
import { SortedList } from './sorted-list.ts';

/** One link in a document's history, newest first; `document` is undefined where it was deleted. */
interface Version {
  readonly time: number;
  readonly document: StoredDocument | undefined;
  previous: Version | undefined;
}

/** A commit, or the removal of all documents. */
export interface DatabaseEvent {
  /** `clear` is the removal of all documents through a control endpoint. */
  readonly kind: 'commit' | 'clear';
  /** Documents that changed; none may have. */
  readonly changes: readonly DocumentChange[];
  /** The author of the changes. */
  readonly author: Caller;
  /** Microseconds since the epoch. */
  readonly time: number;
}

/** Production keeps superseded versions for one hour: the reach of `readTime`. */
const RETENTION_MICROS = 3_600_000_000;

/**
 * The documents of one database with their recent history, so that a read at an earlier time sees what was committed
 * by then. Commits are synchronous and therefore atomic for every reader.
 */
export class Database {
  readonly name: string;
  /** Indexes over the current state. */
  readonly indexes = new IndexSet((scope) => this.scan(scope));
  readonly #clock: Clock;
  readonly #heads = new Map<string, Version>();
  readonly #collections = new Map<string, SortedList<string>>();
  readonly #superseded: { readonly time: number; readonly path: string }[] = [];
  readonly #observers = new Set<(event: DatabaseEvent) => void>();
  #lastCommit = 0;
  #historyStart: number;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.#historyStart = clock.nowMicros();
  }

  /** The oldest time that can still be read, in microseconds. */
  get earliestReadTime(): number {
    return this.#clock.nowMicros() - RETENTION_MICROS;
  }

  /** When the database was made or last cleared, in microseconds. Its state before that is unknown. */
  get historyStart(): number {
    return this.#historyStart;
  }

  /** Calls back within each commit, after its changes are visible. The returned function ends that. */
  observe(observer: (event: DatabaseEvent) => void): () => void {
    this.#observers.add(observer);
    return () => {
      this.#observers.delete(observer);
    };
  }

  /** A time at which every commit so far is visible and after which every later commit happens. */
  readTime(): number {
    this.#lastCommit = Math.max(this.#clock.nowMicros(), this.#lastCommit);
    return this.#lastCommit;
  }

  /** The next commit's time: strictly after every earlier commit and every read time given out. */
  nextCommitTime(): number {
    return Math.max(this.#clock.nowMicros(), this.#lastCommit + 1);
  }

  get(path: string, readTime?: number): StoredDocument | undefined {
    let version = this.#heads.get(path);
    if (readTime !== undefined) while (version && version.time > readTime) version = version.previous;
    return version?.document;
  }

  /** Whether the state at this time is the current one. */
  isCurrent(readTime: number): boolean {
    return readTime >= this.#lastCommit;
  }

  /** Maximum number of documents in the scope, including documents that were deleted within the retention. */
  sizeOf(scope: Scope): number {
    const sizes = this.#collectionsIn(scope).map(
      (collection) => this.#collections.get(collection)?.size ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Documents in the scope, collection by collection, each in order of document id. */
  *scan(scope: Scope, readTime?: number): Generator<StoredDocument> {
    for (const collection of this.#collectionsIn(scope)) {
      for (const path of this.#collections.get(collection)?.from() ?? []) {
        const document = this.get(path, readTime);
        if (document) yield document;
      }
    }
  }

  hasDocuments(collection: string, readTime?: number): boolean {
    for (const path of this.#collections.get(collection)?.from() ?? [])
      if (this.get(path, readTime)) return true;
    return false;
  }

  /** Paths of all collections that hold documents or did within the retention. */
  collectionPaths(): Iterable<string> {
    return this.#collections.keys();
  }

  /** Makes the changes visible at `time`, which comes from `nextCommitTime` in the same turn. */
  apply(changes: readonly DocumentChange[], time: number, author: Caller = ADMIN): void {
    this.#lastCommit = Math.max(this.#lastCommit, time);
    for (const { path, after } of changes) {
      const previous = this.#heads.get(path);
      this.#heads.set(path, { time, document: after, previous });
      if (previous || !after) this.#superseded.push({ time, path });
      if (!previous) this.#collectionOf(path).add(path);
    }
    this.indexes.update(changes);
    this.#prune();
    this.#notify({ kind: 'commit', changes, author, time });
  }

  clear(): void {
    const changes = [...this.#heads.values()].flatMap(({ document }) =>
      document ? [{ path: document.path, before: document, after: undefined }] : [],
    );
    const time = this.nextCommitTime();
    this.#lastCommit = time;
    this.#historyStart = time;
    this.#heads.clear();
    this.#collections.clear();
    this.#superseded.length = 0;
    this.indexes.clear();
    this.#notify({ kind: 'clear', changes, author: ADMIN, time });
  }

  #notify(event: DatabaseEvent): void {
    for (const observer of this.#observers) observer(event);
  }

  #collectionsIn(scope: Scope): string[] {
    if (!scope.allDescendants && scope.collectionId !== undefined) {
      return [scope.parent === '' ? scope.collectionId : `${scope.parent}/${scope.collectionId}`];
    }
    return [...this.#collections.keys()].filter((collection) => inScope(collection, scope));
  }

  #collectionOf(path: string): SortedList<string> {
    const collection = parentOf(path);
    let documents = this.#collections.get(collection);
    if (!documents) {
      documents = new SortedList(comparePaths);
      this.#collections.set(collection, documents);
    }
    return documents;
  }

  #prune(): void {
    const horizon = this.earliestReadTime;
    let expired = 0;
    for (const { time, path } of this.#superseded) {
      if (time > horizon) break;
      expired++;
      this.#forgetBefore(path, time);
    }
    if (expired > 0) this.#superseded.splice(0, expired);
  }

  /** Drops the versions that were replaced at `time`, and the document if it is still deleted. */
  #forgetBefore(path: string, time: number): void {
    const head = this.#heads.get(path);
    let version = head;
    while (version && version.time > time) version = version.previous;
    if (version) version.previous = undefined;
    if (version !== head || head?.document) return;
    this.#heads.delete(path);
    const collection = this.#collections.get(parentOf(path));
    collection?.delete(path);
    if (collection?.size === 0) this.#collections.delete(parentOf(path));
  }
}
