import type { FileName } from '../files/file-name.ts';

/** The parts of an object's path `uploads/{ownerId}/{uploadId}/{fileName}`. */
export interface ObjectPath {
  /** For a direct upload the uid of the sender, also if the file belongs to a team. */
  ownerId: string;
  uploadId: string;
  fileName: string;
}

/** The path of a new object. It ends with `<name>-<timestamp>.<extension>`, as the API promises. */
export function objectPath(ownerId: string, id: string, { stem, extension }: FileName, now: Date): string {
  return `uploads/${ownerId}/${id}/${stem}-${now.getTime()}.${extension}`;
}

/** The parts of a path; undefined if it is not the path of an upload. */
export function parseObjectPath(path: string): ObjectPath | undefined {
  const [, ownerId, uploadId, fileName] = /^uploads\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (ownerId === undefined || uploadId === undefined || fileName === undefined) return undefined;
  return { ownerId, uploadId, fileName };
}

/** The sender's file name: without the timestamp that `objectPath` and clients put before its extension. */
export function nameOf({ fileName }: ObjectPath): string {
  return fileName.replace(/(?<=.)-\d{13}(?=\.[^.]*$)/s, '');
}

/** The folder of an upload's variants. It is outside of `uploads/`, so that variants get no variants themselves. */
export function variantsFolder({ ownerId, uploadId }: Pick<ObjectPath, 'ownerId' | 'uploadId'>): string {
  return `variants/${ownerId}/${uploadId}/`;
}
