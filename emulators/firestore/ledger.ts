/** Document operations as Google bills them: https://firebase.google.com/docs/firestore/pricing */
export interface Usage {
  reads: number;
  writes: number;
  deletes: number;
}

const INDEX_ENTRIES_PER_READ = 1_000;

interface Entry extends Usage {
  readonly database: string;
  readonly label: string;
}

/** Counts billed operations per database and label, so that tests can check the cost of a request. */
export class Ledger {
  readonly #label: string;
  readonly #entries: Map<string, Entry>;

  constructor(label = '', entries = new Map<string, Entry>()) {
    this.#label = label;
    this.#entries = entries;
  }

  /** The same ledger, for requests that carry the label. */
  labeled(label: string): Ledger {
    return new Ledger(label, this.#entries);
  }

  /** A lookup of documents: each costs one read, found or not. */
  lookup(database: string, count: number): void {
    this.#of(database).reads += count;
  }

  /** A query costs its results and the documents that its offset skipped, at least one read. Returns the reads. */
  query(database: string, results: number): number {
    const reads = Math.max(1, results);
    this.#of(database).reads += reads;
    return reads;
  }

  /** An aggregation costs one read for every thousand index entries, at least one. Returns the reads. */
  aggregation(database: string, entries: number): number {
    const reads = Math.max(1, Math.ceil(entries / INDEX_ENTRIES_PER_READ));
    this.#of(database).reads += reads;
    return reads;
  }

  /** Writes and deletes of a commit: each costs one operation. */
  write(database: string, counts: Pick<Usage, 'writes' | 'deletes'>): void {
    const usage = this.#of(database);
    usage.writes += counts.writes;
    usage.deletes += counts.deletes;
  }

  /** The sum over the databases of a project, of all requests or of those with the label. */
  ofProject(project: string, label?: string): Usage {
    const total = { reads: 0, writes: 0, deletes: 0 };
    for (const entry of this.#entries.values()) {
      if (!isOf(entry, project) || (label !== undefined && entry.label !== label)) continue;
      total.reads += entry.reads;
      total.writes += entry.writes;
      total.deletes += entry.deletes;
    }
    return total;
  }

  /** Starts the counts of the project's databases again from zero. */
  reset(project: string): void {
    for (const [key, entry] of this.#entries) if (isOf(entry, project)) this.#entries.delete(key);
  }

  #of(database: string): Entry {
    const key = `${database} ${this.#label}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = { database, label: this.#label, reads: 0, writes: 0, deletes: 0 };
      this.#entries.set(key, entry);
    }
    return entry;
  }
}

const isOf = ({ database }: Entry, project: string): boolean => database.startsWith(`projects/${project}/`);
