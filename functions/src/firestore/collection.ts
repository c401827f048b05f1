import { randomBytes } from 'node:crypto';
import type {
  CollectionReference,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
} from 'firebase-admin/firestore';
import type * as z from 'zod';
import { addCost } from '../common/costs.ts';
import type { DirectAccess, ReadAccess } from './access.ts';
import { parseDocument } from './convert.ts';
import { intactOrLogged, logIfDamaged, requireIntact, type DamagedDocument } from './damage.ts';
import { isNotFound } from './failures.ts';
import { Query } from './query.ts';
import { tracedInFirestore } from './span.ts';
import { toData, toUpdate, type Change, type Write } from './writes.ts';

export class ReadCollection<Doc extends object> extends Query<Doc> {
  protected readonly access: ReadAccess;
  protected readonly collectionName: string;
  readonly #schema: z.core.$ZodType<Doc>;
  readonly #path: string;

  constructor(access: ReadAccess, schema: z.core.$ZodType<Doc>, path: string) {
    super(access, schema, { collection: nameOf(path), build: (firestore) => firestore.collection(path) });
    this.access = access;
    this.#schema = schema;
    this.#path = path;
    this.collectionName = nameOf(path);
  }

  /**
   * Reads one document; undefined if it does not exist.
   *
   * @throws DamagedDocument
   */
  async get(id: string): Promise<Doc | undefined> {
    return (await this.getAll([id])).get(id);
  }

  /**
   * Reads documents by their ids. The result has the documents that exist.
   *
   * @throws DamagedDocument
   */
  async getAll(ids: Iterable<string>): Promise<Map<string, Doc>> {
    const found = await this.#read(ids);
    return new Map(found.map(([id, document]) => [id, requireIntact(document)]));
  }

  /** Like `getAll`, but with a DamagedDocument for each damaged document. Logs the damage. */
  async getWithDamaged(ids: Iterable<string>): Promise<Map<string, Doc | DamagedDocument>> {
    const found = await this.#read(ids);
    for (const [, document] of found) logIfDamaged(document);
    return new Map(found);
  }

  /** Like `getAll`, but without the damaged documents. Logs the damage. */
  async getAllIntact(ids: Iterable<string>): Promise<Map<string, Doc>> {
    const found = await this.#read(ids);
    return new Map(
      found.flatMap(([id, document]) => {
        const intact = intactOrLogged(document);
        return intact === undefined ? [] : [[id, intact]];
      }),
    );
  }

  /** Reads one document; undefined if it does not exist or is damaged. Logs the damage. */
  async getIntact(id: string): Promise<Doc | undefined> {
    return (await this.getAllIntact([id])).get(id);
  }

  /** True also for a damaged document. */
  async exists(id: string): Promise<boolean> {
    const [snapshot] = await this.#snapshots([id]);
    return snapshot?.exists === true;
  }

  newId(): string {
    return randomId();
  }

  protected ref(firestore: Firestore, id: string): DocumentReference {
    return this.collection(firestore).doc(id);
  }

  protected collection(firestore: Firestore): CollectionReference {
    return firestore.collection(this.#path);
  }

  async #read(ids: Iterable<string>): Promise<[id: string, document: Doc | DamagedDocument][]> {
    const snapshots = await this.#snapshots(ids);
    return snapshots.flatMap((snapshot) => {
      const data = snapshot.data();
      return data === undefined ? [] : [[snapshot.id, parseDocument(this.#schema, snapshot.ref.path, data)]];
    });
  }

  async #snapshots(ids: Iterable<string>): Promise<DocumentSnapshot[]> {
    const firestore = await this.access.firestore();
    return this.access.getAll([...new Set(ids)].map((id) => this.ref(firestore, id)));
  }
}

/** Writes immediately. A write that depends on a read belongs in a transaction. */
export class DirectCollection<Doc extends object> extends ReadCollection<Doc> {
  readonly #directAccess: DirectAccess;

  constructor(access: DirectAccess, schema: z.core.$ZodType<Doc>, path: string) {
    super(access, schema, path);
    this.#directAccess = access;
  }

  /** @throws an error for which `isAlreadyExists` is true, if the document exists */
  async create(id: string, data: Doc): Promise<void> {
    await this.#write(id, 'create', (ref) => ref.create(toData(ref, data)));
  }

  async set(id: string, data: Doc): Promise<void> {
    await this.#write(id, 'set', (ref) => ref.set(toData(ref, data)));
  }

  /** @throws an error for which `isNotFound` is true, if the document does not exist */
  async update(id: string, change: Change<Doc>): Promise<void> {
    await this.#write(id, 'update', async (ref) => ref.update(await toUpdate(ref, change)));
  }

  async delete(id: string): Promise<void> {
    await this.#write(id, 'delete', (ref) => ref.delete());
  }

  /** @returns false if there was no such document */
  async deleteExisting(id: string): Promise<boolean> {
    try {
      await this.#write(id, 'delete', (ref) => ref.delete({ exists: true }));
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #write(
    id: string,
    operation: 'create' | 'set' | 'update' | 'delete',
    write: (ref: DocumentReference) => Promise<unknown>,
  ): Promise<void> {
    await tracedInFirestore(operation, this.collectionName, () =>
      this.#directAccess.write((firestore) => write(this.ref(firestore, id))),
    );
    addCost(operation === 'delete' ? 'deletes' : 'writes');
  }
}

/** Reads with locks. Collects the writes until the body of the transaction has ended. */
export class TxCollection<Doc extends object> extends ReadCollection<Doc> {
  readonly #firestore: Firestore;
  readonly #addWrite: (write: Write) => void;

  constructor({ access, firestore, addWrite }: TxContext, schema: z.core.$ZodType<Doc>, path: string) {
    super(access, schema, path);
    this.#firestore = firestore;
    this.#addWrite = addWrite;
  }

  /** If the document exists, the commit fails with an error for which `isAlreadyExists` is true. */
  create(id: string, data: Doc): void {
    this.#addWrite({ kind: 'create', ref: this.ref(this.#firestore, id), data });
  }

  /**
   * Creates a document with an id that only this transaction has, such as `newId()`. The document is a proof of
   * the commit: if the answer to the commit is lost, `Db.run` looks for the document. If it exists, the commit was
   * done. With an id that others may have, `Db.run` could take their document for its own.
   */
  createAsProof(id: string, data: Doc): void {
    this.#addWrite({ kind: 'create', ref: this.ref(this.#firestore, id), data, proof: 'lasting' });
  }

  /**
   * Like `createAsProof`, for a document that a trigger deletes. It proves the commit only as long as it exists, and
   * only if the transaction has no other proof.
   */
  createAsShortLivedProof(id: string, data: Doc): void {
    this.#addWrite({ kind: 'create', ref: this.ref(this.#firestore, id), data, proof: 'short-lived' });
  }

  set(id: string, data: Doc): void {
    this.#addWrite({ kind: 'set', ref: this.ref(this.#firestore, id), data });
  }

  /** If the document does not exist, the commit fails. */
  update(id: string, change: Change<Doc>): void {
    this.#addWrite({ kind: 'update', ref: this.ref(this.#firestore, id), data: change });
  }

  delete(id: string): void {
    this.#addWrite({ kind: 'delete', ref: this.ref(this.#firestore, id) });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The parts of a transaction that its collections need. */
export interface TxContext {
  readonly access: ReadAccess;
  readonly firestore: Firestore;
  readonly addWrite: (write: Write) => void;
}

const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Twenty letters and digits, like the ids of Firestore's clients. */
function randomId(): string {
  let id = '';
  while (id.length < 20) {
    // 256 is not a multiple of 62. Bytes from 248 (4 * 62) on would make some characters more likely.
    for (const byte of randomBytes(40)) {
      if (id.length < 20 && byte < 248) id += ID_CHARACTERS.charAt(byte % 62);
    }
  }
  return id;
}
