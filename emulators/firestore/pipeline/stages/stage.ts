import type { View } from '../../transactions/view.ts';
import type { Row, RowContext } from '../row.ts';

/** The access of a running pipeline to the database. */
export interface Reader {
  readonly view: View;
  readonly context: RowContext;
  /** Counts documents that were read. */
  readonly count: (documents: number) => void;
}

/** A stage after the first one: it makes rows of rows. */
export type Transform = (rows: readonly Row[], reader: Reader) => readonly Row[] | Promise<readonly Row[]>;

/** The first stage of a pipeline. */
export type Source = (reader: Reader) => Promise<readonly Row[]>;

/** A pipeline that was read from its message. */
export interface Pipeline {
  readonly source: Source;
  readonly stages: readonly Transform[];
}

/** The result of all stages. */
export async function runPipeline({ source, stages }: Pipeline, reader: Reader): Promise<readonly Row[]> {
  let rows = await source(reader);
  for (const stage of stages) rows = await stage(rows, reader);
  return rows;
}
