/** Document operations as Google bills them: https://firebase.google.com/docs/firestore/pricing */
export interface Usage {
  reads: number;
  writes: number;
  deletes: number;
}

const INDEX_ENTRIES_PER_READ = 1_000;

/** Counts billed operations per database, so that the cost of a piece of work can be looked at and tested. */
export class Ledger {
  readonly #usage = new Map<string, Usage>();

  /** A lookup of documents: each costs one read, found or not. */
  lookup(database: string, count: number): void {
    this.#of(database).reads += count;
  }

  /** A query costs its results and what its offset skipped, at least one read. */
  query(database: string, results: number): void {
    this.#of(database).reads += Math.max(1, results);
  }

  /** An aggregation costs one read for every thousand index entries, at least one. */
  aggregation(database: string, entries: number): void {
    this.#of(database).reads += Math.max(1, Math.ceil(entries / INDEX_ENTRIES_PER_READ));
  }

  commit(database: string, counts: Pick<Usage, 'writes' | 'deletes'>): void {
    const usage = this.#of(database);
    usage.writes += counts.writes;
    usage.deletes += counts.deletes;
  }

  /** The sum over the databases of a project. */
  ofProject(project: string): Usage {
    const total = { reads: 0, writes: 0, deletes: 0 };
    for (const [database, { reads, writes, deletes }] of this.#usage) {
      if (!database.startsWith(`projects/${project}/`)) continue;
      total.reads += reads;
      total.writes += writes;
      total.deletes += deletes;
    }
    return total;
  }

  #of(database: string): Usage {
    let usage = this.#usage.get(database);
    if (!usage) {
      usage = { reads: 0, writes: 0, deletes: 0 };
      this.#usage.set(database, usage);
    }
    return usage;
  }
}
