import type { Expression } from '../ast.ts';
import { expectType } from '../builtins/arguments.ts';
import { globalFunctions, namespaces } from '../builtins/registry.ts';
import type { FunctionTable } from '../builtins/table.ts';
import type { DocumentAccess } from '../documents.ts';
import { bool } from '../value.ts';
import type { Scope } from './scope.ts';

/** Functions that read documents: without a namespace in Firestore rules, under `firestore` in Storage rules. */
export interface DocumentFunctions {
  readonly global: FunctionTable;
  readonly firestore: FunctionTable | undefined;
}

const NONE: FunctionTable = {};

/** `get` and `exists`, and for writes also `getAfter` and `existsAfter`. */
export function firestoreFunctions(access: DocumentAccess, isWrite: boolean): DocumentFunctions {
  const now = readers(access);
  const after: FunctionTable = {
    getAfter: (path) => access.get(expectType(path, 'path'), 'after'),
    existsAfter: (path) => bool(access.exists(expectType(path, 'path'), 'after')),
  };
  return { global: isWrite ? { ...now, ...after } : now, firestore: undefined };
}

/** `firestore.get` and `firestore.exists` */
export function storageFunctions(access: DocumentAccess): DocumentFunctions {
  return { global: NONE, firestore: readers(access) };
}

function readers(access: DocumentAccess): FunctionTable {
  return {
    get: (path) => access.get(expectType(path, 'path'), 'before'),
    exists: (path) => bool(access.exists(expectType(path, 'path'), 'before')),
  };
}

/** The functions that may be called without a namespace, besides those that the rules declare. */
export function globalTable(name: string, { global }: DocumentFunctions): FunctionTable {
  return Object.hasOwn(global, name) ? global : globalFunctions;
}

/** The functions of a namespace, if the object of a call is one. */
export function namespaceOf(
  object: Expression,
  scope: Scope,
  { firestore }: DocumentFunctions,
): FunctionTable | undefined {
  if (object.kind !== 'variable' || scope.has(object.name)) return undefined;
  return object.name === 'firestore' ? firestore : namespaces.get(object.name);
}
