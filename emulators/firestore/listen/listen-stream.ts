import { authorize } from '../authorize.ts';
import type { Caller } from '../authorize.ts';
import { invalidArgument, StatusError } from '../errors.ts';
import { parseDatabaseName } from '../model/paths.ts';
import type { BidirectionalHandler, Requests, Responses, RpcContext } from '../rpc/handler.ts';
import type { Database, DatabaseEvent } from '../storage/database.ts';
import type { WireListenRequest, WireTarget } from '../wire/messages.ts';
import {
  consistentAt,
  DocumentChanges,
  existenceFilter,
  targetChange,
  targetCurrent,
  targetRefused,
} from './responses.ts';
import { resumeTime } from './resume-token.ts';
import { openTarget } from './target.ts';
import type { Target } from './target.ts';
import { difference } from './target-view.ts';
import type { ViewChange } from './target-view.ts';

/** Opens a Listen stream. */
export const listen: BidirectionalHandler<WireListenRequest> = (context, caller, responses) =>
  new ListenStream(context, caller, responses);

/**
 * Tells a client what its targets hold, and of every commit what it changed in them, closed by one message that makes
 * it a snapshot. Everything is told in the turn in which it happens, so the stream always shows one state.
 */
class ListenStream implements Requests<WireListenRequest> {
  readonly #context: RpcContext;
  readonly #caller: Caller;
  readonly #responses: Responses;
  readonly #targets = new Map<number, Target>();
  #database: Database | undefined;
  #unobserve: (() => void) | undefined;

  constructor(context: RpcContext, caller: Caller, responses: Responses) {
    this.#context = context;
    this.#caller = caller;
    this.#responses = responses;
  }

  receive(request: WireListenRequest): void {
    const database = this.#open(parseDatabaseName(request.database ?? ''));
    if (request.addTarget) this.#add(database, request.addTarget);
    else if (request.removeTarget !== undefined) this.#remove(request.removeTarget);
    else throw invalidArgument('A request must add or remove a target.');
  }

  end(): void {
    this.#responses.end();
  }

  cancel(): void {
    this.#unobserve?.();
    this.#targets.clear();
  }

  #open(name: string): Database {
    if (!this.#database) {
      const { database } = this.#context.store.open(name);
      this.#unobserve = database.observe((event) => {
        this.#tell(database, event);
      });
      this.#database = database;
    }
    if (this.#database.name !== name) throw invalidArgument('A stream listens to one database only.');
    return this.#database;
  }

  #add(database: Database, wire: WireTarget): void {
    const id = wire.targetId === undefined || wire.targetId === 0 ? this.#freeId() : wire.targetId;
    if (this.#targets.has(id)) throw invalidArgument(`Target id ${id} is already in use.`);
    try {
      authorize(this.#caller);
      const target = openTarget(wire, id, database, this.#context.indexes);
      const messages = this.#start(database, target, resumeTime(wire));
      this.#targets.set(id, target);
      for (const message of messages) this.#responses.send(message);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.#responses.send(targetRefused(id, error));
      return;
    }
    if (wire.once === true) this.#remove(id);
  }

  #remove(id: number): void {
    this.#targets.delete(id);
    this.#responses.send(targetChange('REMOVE', id));
  }

  #freeId(): number {
    let id = 1;
    while (this.#targets.has(id)) id++;
    return id;
  }

  /** What a new target is told first: all it holds or, if `since` lets it go on, what changed from then. */
  #start(database: Database, target: Target, since: number | undefined): readonly object[] {
    const { id, view } = target;
    const time = database.readTime();
    const documents = view.open();
    const resumed = since !== undefined && isKnown(database, since, time);
    const news = difference(resumed ? view.at(since) : [], documents, (path) => database.get(path));
    const told = new Set(news.map(({ path }) => path));
    const missing = view
      .missing()
      .filter((path) => !told.has(path))
      .map((path) => ({ path, document: undefined, inView: false }));
    const changes = new DocumentChanges();
    changes.add(target, [...news, ...missing]);
    this.#bill(database, target, news.length + (target.billing === 'lookup' ? missing.length : 0), true);
    return [
      targetChange('ADD', id),
      ...(since !== undefined && !resumed ? [targetChange('RESET', id)] : []),
      ...changes.messages(database.name, time),
      ...(since !== undefined ? [existenceFilter(id, documents.length)] : []),
      targetCurrent(id, time),
      consistentAt(time),
    ];
  }

  #tell(database: Database, { changes, time }: DatabaseEvent): void {
    const merged = new DocumentChanges();
    for (const target of this.#targets.values()) {
      const news = target.view.changesBy(changes);
      merged.add(target, news);
      this.#bill(database, target, news.filter(isBilled).length, false);
    }
    if (merged.isEmpty) return;
    for (const message of merged.messages(database.name, time)) this.#responses.send(message);
    this.#responses.send(consistentAt(time));
  }

  #bill({ name }: Database, { billing }: Target, count: number, started: boolean): void {
    if (started && billing === 'query') this.#context.ledger.query(name, count);
    else this.#context.ledger.lookup(name, count);
  }
}

/** Whether the state at `since` can still be told. */
const isKnown = (database: Database, since: number, now: number): boolean =>
  since >= Math.max(database.earliestReadTime, database.historyStart) && since <= now;

/** A document that leaves a result is read once more, a deleted one is not. */
const isBilled = ({ document }: ViewChange): boolean => document !== undefined;
