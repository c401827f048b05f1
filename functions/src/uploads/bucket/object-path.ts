import type { FileName } from '../files/file-name.ts';

/** Where an object lies: `uploads/{ownerId}/{uploadId}/{fileName}`. */
export interface ObjectPath {
  /** The owner: whoever sends straight to Storage, or whom the backend stores it for. */
  ownerId: string;
  uploadId: string;
  fileName: string;
}

/** The contract's ending, `<name>-<timestamp>.<extension>`, below a folder that nobody can guess. */
export function objectPath(ownerId: string, id: string, { stem, extension }: FileName, now: Date): string {
  return `uploads/${ownerId}/${id}/${stem}-${now.getTime()}.${extension}`;
}

/** The parts of an object's path; undefined for what is no upload, such as a variant. */
export function parseObjectPath(path: string): ObjectPath | undefined {
  const [, ownerId, uploadId, fileName] = /^uploads\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (ownerId === undefined || uploadId === undefined || fileName === undefined) return undefined;
  return { ownerId, uploadId, fileName };
}

/** A file's name as its sender has it: without the timestamp that `objectPath` and clients put before its extension. */
export function nameOf({ fileName }: ObjectPath): string {
  return fileName.replace(/(?<=.)-\d{13}(?=\.[^.]*$)/s, '');
}

/** Variants lie beside the uploads and never below them: what makes variants of uploads looks at uploads alone. */
export function variantsFolder({ ownerId, uploadId }: ObjectPath): string {
  return `variants/${ownerId}/${uploadId}/`;
}
