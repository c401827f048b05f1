import { alreadyExists, failedPrecondition, invalidArgument, notFound } from '../errors.ts';
import { getField, withField, withoutField } from '../model/field-path.ts';
import { identicalMaps } from '../model/identical.ts';
import { documentName } from '../model/paths.ts';
import type { MapValue, Value } from '../model/value.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import { assertCommitSize, checkedDocumentSize } from './limits.ts';
import { applyTransform, transformResult } from './transforms.ts';
import type { Precondition, Write } from './write.ts';

/** The outcome of one write. */
export interface WriteOutcome {
  /** Microseconds; undefined after a delete. */
  readonly updateTime: number | undefined;
  readonly transformResults: readonly Value[];
}

export interface PlannedCommit {
  /** Every document named by a write, including unchanged ones. The commit locks them. */
  readonly changes: readonly DocumentChange[];
  readonly outcomes: readonly WriteOutcome[];
}

interface Source {
  readonly name: string;
  get(path: string): StoredDocument | undefined;
}

/**
 * Applies the writes to the stored documents at `time`, one after the other, without storing the result. Throws the
 * status of the first precondition that is not met.
 */
export function planCommit(source: Source, writes: readonly Write[], time: number): PlannedCommit {
  const after = new Map<string, StoredDocument | undefined>();
  let size = 0;
  const outcomes = writes.map((write) => {
    const current = after.has(write.path) ? after.get(write.path) : source.get(write.path);
    if (write.precondition.exists === true && after.has(write.path) && !current) {
      throw invalidArgument(`The same commit deletes ${documentName(source.name, write.path)} before.`);
    }
    assertPrecondition(write.precondition, current, documentName(source.name, write.path));
    const { document, transformResults } = applyWrite(write, current, time);
    if (document && document !== current) {
      size += checkedDocumentSize(documentName(source.name, write.path), write.path, document.fields);
    }
    after.set(write.path, document);
    return { updateTime: document?.updateTime, transformResults };
  });
  assertCommitSize(size);
  const changes = [...after].map(([path, document]) => ({ path, before: source.get(path), after: document }));
  return { changes, outcomes };
}

function applyWrite(
  write: Write,
  current: StoredDocument | undefined,
  time: number,
): { document: StoredDocument | undefined; transformResults: readonly Value[] } {
  if (write.kind === 'delete') return { document: undefined, transformResults: [] };
  if (write.kind === 'verify') return { document: current, transformResults: [] };
  let fields = write.kind === 'set' ? write.fields : mergeFields(current?.fields ?? new Map(), write);
  const transformResults = write.transforms.map((transform) => {
    const value = applyTransform(transform, getField(fields, transform.field), time);
    fields = withField(fields, transform.field, value);
    return transformResult(transform, value);
  });
  // A write that changes nothing leaves the update time alone.
  if (current && identicalMaps(current.fields, fields)) return { document: current, transformResults };
  const createTime = current?.createTime ?? time;
  return { document: { path: write.path, fields, createTime, updateTime: time }, transformResults };
}

function mergeFields(base: MapValue, { mask, fields }: Write): MapValue {
  return mask.reduce((merged, path) => {
    const value = getField(fields, path);
    return value === undefined ? withoutField(merged, path) : withField(merged, path, value);
  }, base);
}

function assertPrecondition(
  { exists, updateTime }: Precondition,
  current: StoredDocument | undefined,
  name: string,
): void {
  if (exists === false && current) throw alreadyExists(`Document already exists: ${name}`);
  if (exists === true && !current) throw notFound(`No document to update: ${name}`);
  if (updateTime !== undefined && current?.updateTime !== updateTime) {
    throw failedPrecondition(
      `the stored version (${current?.updateTime ?? 0}) does not match the required base version (${updateTime})`,
    );
  }
}
