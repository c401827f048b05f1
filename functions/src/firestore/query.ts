import type {
  Firestore,
  OrderByDirection,
  Query as FirestoreQuery,
  QueryDocumentSnapshot,
  WhereFilterOp,
} from 'firebase-admin/firestore';
import type * as z from 'zod';
import type { ReadAccess } from './access.ts';
import { parseDocument, toStored } from './convert.ts';
import { DamagedDocument, logIfDamaged } from './damage.ts';

/** A document that a query has found, with its id and path. */
export interface Found<Doc> {
  readonly id: string;
  readonly path: string;
  /** Id of the document above its collection, such as the team of a member; '' in a collection at the root. */
  readonly parentId: string;
  readonly data: Doc;
}

/** The path of a document that a query has found, and the ids in it. */
export type FoundPath = Omit<Found<never>, 'data'>;

/** A damaged document, which is logged. */
export interface FoundDamaged extends FoundPath {
  readonly data: undefined;
  readonly damage: DamagedDocument;
}

export type MaybeDamaged<Doc> = Found<Doc> | FoundDamaged;

/** A field, or a field inside of a map. */
export type FieldName<Doc> = (keyof Doc & string) | `${keyof Doc & string}.${string}` | '__name__';

/** In a query this field is the path of the document. */
const NAME = '__name__';

const PAGE_SIZE = 200;

/** The documents that a query begins with. */
export interface QuerySource {
  /** The name of the collection, for traces. */
  readonly collection: string;
  readonly build: (firestore: Firestore) => FirestoreQuery;
  /**
   * Only documents whose path matches belong to the result. Set for a collection group, because an app may have a
   * collection of the same name elsewhere. Other documents are read, but are neither found nor count for a limit.
   */
  readonly paths?: RegExp;
  /** The limit of the query. */
  readonly limit?: number;
}

/** A query for documents of one type. The asynchronous methods read. */
export class Query<Doc> {
  readonly #access: ReadAccess;
  readonly #schema: z.core.$ZodType<Doc>;
  readonly #source: QuerySource;

  constructor(access: ReadAccess, schema: z.core.$ZodType<Doc>, source: QuerySource) {
    this.#access = access;
    this.#schema = schema;
    this.#source = source;
  }

  where(field: FieldName<Doc>, operator: WhereFilterOp, value: unknown): Query<Doc> {
    return this.#with((query) => query.where(field, operator, toStored(query.firestore, value)));
  }

  orderBy(field: FieldName<Doc>, direction: OrderByDirection = 'asc'): Query<Doc> {
    return this.#with((query) => query.orderBy(field, direction));
  }

  limit(count: number): Query<Doc> {
    return this.#with((query) => query.limit(count), count);
  }

  /** @param values one for each `orderBy`, in the same order; for `__name__` a path or an id */
  startAfter(...values: readonly unknown[]): Query<Doc> {
    return this.#with((query) => query.startAfter(...values));
  }

  async findWithDamaged(): Promise<MaybeDamaged<Doc>[]> {
    const docs = await this.#findAll(await this.#clientQuery());
    return docs.map((snapshot) => toFound(this.#schema, snapshot));
  }

  async findIntact(): Promise<Found<Doc>[]> {
    return (await this.findWithDamaged()).filter(isIntact);
  }

  /** Costs one read for each 1,000 documents. Not for a collection group: it counts documents at other paths, too. */
  async count(): Promise<number> {
    return this.#access.count(await this.#clientQuery(), this.#source.collection);
  }

  /** The sum of a field with numbers. Costs one read for each 1,000 documents. Not for a collection group. */
  async sum(field: FieldName<Doc>): Promise<number> {
    return this.#access.sum(await this.#clientQuery(), field, this.#source.collection);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.limit(1).findPaths()).length === 0;
  }

  /** Finds documents without reading their fields. */
  async findPaths(): Promise<FoundPath[]> {
    const query = await this.#clientQuery();
    // To find more documents of a collection group, `#findAll` continues after the last one. This needs the fields of
    // the order, which `select` leaves out.
    const docs = await this.#findAll(this.#source.paths === undefined ? query.select() : query);
    return docs.map(toFoundPath);
  }

  /** Reads every intact document in the order of the paths, page by page. */
  streamIntact(): AsyncGenerator<Found<Doc>> {
    return this.orderBy(NAME).streamIntactInOrder(PAGE_SIZE);
  }

  /** Like `streamIntact`, but with damaged documents. */
  streamWithDamaged(pageSize = PAGE_SIZE): AsyncGenerator<MaybeDamaged<Doc>> {
    return this.orderBy(NAME).streamWithDamagedInOrder(pageSize);
  }

  /** Reads every intact document in the order of the query. If the loop ends early, no further page is read. */
  async *streamIntactInOrder(pageSize: number): AsyncGenerator<Found<Doc>> {
    for await (const found of this.streamWithDamagedInOrder(pageSize)) {
      if (isIntact(found)) yield found;
    }
  }

  /** Like `streamIntactInOrder`, but with damaged documents. */
  async *streamWithDamagedInOrder(pageSize: number): AsyncGenerator<MaybeDamaged<Doc>> {
    const ordered = this.limit(pageSize);
    let last: QueryDocumentSnapshot | undefined;
    do {
      const page = last === undefined ? ordered : ordered.startAfter(last);
      const { docs } = await this.#access.query(await page.#clientQuery(), this.#source.collection);
      yield* docs
        .filter((snapshot) => this.#isWanted(snapshot))
        .map((snapshot) => toFound(this.#schema, snapshot));
      last = docs.length === pageSize ? docs.at(-1) : undefined;
    } while (last !== undefined);
  }

  /** Queries again if some of the found documents are at other `paths`, so that fewer than the limit are left. */
  async #findAll(query: FirestoreQuery): Promise<QueryDocumentSnapshot[]> {
    const { collection, limit = Infinity } = this.#source;
    const found: QueryDocumentSnapshot[] = [];
    let last: QueryDocumentSnapshot | undefined;
    do {
      const { docs } = await this.#access.query(
        last === undefined ? query : query.startAfter(last),
        collection,
      );
      found.push(...docs.filter((snapshot) => this.#isWanted(snapshot)));
      last = docs.length === limit ? docs.at(-1) : undefined;
    } while (last !== undefined && found.length < limit);
    return found.slice(0, limit);
  }

  #isWanted({ ref }: QueryDocumentSnapshot): boolean {
    return this.#source.paths?.test(ref.path) ?? true;
  }

  /** The query as an object of the client. Opens the client at the first use. */
  async #clientQuery(): Promise<FirestoreQuery> {
    return this.#source.build(await this.#access.firestore());
  }

  #with(change: (query: FirestoreQuery) => FirestoreQuery, limit = this.#source.limit): Query<Doc> {
    const build = (firestore: Firestore) => change(this.#source.build(firestore));
    return new Query(this.#access, this.#schema, {
      ...this.#source,
      build,
      ...(limit !== undefined && { limit }),
    });
  }
}

function toFoundPath({ id, ref }: QueryDocumentSnapshot): FoundPath {
  return { id, path: ref.path, parentId: ref.parent.parent?.id ?? '' };
}

function toFound<Doc>(schema: z.core.$ZodType<Doc>, snapshot: QueryDocumentSnapshot): MaybeDamaged<Doc> {
  const found = toFoundPath(snapshot);
  const parsed = parseDocument(schema, found.path, snapshot.data());
  logIfDamaged(parsed);
  return parsed instanceof DamagedDocument
    ? { ...found, data: undefined, damage: parsed }
    : { ...found, data: parsed };
}

export function isIntact<Doc>(found: MaybeDamaged<Doc>): found is Found<Doc> {
  return found.data !== undefined;
}
