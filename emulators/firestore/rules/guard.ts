import { DocumentAccess } from '@hearth/security-rules/documents';
import { MAX_DOCUMENT_READS_OF_SEVERAL } from '@hearth/security-rules/limits';
import { timestamp } from '@hearth/security-rules/value';
import type { PathValue } from '@hearth/security-rules/value';
import { permissionDenied } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import type { Query } from '../query/query.ts';
import type { RequestLog } from '../requests/request-log.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import type { Write } from '../write/write.ts';
import { authOf } from './auth.ts';
import { effectsOf, readOf } from './operations.ts';
import type { Operation } from './operations.ts';
import { rulesQuery } from './query.ts';
import type { Rulesets } from './rulesets/rulesets.ts';
import { Snapshot } from './snapshot.ts';
import { rulesMap, rulesSegments } from './values.ts';

/** Reads a document for the rules. */
type Lookup = (path: string) => StoredDocument | undefined;

export interface GuardDependencies {
  readonly rulesets: Rulesets;
  /** Counts the documents that rules read, as Google bills them. */
  readonly ledger: Ledger;
  readonly requests: RequestLog | undefined;
}

/**
 * Evaluates the security rules for the requests of one end user. Each method resolves with the state that the rules
 * read. It rejects with PERMISSION_DENIED unless the rules allow the request, and with UNAUTHENTICATED for a
 * malformed ID token. Times are in microseconds.
 */
export class Guard {
  readonly #dependencies: GuardDependencies;
  readonly #token: string | undefined;

  /** `token` is the user's ID token. */
  constructor(dependencies: GuardDependencies, token: string | undefined) {
    this.#dependencies = dependencies;
    this.#token = token;
  }

  /** Evaluates reads of documents in the state at `readTime`, each read by itself. */
  async get(database: Database, paths: readonly string[], readTime: number): Promise<Snapshot> {
    const snapshot = new Snapshot(database, readTime);
    const operations = paths.map((path) => readOf(snapshot, path));
    await this.#evaluate(snapshot, operations, database.readTime());
    return snapshot;
  }

  /** Evaluates a query. The rules must allow every document that the query could return. */
  async list(database: Database, query: Query, readTime: number): Promise<Snapshot> {
    const snapshot = new Snapshot(database, readTime);
    const operation: Operation = { method: 'list', query: rulesQuery(database.name, query) };
    await this.#evaluate(snapshot, [operation], database.readTime());
    return snapshot;
  }

  /** Evaluates each write of a commit. The rules must allow all of them. */
  async write(database: Database, writes: readonly Write[]): Promise<Snapshot> {
    const time = database.readTime();
    const snapshot = new Snapshot(database, time);
    const { operations, after } = effectsOf(snapshot, writes, time);
    await this.#evaluate(snapshot, operations, time, after);
    return snapshot;
  }

  async #evaluate(
    snapshot: Snapshot,
    operations: readonly Operation[],
    time: number,
    after: Lookup = (path) => snapshot.get(path),
  ): Promise<void> {
    const { rulesets, ledger, requests } = this.#dependencies;
    const rules = rulesets.of(snapshot.name);
    if (!rules) throw permissionDenied('No security rules are loaded, so everything is denied.');
    const documents = accessTo(snapshot, after, operations.length > 1);
    const request = {
      service: 'cloud.firestore',
      auth: authOf(this.#token),
      time: requestTime(time),
      documents,
    } as const;
    try {
      for (const operation of operations) {
        const asked = { ...request, ...operation };
        const decision = await rules.evaluate(asked);
        requests?.record({ database: snapshot.name, rules: rules.coverage.source, request: asked, decision });
        if (!decision.allowed) throw permissionDenied(decision.message);
      }
    } finally {
      if (documents.reads > 0) ledger.lookup(snapshot.name, documents.reads);
    }
  }
}

/** Rules reach the documents of their own database only. */
function accessTo(snapshot: Snapshot, after: Lookup, isSeveral: boolean): DocumentAccess {
  const root = [...rulesSegments(snapshot.name), 'documents'];
  const read = ({ segments }: PathValue, when: 'before' | 'after') => {
    if (!root.every((segment, index) => segments[index] === segment)) return undefined;
    const path = segments.slice(root.length).join('/');
    const document = when === 'after' ? after(path) : snapshot.get(path);
    return document && rulesMap(document.fields);
  };
  return new DocumentAccess(
    (path, when) => Promise.resolve(read(path, when)),
    isSeveral ? MAX_DOCUMENT_READS_OF_SEVERAL : undefined,
  );
}

/** With the precision of server timestamps, so that rules can compare a field with `request.time`. */
const requestTime = (micros: number) => timestamp(BigInt(micros - (micros % 1_000)) * 1_000n);
