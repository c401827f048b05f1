import { invalidArgument } from '../errors.ts';
import { parseFieldPath } from '../model/field-path.ts';
import type { FieldPath } from '../model/field-path.ts';
import { parseDocumentName } from '../model/paths.ts';
import type { MapValue } from '../model/value.ts';
import type { WireMask, WirePrecondition, WireWrite } from '../wire/messages.ts';
import { decodeFields, decodeTimestamp } from '../wire/value-codec.ts';
import { assertStorable, MAX_TRANSFORMS } from './limits.ts';
import { parseTransform } from './transforms.ts';
import type { FieldTransform } from './transforms.ts';

/** The condition that the stored document must meet. */
export interface Precondition {
  readonly exists?: boolean;
  /** Microseconds since the epoch. */
  readonly updateTime?: number;
}

/** One write of a commit, read from its message and checked. */
export interface Write {
  readonly path: string;
  /** `verify` only checks its precondition. */
  readonly kind: 'set' | 'merge' | 'delete' | 'verify';
  readonly fields: MapValue;
  /** The fields that a merge sets, or deletes where `fields` lacks them. */
  readonly mask: readonly FieldPath[];
  readonly transforms: readonly FieldTransform[];
  readonly precondition: Precondition;
}

/** Reads a Write message aimed at the given database. Throws INVALID_ARGUMENT. */
export function parseWrite(wire: WireWrite, database: string): Write {
  const precondition = parsePrecondition(wire.currentDocument);
  const common = { fields: new Map(), mask: [], transforms: [], precondition };
  if (wire.delete !== undefined) {
    if (wire.updateMask) throw invalidArgument('a delete must not specify a document mask.');
    if (wire.updateTransforms && wire.updateTransforms.length > 0) {
      throw invalidArgument('a delete must not specify a update transform.');
    }
    return { ...common, path: pathIn(database, wire.delete), kind: 'delete' };
  }
  if (wire.verify !== undefined) {
    return { ...common, path: pathIn(database, wire.verify), kind: 'verify' };
  }
  if (wire.transform !== undefined) {
    const transforms = parseTransforms(wire.transform.fieldTransforms);
    return { ...common, path: pathIn(database, wire.transform.document ?? ''), kind: 'merge', transforms };
  }
  if (wire.update === undefined) throw invalidArgument('empty write operation');
  const fields = decodeFields(wire.update.fields);
  assertStorable(fields);
  return {
    path: pathIn(database, wire.update.name ?? ''),
    kind: wire.updateMask ? 'merge' : 'set',
    fields,
    mask: parseMask(wire.updateMask) ?? [],
    transforms: parseTransforms(wire.updateTransforms),
    precondition,
  };
}

export const parseMask = (mask: WireMask | undefined): readonly FieldPath[] | undefined =>
  mask && (mask.fieldPaths ?? []).map(parseFieldPath);

export function parsePrecondition(wire: WirePrecondition | undefined): Precondition {
  if (wire?.updateTime) return { updateTime: decodeTimestamp(wire.updateTime).toMicros() };
  return wire?.exists === undefined ? {} : { exists: wire.exists };
}

function parseTransforms(wire: WireWrite['updateTransforms']): readonly FieldTransform[] {
  const transforms = (wire ?? []).map(parseTransform);
  if (transforms.length > MAX_TRANSFORMS) {
    throw invalidArgument(
      `A document may have at most ${MAX_TRANSFORMS} field transforms in a single write.`,
    );
  }
  return transforms;
}

function pathIn(database: string, name: string): string {
  const resource = parseDocumentName(name);
  if (resource.database !== database) {
    throw invalidArgument(`Document name "${name}" is not in the database "${database}" of the request.`);
  }
  return resource.path;
}
