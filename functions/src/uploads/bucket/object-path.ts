import type { FileName } from '../files/file-name.ts';

/** The parts of an object's path `uploads/{folderId}/{uploadId}/{fileName}`. */
export interface ObjectPathParts {
  /** For an API upload: the owner's id. For a direct upload: the sender's uid, even if the file belongs to a team. */
  folderId: string;
  uploadId: string;
  fileName: string;
}

/** The path of a new object. It ends with `<name>-<timestamp>.<extension>`, as the API promises. */
export function objectPath(folderId: string, id: string, { stem, extension }: FileName, now: Date): string {
  return `uploads/${folderId}/${id}/${stem}-${now.getTime()}.${extension}`;
}

/** The parts of a path; undefined if it is not the path of an upload. */
export function parseObjectPath(path: string): ObjectPathParts | undefined {
  const [, folderId, uploadId, fileName] = /^uploads\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (folderId === undefined || uploadId === undefined || fileName === undefined) return undefined;
  return { folderId, uploadId, fileName };
}

/** The sender's file name, without the timestamp before its extension. */
export function nameOf({ fileName }: ObjectPathParts): string {
  return fileName.replace(/(?<=.)-\d{13}(?=\.[^.]*$)/s, '');
}

/** The folder of an upload's variants. It is outside of `uploads/`, so no variants are made of variants. */
export function variantsFolder({
  folderId,
  uploadId,
}: Pick<ObjectPathParts, 'folderId' | 'uploadId'>): string {
  return `variants/${folderId}/${uploadId}/`;
}
