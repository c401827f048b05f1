import { resource } from '@hearth/security-rules/documents';
import type { RulesRequest } from '@hearth/security-rules/request';
import { NULL, path as pathValue } from '@hearth/security-rules/value';
import type { Value } from '@hearth/security-rules/value';
import { documentName } from '../model/paths.ts';
import type { StoredDocument } from '../storage/document.ts';
import { planCommit } from '../write/apply.ts';
import type { Write } from '../write/write.ts';
import type { Snapshot } from './snapshot.ts';
import { rulesMap, rulesSegments } from './values.ts';

/** One operation of a request: the part of the rules request that differs between operations. */
export type Operation = Pick<
  RulesRequest,
  'method' | 'path' | 'query' | 'resource' | 'newResource' | 'unread'
>;

export const readOf = (snapshot: Snapshot, path: string): Operation => ({
  method: 'get',
  path: rulesSegments(documentName(snapshot.name, path)),
  resource: resourceOf(snapshot.name, snapshot.get(path)),
});

/** The operations of a commit, and the documents after it. */
export interface Effects {
  readonly operations: readonly Operation[];
  readonly after: (path: string) => StoredDocument | undefined;
}

/**
 * The effects of the writes, one after the other, on the documents of the snapshot at `time`. Preconditions are
 * ignored, because only callers with the right to write learn whether they are met.
 */
export function effectsOf(snapshot: Snapshot, writes: readonly Write[], time: number): Effects {
  const written = new Map<string, StoredDocument | undefined>();
  const state = {
    name: snapshot.name,
    get: (path: string) => (written.has(path) ? written.get(path) : snapshot.get(path)),
  };
  const operations = writes.map((write) => {
    const before = state.get(write.path);
    const { changes } = planCommit(state, [{ ...write, precondition: {} }], time);
    const after = changes[0]?.after;
    written.set(write.path, after);
    return writeOf(snapshot.name, write, before, after);
  });
  return { operations, after: state.get };
}

function writeOf(
  database: string,
  write: Write,
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): Operation {
  const method = methodOf(write, before !== undefined);
  return {
    method,
    path: rulesSegments(documentName(database, write.path)),
    resource: resourceOf(database, before),
    ...(method !== 'get' && { newResource: resourceOf(database, after), unread: unreadOf(write, method) }),
  };
}

/** Without a precondition, a write is an update if the document exists, and a create otherwise. */
function unreadOf(write: Write, method: Operation['method']): NonNullable<Operation['unread']> {
  const { kind, precondition, transforms } = write;
  const isOpen = precondition.exists === undefined && precondition.updateTime === undefined;
  return {
    methods: isOpen && method !== 'delete' ? ['create', 'update'] : [method],
    isMerge: kind === 'merge' || transforms.length > 0,
  };
}

/**
 * A precondition decides between create and update, whether or not the document exists. To verify a document is to
 * read it.
 */
function methodOf({ kind, precondition }: Write, isStored: boolean): Operation['method'] {
  if (kind === 'delete') return 'delete';
  if (kind === 'verify') return 'get';
  const { exists = precondition.updateTime === undefined ? isStored : true } = precondition;
  return exists ? 'update' : 'create';
}

function resourceOf(database: string, document: StoredDocument | undefined): Value {
  if (!document) return NULL;
  const segments = rulesSegments(documentName(database, document.path));
  return resource(pathValue(segments), rulesMap(document.fields));
}
