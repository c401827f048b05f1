import { invalidArgument, StatusError } from '../errors.ts';
import { parseDatabaseName } from '../model/paths.ts';
import type { BidirectionalHandler, RequestContext, Requests, Responses } from '../rpc/context.ts';
import type { Snapshot } from '../rules/snapshot.ts';
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
import { difference } from './target-view.ts';
import type { ViewChange } from './target-view.ts';
import { openTarget } from './target.ts';
import type { Target } from './target.ts';

/** Opens a Listen stream. */
export const listen: BidirectionalHandler<WireListenRequest> = (context, responses) =>
  new ListenStream(context, responses);

interface OpenTarget {
  readonly target: Target;
  /** Undefined for administrators. */
  readonly evaluation: Snapshot | undefined;
}

interface HeldTarget {
  readonly target: Target;
  /** The time up to which all changes were sent, in microseconds. */
  readonly since: number;
}

/**
 * Sends a client the documents of its targets, and then the changes of every commit, followed by one message that
 * completes the snapshot. Changes are sent in the turn in which they are made, so that the stream always shows one
 * state. When a commit changes a document that the rules read for a target, the target and the snapshot are held back
 * until the rules are evaluated again.
 */
class ListenStream implements Requests<WireListenRequest> {
  readonly #context: RequestContext;
  readonly #responses: Responses;
  readonly #targets = new Map<number, OpenTarget>();
  readonly #held = new Map<number, HeldTarget>();
  #database: Database | undefined;
  #cancelled = false;
  /** Requests are served one after the other, because evaluating the rules may take several turns. */
  #queue: Promise<void> = Promise.resolve();
  #unobserve: (() => void) | undefined;

  constructor(context: RequestContext, responses: Responses) {
    this.#context = context;
    this.#responses = responses;
  }

  receive(request: WireListenRequest): void {
    this.#then(() => this.#serve(request));
  }

  end(): void {
    this.#then(() => {
      this.#responses.end();
    });
  }

  cancel(): void {
    this.#cancelled = true;
    this.#unobserve?.();
    this.#targets.clear();
    this.#held.clear();
  }

  #then(work: () => Promise<void> | void): void {
    this.#queue = this.#queue
      .then(() => (this.#cancelled ? undefined : work()))
      .catch((error: unknown) => {
        this.#responses.fail(error);
      });
  }

  async #serve(request: WireListenRequest): Promise<void> {
    const database = this.#open(parseDatabaseName(request.database ?? ''));
    if (request.addTarget) await this.#add(database, request.addTarget);
    else if (request.removeTarget !== undefined) this.#remove(request.removeTarget);
    else throw invalidArgument('A request must add or remove a target.');
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

  async #add(database: Database, wire: WireTarget): Promise<void> {
    const id = wire.targetId === undefined || wire.targetId === 0 ? this.#freeId() : wire.targetId;
    if (this.#isInUse(id)) throw invalidArgument(`Target id ${id} is already in use.`);
    try {
      const target = openTarget(wire, id, database, this.#context.indexes);
      let evaluation = await this.#evaluate(target);
      while (evaluation?.isCurrent() === false) evaluation = await this.#evaluate(target);
      if (this.#cancelled) return;
      const messages = this.#start(database, target, resumeTime(wire));
      this.#targets.set(id, { target, evaluation });
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
    this.#held.delete(id);
    this.#responses.send(targetChange('REMOVE', id));
  }

  #isInUse(id: number): boolean {
    return this.#targets.has(id) || this.#held.has(id);
  }

  #freeId(): number {
    let id = 1;
    while (this.#isInUse(id)) id++;
    return id;
  }

  /**
   * The first messages for a new target: all its documents or, if it can resume at `since`, the changes from then.
   */
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
      ...this.#snapshotEnd(time),
    ];
  }

  #tell(database: Database, event: DatabaseEvent): void {
    const { changes, time } = event;
    const merged = new DocumentChanges();
    for (const { target, evaluation } of this.#targets.values()) {
      // The removal of all documents shows nothing that the rules could deny.
      if (event.kind === 'commit' && evaluation?.isTouchedBy(changes) === true) {
        this.#hold(database, target, time);
        continue;
      }
      const news = target.view.changesBy(changes);
      merged.add(target, news);
      this.#bill(database, target, news.filter(isBilled).length, false);
    }
    if (merged.isEmpty) return;
    this.#send(database, merged, time);
  }

  #send({ name }: Database, changes: DocumentChanges, time: number): void {
    for (const message of changes.messages(name, time)) this.#responses.send(message);
    for (const message of this.#snapshotEnd(time)) this.#responses.send(message);
  }

  /** Closes the snapshot, unless something is held back that belongs to it. */
  #snapshotEnd(time: number): readonly object[] {
    return this.#held.size === 0 ? [consistentAt(time)] : [];
  }

  #evaluate(target: Target): Promise<Snapshot> | undefined {
    const { guard } = this.#context;
    return guard && target.evaluateBy(guard);
  }

  /** Sends nothing for a target from the commit at `time` on, until the rules are evaluated again. */
  #hold(database: Database, target: Target, time: number): void {
    const held: HeldTarget = { target, since: time - 1 };
    this.#targets.delete(target.id);
    this.#held.set(target.id, held);
    this.#then(() => this.#release(database, held));
  }

  /** Sends the changes that were held back, or the refusal if the rules no longer allow the target. */
  async #release(database: Database, held: HeldTarget): Promise<void> {
    const { target, since } = held;
    const changes = new DocumentChanges();
    // The client may remove the target meanwhile.
    if (this.#held.get(target.id) === held) {
      try {
        let evaluation = await this.#evaluate(target);
        while (evaluation?.isCurrent() === false) evaluation = await this.#evaluate(target);
        const news = difference(target.view.at(since), target.view.open(), (path) => database.get(path));
        changes.add(target, news);
        this.#bill(database, target, news.filter(isBilled).length, false);
        this.#targets.set(target.id, { target, evaluation });
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        this.#responses.send(targetRefused(target.id, error));
      }
      this.#held.delete(target.id);
    }
    this.#send(database, changes, database.readTime());
  }

  #bill({ name }: Database, { billing }: Target, count: number, started: boolean): void {
    if (started && billing === 'query') this.#context.ledger.query(name, count);
    else this.#context.ledger.lookup(name, count);
  }
}

/** Whether the state at `since` is still known. */
const isKnown = (database: Database, since: number, now: number): boolean =>
  since >= Math.max(database.earliestReadTime, database.historyStart) && since <= now;

/** A document that leaves a result is read once more, a deleted one is not. */
const isBilled = ({ document }: ViewChange): boolean => document !== undefined;
