import { formatFieldPath, parseFieldPath } from '../../model/field-path.ts';

export type QueryScope = 'COLLECTION' | 'COLLECTION_GROUP';
export type IndexMode = 'ASCENDING' | 'DESCENDING' | 'CONTAINS';

/** A field of an index; the path is in the form of `formatFieldPath`. */
export interface IndexField {
  readonly path: string;
  readonly mode: IndexMode;
}

export interface CompositeIndex {
  readonly collectionGroup: string;
  readonly queryScope: QueryScope;
  readonly fields: readonly IndexField[];
}

interface SingleFieldIndex {
  readonly queryScope: QueryScope;
  readonly mode: IndexMode;
}

interface FieldOverride {
  readonly collectionGroup: string;
  readonly path: string;
  readonly indexes: readonly SingleFieldIndex[];
}

/**
 * The indexes of every field without an override:
 * https://firebase.google.com/docs/firestore/query-data/index-overview
 */
const AUTOMATIC: readonly SingleFieldIndex[] = (['ASCENDING', 'DESCENDING', 'CONTAINS'] as const).map(
  (mode) => ({
    queryScope: 'COLLECTION',
    mode,
  }),
);

/** The indexes that are deployed, as firestore.indexes.json describes them. */
export class IndexCatalog {
  readonly #composites: readonly CompositeIndex[];
  readonly #overrides: readonly FieldOverride[];

  constructor(composites: readonly CompositeIndex[], overrides: readonly FieldOverride[]) {
    this.#composites = composites;
    this.#overrides = overrides;
  }

  /** Composite indexes of the collection group, and the single-field indexes of the given fields. */
  indexesOf(
    collectionGroup: string,
    queryScope: QueryScope,
    paths: Iterable<string>,
  ): (readonly IndexField[])[] {
    const composites = this.#composites
      .filter((index) => index.collectionGroup === collectionGroup && index.queryScope === queryScope)
      .map(({ fields }) => fields);
    const single = [...paths].flatMap((path) =>
      this.#singleFieldIndexes(collectionGroup, path)
        .filter((index) => index.queryScope === queryScope)
        .map(({ mode }) => [{ path, mode }]),
    );
    return [...composites, ...single];
  }

  /** The settings of a map field apply to the fields in it. `*` means every group, or every field of a group. */
  #singleFieldIndexes(collectionGroup: string, path: string): readonly SingleFieldIndex[] {
    const segments = parseFieldPath(path);
    const prefixes = segments.map((_, index) => formatFieldPath(segments.slice(0, segments.length - index)));
    for (const group of [collectionGroup, '*']) {
      for (const candidate of [...prefixes, '*']) {
        const override = this.#overrides.find(
          (other) => other.collectionGroup === group && other.path === candidate,
        );
        if (override) return override.indexes;
      }
    }
    return AUTOMATIC;
  }
}

interface FileField {
  readonly fieldPath?: unknown;
  readonly order?: unknown;
  readonly arrayConfig?: unknown;
  readonly queryScope?: unknown;
}

interface IndexesFile {
  readonly indexes?: readonly {
    readonly collectionGroup?: unknown;
    readonly queryScope?: unknown;
    readonly fields?: readonly FileField[];
  }[];
  readonly fieldOverrides?: readonly {
    readonly collectionGroup?: unknown;
    readonly fieldPath?: unknown;
    readonly indexes?: readonly FileField[];
  }[];
}

/** Reads the text of a firestore.indexes.json. Throws an Error that describes a mistake in it. */
export function parseIndexes(text: string): IndexCatalog {
  const { indexes = [], fieldOverrides = [] } = JSON.parse(text) as IndexesFile;
  const composites = indexes.map(({ collectionGroup, queryScope, fields = [] }) => ({
    collectionGroup: textOf('collectionGroup', collectionGroup),
    queryScope: scopeOf(queryScope),
    fields: fields.flatMap((field) => {
      const mode = modeOf(field);
      return mode === undefined ? [] : [{ path: pathOf(field.fieldPath), mode }];
    }),
  }));
  const overrides = fieldOverrides.flatMap(({ collectionGroup, fieldPath, indexes: own }) =>
    // A TTL policy alone leaves the automatic indexes as they are.
    own === undefined
      ? []
      : {
          collectionGroup: textOf('collectionGroup', collectionGroup),
          path: fieldPath === '*' ? '*' : pathOf(fieldPath),
          indexes: own.flatMap((index) => {
            const mode = modeOf(index);
            return mode === undefined ? [] : [{ mode, queryScope: scopeOf(index.queryScope) }];
          }),
        },
  );
  return new IndexCatalog(composites, overrides);
}

/** Undefined for a vector index, which serves no other query. */
function modeOf({ order, arrayConfig }: FileField): IndexMode | undefined {
  if (arrayConfig === 'CONTAINS' || order === 'ASCENDING' || order === 'DESCENDING') {
    return arrayConfig === 'CONTAINS' ? 'CONTAINS' : (order as IndexMode);
  }
  return undefined;
}

function scopeOf(scope: unknown): QueryScope {
  if (scope === undefined || scope === 'COLLECTION') return 'COLLECTION';
  if (scope === 'COLLECTION_GROUP') return scope;
  throw new Error(`An index has the unknown queryScope ${JSON.stringify(scope)}.`);
}

const pathOf = (path: unknown): string => formatFieldPath(parseFieldPath(textOf('fieldPath', path)));

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`An index lacks its ${name}.`);
}
