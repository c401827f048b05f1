import type * as z from 'zod';
import type { ReadAccess } from './access.ts';
import type { DirectCollection, ReadCollection, TxCollection } from './collection.ts';
import {
  NESTED_COLLECTIONS,
  ROOT_COLLECTIONS,
  type NestedDocuments,
  type RootDocuments,
} from './collections.ts';
import { Query } from './query.ts';

/** The class of a collection for each kind of access: reading only, directly, or in a transaction. */
interface CollectionByAccess<Doc extends object> {
  read: ReadCollection<Doc>;
  direct: DirectCollection<Doc>;
  tx: TxCollection<Doc>;
}

/** All collections for one kind of access. */
export type Collections<Access extends keyof CollectionByAccess<object>> = {
  readonly [Name in keyof RootDocuments]: CollectionByAccess<RootDocuments[Name]>[Access];
} & {
  /** The ids of the documents above the collection are joined by `/`. */
  readonly [Name in keyof NestedDocuments]: (
    parentIds: string,
  ) => CollectionByAccess<NestedDocuments[Name]>[Access];
} & {
  /** One nested collection below all documents, such as the members of all teams. */
  readonly group: <Name extends keyof NestedDocuments>(name: Name) => Query<NestedDocuments[Name]>;
};

type Make<Access extends keyof CollectionByAccess<object>> = <Doc extends object>(
  schema: z.core.$ZodType<Doc>,
  path: string,
) => CollectionByAccess<Doc>[Access];

/**
 * The collections for one kind of access. Each is made when its property is read, because a transaction uses few of
 * them.
 */
export function collectionsWith<Access extends keyof CollectionByAccess<object>>(
  access: ReadAccess,
  make: Make<Access>,
): Collections<Access> {
  const collections = {
    group: (name: keyof NestedDocuments) => {
      const { parent, group, schema } = NESTED_COLLECTIONS[name];
      const paths = pathsOf(`${parent}/{}/${group}/{}`);
      return new Query<object>(access, schema, {
        collection: group,
        build: (firestore) => firestore.collectionGroup(group),
        paths,
      });
    },
  };
  for (const [name, { path, schema }] of Object.entries(ROOT_COLLECTIONS)) {
    const get = () => make(schema as z.core.$ZodType<object>, path);
    Object.defineProperty(collections, name, { get, enumerable: true });
  }
  for (const [name, { parent, group, schema }] of Object.entries(NESTED_COLLECTIONS)) {
    const value = (parentIds: string) =>
      make(schema as z.core.$ZodType<object>, nestedPath(`${parent}/{}/${group}`, parentIds));
    Object.defineProperty(collections, name, { value, enumerable: true });
  }
  return collections as unknown as Collections<Access>;
}

/** Example: `pathsOf('teams/{}/members/{}')` matches the paths of all members of teams. */
function pathsOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`);
}

/**
 * Example: `nestedPath('customers/{}/subscriptions/{}/invoices', 'uid/sub_1')` is
 * `customers/uid/subscriptions/sub_1/invoices`.
 */
function nestedPath(path: string, parentIds: string): string {
  const ids = parentIds.split('/');
  return path.replaceAll('{}', () => ids.shift() ?? '');
}
