/**
 * An export is a folder with a metadata file and, for each database, a file of documents: one Document message as JSON
 * on each line, its name relative to the database. Times of creation and change are kept.
 */
export interface ExportMetadata {
  readonly format: 'firestore-documents';
  readonly version: 1;
  readonly databases: readonly ExportedDatabase[];
}

export interface ExportedDatabase {
  /** Such as `(default)`. */
  readonly id: string;
  /** Relative to the metadata file. */
  readonly file: string;
  /** How many documents, so that a file that was cut off is noticed. */
  readonly documents: number;
}

export const METADATA_SUFFIX = '.overall_export_metadata';

/** The metadata of the text, or undefined when it is not of this format. */
export function parseMetadata(text: string): ExportMetadata | undefined {
  try {
    const metadata = JSON.parse(text) as Partial<ExportMetadata> | null;
    const known = metadata?.format === 'firestore-documents' && Array.isArray(metadata.databases);
    return known ? (metadata as ExportMetadata) : undefined;
  } catch {
    return undefined;
  }
}
