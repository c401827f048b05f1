import type { Backend } from '../../functions/src/backend.ts';
import { DirectCollection } from '../../functions/src/firestore/collection.ts';
import type { Db, Tx } from '../../functions/src/firestore/db.ts';
import type { NewAuditEntry } from '../../functions/src/firestore/documents/audit-entry.ts';

/** Everything that a collection has beyond reading. */
const WRITES = new Set(Object.getOwnPropertyNames(DirectCollection.prototype));

/** Ends a rehearsal at the first change that cannot be taken back. */
class WouldWrite extends Error {}

/** Ends a transaction, so that nothing of it is written. */
class RolledBack extends Error {}

/** The result of an action that was carried out without its effects. */
export interface Rehearsal {
  /** The entries of the audit log that the action would have made. */
  entries: NewAuditEntry[];
  /** The first change that cannot be taken back, such as `Stripe: subscriptions.cancel`. Undefined if there is none. */
  endedBefore: string | undefined;
}

/**
 * Carries out an action without its effects: transactions are rolled back, and the action ends where it would write to
 * anything else. So it fails as it would for real, as long as it checks before it writes. It does not go on after such
 * a change: the later steps use its result, and repeat until what it removes is gone.
 *
 * @param act gets the backend to act with
 * @throws the error of the action
 */
export async function rehearse(
  backend: Backend,
  act: (backend: Backend) => Promise<unknown>,
): Promise<Rehearsal> {
  const rehearsal: Rehearsal = { entries: [], endedBefore: undefined };
  try {
    await act(withoutEffects(backend, rehearsal));
  } catch (error) {
    if (!isWouldWrite(error)) throw error;
  }
  return rehearsal;
}

/** A function that ends the rehearsal instead of changing something. */
type Stop = () => Promise<never>;

/** Makes functions that end the rehearsal, and note the first change that would have been made. */
type StopBefore = (change: string) => Stop;

function stopsOf(rehearsal: Rehearsal): StopBefore {
  return (change) => () => {
    rehearsal.endedBefore ??= change;
    return Promise.reject(new WouldWrite(change));
  };
}

/** A service may have wrapped the error in a refusal. */
function isWouldWrite(error: unknown): boolean {
  return error instanceof Error && (error instanceof WouldWrite || isWouldWrite(error.cause));
}

function withoutEffects(backend: Backend, rehearsal: Rehearsal): Backend {
  const stopBefore = stopsOf(rehearsal);
  const stripe: StopBefore = (name) => stopBefore(`Stripe: ${name}`);
  return {
    ...backend,
    db: readingDb(backend.db, rehearsal.entries, (name) => stopBefore(`Firestore: ${name}`)),
    auth: only(backend.auth, /^get/, (name) => stopBefore(`Firebase Auth: ${name}`)),
    stripe: async () => only(await backend.stripe(), /^(?:retrieve|list|search)/, stripe),
    bucket: stopBefore('Storage'),
    messaging: stopBefore('Cloud Messaging'),
    enqueueSeatSync: stopBefore('Cloud Tasks: enqueueSeatSync'),
    enqueueContactSync: stopBefore('Cloud Tasks: enqueueContactSync'),
    enqueueReconciliation: stopBefore('Cloud Tasks: enqueueReconciliation'),
    appHooks: { onPlanChanged: stopBefore('the hook onPlanChanged') },
  };
}

function readingDb(db: Db, entries: NewAuditEntry[], stopBefore: StopBefore): Db {
  const changed: Partial<Db> = {
    run: (body) => rollBack(db, body, entries),
    purge: stopBefore('purge'),
    changeBatch: stopBefore('changeBatch'),
  };
  return new Proxy(db, {
    get: (target, name) => {
      if (Object.hasOwn(changed, name)) return changed[name as keyof Db];
      const value: unknown = Reflect.get(target, name);
      if (value instanceof DirectCollection) return readingCollection(value, stopBefore);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        return result instanceof DirectCollection ? readingCollection(result, stopBefore) : result;
      };
    },
  });
}

function readingCollection(collection: object, stopBefore: StopBefore): object {
  return new Proxy(collection, {
    get: (target, name) =>
      WRITES.has(String(name)) ? stopBefore(`${String(name)} a document`) : bound(target, name),
  });
}

/** Runs the body of a transaction, and rolls it back. */
async function rollBack<Result>(
  db: Db,
  body: (tx: Tx) => Promise<Result>,
  entries: NewAuditEntry[],
): Promise<Result> {
  const attempt: { outcome?: { result: Result; recorded: NewAuditEntry[] } } = {};
  try {
    await db.run(async (tx) => {
      const recorded: NewAuditEntry[] = [];
      const audit = { record: (entry: NewAuditEntry) => recorded.push(entry) };
      // The other properties of the transaction are read through the prototype.
      const result = await body(Object.create(tx, { audit: { value: audit } }) as Tx);
      attempt.outcome = { result, recorded };
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack) || attempt.outcome === undefined) throw error;
  }
  if (attempt.outcome === undefined) throw new Error('The transaction was not rolled back.');
  entries.push(...attempt.outcome.recorded);
  return attempt.outcome.result;
}

/** The object with those of its methods, at any depth, whose names match. The others end the rehearsal. */
function only<Value extends object>(value: Value, names: RegExp, stopBefore: StopBefore): Value {
  return new Proxy(value, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name, target);
      // A proxy that a promise resolves to must not look like a promise itself.
      if (name === 'then' || found === null) return found;
      if (typeof found === 'object')
        return only(found, names, (rest) => stopBefore(`${String(name)}.${rest}`));
      if (typeof found !== 'function') return found;
      return names.test(String(name)) ? bound(target, name) : stopBefore(String(name));
    },
  });
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
