import type { Clock } from './clock.ts';
import { Database } from './storage/database.ts';
import type { DatabaseEvent } from './storage/database.ts';
import { TransactionCoordinator } from './transactions/coordinator.ts';
import type { TransactionTimeouts } from './transactions/coordinator.ts';

/** A database with the coordinator of its transactions. */
export interface OpenDatabase {
  readonly database: Database;
  readonly transactions: TransactionCoordinator;
}

/** All databases of all projects; one comes into being when it is first named. */
export class Store {
  readonly #clock: Clock;
  readonly #timeouts: TransactionTimeouts;
  readonly #databases = new Map<string, OpenDatabase>();
  readonly #observers: ((database: string, event: DatabaseEvent) => void)[] = [];

  constructor(clock: Clock, timeouts: TransactionTimeouts) {
    this.#clock = clock;
    this.#timeouts = timeouts;
  }

  /** `name` is `projects/P/databases/D`. */
  open(name: string): OpenDatabase {
    let open = this.#databases.get(name);
    if (!open) {
      const database = new Database(name, this.#clock);
      open = { database, transactions: new TransactionCoordinator(database, this.#clock, this.#timeouts) };
      this.#databases.set(name, open);
      database.observe((event) => {
        for (const observer of this.#observers) observer(name, event);
      });
    }
    return open;
  }

  /** Calls back within each commit to any database, including databases that are created later. */
  observe(observer: (database: string, event: DatabaseEvent) => void): void {
    this.#observers.push(observer);
  }

  /** The databases of a project that were named so far. */
  databasesOf(project: string): readonly Database[] {
    return [...this.#databases.values()]
      .map(({ database }) => database)
      .filter(({ name }) => name.startsWith(`projects/${project}/databases/`));
  }

  /** Forgets every document of the database and ends its transactions. */
  clear(name: string): void {
    const open = this.#databases.get(name);
    open?.transactions.reset();
    open?.database.clear();
  }
}
